// The routes of the control interface for the service: settings, clock, faults and history.

import * as z from 'zod/mini';
import { withOffset } from '../emulator/domain/timestamps.ts';
import type { Emulator } from '../emulator/emulator-api.ts';
import { isMovable } from '../emulator/service/clock.ts';
import { count, described, fields, flag, number, optional } from '../schema/input-fields.ts';
import { fault, injectFault } from './fault-input.ts';
import { type ControlRoute, get, nothing, post, type RouteResult } from './route.ts';
import { fromJson, settingsInput, toJson } from './settings-input.ts';

const history = fields({ last: described(optional(count), 'Only this many, the newest. Default: all.') });

const clientState = fields({ active: described(flag, 'If false, every request gets a 403.') });
const notNegative = number.check(z.gte(0, 'must be 0 or more'));
const timeSpan = fields({
  seconds: described(notNegative, 'How far forward; retries that become due are sent.'),
});

export const serviceRoutes: readonly ControlRoute[] = [
  post('/client', 'Switch the client', clientState, ({ control }, { active }) => {
    control.setClientActive(active);
    return { message: `The client is ${active ? 'active' : 'not active'}.` };
  }),
  get('/settings', 'Read the settings', nothing, ({ settings }) => ({
    message: 'The settings.',
    data: toJson(settings),
  })),
  post('/settings', 'Change the settings', settingsInput, ({ control, settings }, changes) => {
    control.configure(fromJson(changes));
    return { message: 'The settings were changed.', data: toJson(settings) };
  }),
  get('/clock', 'Read the time', nothing, showTime),
  post('/clock/advance', 'Move the clock', timeSpan, async (emulator, { seconds }) => {
    const { clock } = emulator;
    if (!isMovable(clock)) throw new TypeError('The clock of this emulator cannot be moved.');
    await clock.advance(seconds * 1000);
    return showTime(emulator);
  }),
  get('/faults', 'Read the faults that may still strike', nothing, ({ faults }) => ({
    message: 'The faults.',
    data: faults.waiting.map(({ fault, left, struck }) => ({ fault, left, struck })),
  })),
  post('/faults', 'Make requests or deliveries fail', fault, (emulator, input) => {
    injectFault(emulator, input);
    const { times = 1 } = input;
    return {
      message: `The fault strikes ${times === null ? 'from now on' : times === 1 ? 'once' : `${times} times`}.`,
    };
  }),
  post('/faults/clear', 'Remove all faults', nothing, ({ faults }) => {
    faults.clear();
    return { message: 'All faults were removed.' };
  }),
  get('/requests', 'Read the requests', history, ({ requests }, { last }) => ({
    message: 'The requests.',
    data: lastOf(requests, last),
  })),
  get('/deliveries', 'Read the delivery attempts', history, ({ deliveries }, { last }) => ({
    message: 'The attempts.',
    data: lastOf(deliveries, last),
  })),
];

function showTime({ clock, settings: { utcOffset } }: Emulator): RouteResult {
  const now = clock.now();
  return { message: `It is ${withOffset(now, utcOffset)}.`, data: { now: new Date(now).toISOString() } };
}

function lastOf<Entry>(entries: readonly Entry[], count = entries.length): readonly Entry[] {
  return entries.slice(Math.max(0, entries.length - count));
}
