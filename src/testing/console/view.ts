// What makes a record readable: names beside ids, times in the service's zone, JSON in lines and without secrets.

import { html } from 'hono/html';
import { isObject, parseJson } from '../../util/json.ts';
import { offsetOf, withOffset } from '../emulator/domain/timestamps.ts';
import type { Emulator } from '../emulator/emulator-api.ts';
import type { EmulatorSnapshot } from '../emulator/state/snapshot.ts';
import type { Markup } from './list.ts';

/** The data that the page shows, and how. */
export interface View {
  readonly emulator: Emulator;
  readonly held: EmulatorSnapshot;
  /** The time zone of the page: that of the service. */
  readonly zone: string;
  /** What an id may be, with its name, by the name of the field. */
  readonly choices: Readonly<Record<string, ReadonlyMap<unknown, string>>>;
  /** A time in that zone, with its day unless it is today. */
  readonly time: (at: number) => Markup;
  /** A value of a field, for the eye; secrets are hidden. */
  readonly text: (name: string, value: unknown) => Markup | string;
}

export function createView(emulator: Emulator): View {
  const { utcOffset } = emulator.settings;
  const held = emulator.snapshot();
  const today = withOffset(emulator.clock.now(), utcOffset).slice(0, 10);
  const named = (records: readonly { readonly id: number; readonly name: string }[]) =>
    new Map(records.map(({ id, name }) => [id, `${name} #${id}`]));
  const choices: View['choices'] = { participant_id: named(held.participants), exam_id: named(held.exams) };
  const time = (at: number) => {
    const datetime = withOffset(at, utcOffset);
    const [day = '', clock = ''] = datetime.split('T');
    return html`<time datetime="${datetime}">${day === today ? '' : `${day} `}${clock.slice(0, 8)}</time>`;
  };
  const readable = (name: string, value: unknown): unknown => {
    if (isSecret.test(name)) return 'hidden';
    return name.endsWith('_at') && typeof value === 'number' ? withOffset(value, utcOffset) : value;
  };
  return {
    emulator,
    held,
    zone: `UTC${offsetOf(utcOffset)}`,
    choices,
    time,
    text(name, value) {
      if (value === null || value === '') return 'none';
      if (isSecret.test(name)) return 'hidden';
      if (name.endsWith('_at')) return time(Number(value));
      const known = choices[name]?.get(value);
      if (known !== undefined) return known;
      const json = typeof value === 'string' ? parseJson(value) : value;
      if (isObject(json) || Array.isArray(json)) return JSON.stringify(json, readable, 2);
      return isSecret.test(String(value)) && /body|response/.test(name)
        ? 'Not shown: it is not complete JSON and may contain a password.'
        : String(value);
    },
  };
}

/** Passwords and secrets are not shown, possibly over somebody's shoulder; an exam is taken by its token. */
const isSecret = /password|secret|token/i;

/** `participant_id` as a label: `Participant`. */
export function inWords(name: string): string {
  const words = name.replace(/_(id|at)$/, '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
