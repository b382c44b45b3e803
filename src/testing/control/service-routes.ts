import { isMovable } from '../emulator/service/clock.ts';
import { withOffset } from '../emulator/domain/timestamps.ts';
import type { Emulator } from '../emulator/emulator-api.ts';
import { injectFault } from './inject-fault.ts';
import * as inputs from './inputs.ts';
import { type ControlRoute, get, type Outcome, post } from './route.ts';
import { fromWire, toWire } from './settings.ts';

/** The routes of the control interface for the service: settings, clock, faults and history. */
export const serviceRoutes: readonly ControlRoute[] = [
  post(
    '/client',
    'Deactivate the client, whose requests are then answered 403, or activate it',
    inputs.clientState,
    ({ control }, { active }) => {
      control.setClientActive(active);
      return { message: `The client is ${active ? 'active' : 'not active'}.` };
    },
  ),
  get('/settings', 'Get the settings of the service', inputs.nothing, ({ settings }) => ({
    message: 'The settings.',
    data: toWire(settings),
  })),
  post(
    '/settings',
    'Change the settings of the service: style, limits and more',
    inputs.settings,
    ({ control, settings }, changes) => {
      control.configure(fromWire(changes));
      return { message: 'The settings were changed.', data: toWire(settings) };
    },
  ),
  get('/clock', 'The time of the emulator', inputs.nothing, showTime),
  post(
    '/clock/advance',
    'Move the time forward; everything that becomes due, such as a delivery retry, is done before the answer',
    inputs.step,
    async (emulator, { seconds }) => {
      const { clock } = emulator;
      if (!isMovable(clock)) throw new TypeError('The clock of this emulator cannot be moved.');
      await clock.advance(seconds * 1000);
      return showTime(emulator);
    },
  ),
  get('/faults', 'The faults that may still strike', inputs.nothing, ({ faults }) => ({
    message: 'The faults.',
    data: faults.waiting.map(({ fault, left, struck }) => ({ fault, left, struck })),
  })),
  post('/faults', 'Inject a fault: a preset, an effect or a delay', inputs.fault, (emulator, fault) => {
    injectFault(emulator, fault);
    const { times = 1 } = fault;
    return {
      message: `The fault strikes ${times === null ? 'from now on' : times === 1 ? 'once' : `${times} times`}.`,
    };
  }),
  post('/faults/clear', 'Remove all faults', inputs.nothing, ({ faults }) => {
    faults.clear();
    return { message: 'All faults were removed.' };
  }),
  get(
    '/requests',
    'The requests that the service received, oldest first',
    inputs.excerpt,
    ({ requests }, { last }) => ({
      message: 'The requests.',
      data: lastOf(requests, last),
    }),
  ),
  get('/deliveries', 'The delivery attempts, oldest first', inputs.excerpt, ({ deliveries }, { last }) => ({
    message: 'The attempts.',
    data: lastOf(deliveries, last),
  })),
];

function showTime({ clock, settings: { utcOffset } }: Emulator): Outcome {
  const now = clock.now();
  return { message: `It is ${withOffset(now, utcOffset)}.`, data: { now: new Date(now).toISOString() } };
}

function lastOf<Entry>(entries: readonly Entry[], count = entries.length): readonly Entry[] {
  return entries.slice(Math.max(0, entries.length - count));
}
