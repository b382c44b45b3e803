import { html } from 'hono/html';
import { offsetOf, withOffset } from '../emulator/domain/timestamps.ts';
import type { Emulator } from '../emulator/emulator-api.ts';
import type { EmulatorSnapshot } from '../emulator/state/snapshot.ts';
import type { Markup } from './list.ts';

/** The data that the parts of the console page show. */
export interface View {
  readonly emulator: Emulator;
  readonly held: EmulatorSnapshot;
  readonly query: URLSearchParams;
  /** The time zone of the page: that of the service. */
  readonly zone: string;
  /** A time in that zone, with its day unless it is today. */
  readonly moment: (at: number) => Markup;
  /** A participant by name and id. */
  readonly who: (id: number) => Markup;
  /** An exam by name and id. */
  readonly which: (id: number) => Markup;
}

export function createView(emulator: Emulator, query: URLSearchParams): View {
  const { utcOffset } = emulator.settings;
  const dayAndTime = (at: number) => {
    const [day = '', time = ''] = withOffset(at, utcOffset).split('T');
    return { day, time: time.slice(0, 8) };
  };
  const today = dayAndTime(emulator.clock.now()).day;
  const held = emulator.snapshot();
  const exams = new Map(held.exams.map(({ id, name }) => [id, name]));
  const named = (id: number, name = '') => html`${name} <span class="quiet">#${id}</span>`;
  return {
    emulator,
    held,
    query,
    zone: `UTC${offsetOf(utcOffset)}`,
    who: (id) => named(id, emulator.control.participant(id)?.name),
    which: (id) => named(id, exams.get(id)),
    moment(at) {
      const { day, time } = dayAndTime(at);
      const datetime = withOffset(at, utcOffset);
      return html`<time datetime="${datetime}">${day === today ? '' : `${day} `}${time}</time>`;
    },
  };
}
