// The kinds of records on the page: where they come from, what shows of one, and which routes take its ids.

import { html } from 'hono/html';
import { isObject } from '../../util/json.ts';
import type { AnyFault } from '../emulator/faults/fault-queue.ts';
import type { Assignment } from '../emulator/state/store.ts';
import { badge, type Markup, type Tone } from './list.ts';
import type { View } from './view.ts';

export interface Shown {
  readonly id: number | string;
}

export interface Kind<Row extends Shown = Shown> {
  readonly title: string;
  /** What is said when there is none. */
  readonly empty: string;
  /** Oldest first. */
  records(view: View): readonly Row[];
  /** What shows of a record before it is opened, in columns. */
  line(row: Row, view: View): readonly (Markup | string)[];
  /** Fields beside its own: for its forms, and when it is opened. */
  more?(row: Row, view: View): object;
  /** What it gives to the routes that take exactly these ids. */
  ids?(row: Row): Readonly<Record<string, unknown>>;
  /** Whether one of these routes is a next step. Default: each. */
  isNext?(path: string, row: Row): boolean;
  /** Routes for the list as a whole. */
  readonly below?: readonly string[];
}

/** What happens comes first, then the data. */
export const kinds: Readonly<Record<string, Kind>> = {
  requests: kindOf({
    title: 'Requests',
    empty: 'None yet.',
    // The headers contain the key.
    records: ({ emulator }) => emulator.requests.map(({ headers: _, ...request }) => request),
    line: ({ method, url, status, body, fault, received_at }, { time }) => [
      stateOf(status ?? 'no response', !status || status >= 500 ? 'bad' : status < 400 ? 'good' : 'warn'),
      html`<code>${method} ${url.slice(new URL(url).origin.length)}</code> ${fault === null ? '' : badge('fault', 'warn')}
        <div class="quiet">${subjectOf(body)}</div>`,
      time(received_at),
    ],
  }),
  deliveries: kindOf({
    title: 'Deliveries',
    empty: 'None yet. Events go to the active endpoints that are subscribed to them.',
    records: ({ held }) => held.deliveries.toSorted((a, b) => a.created_at - b.created_at),
    line: ({ event, status, payload, endpoint_id, attempts, error_message, created_at }, { time }) => [
      stateOf(status, status === 'delivered' ? 'good' : status === 'pending' ? 'warn' : 'bad'),
      html`<strong>${event}</strong> ${namesIn(payload.data)} <span class="quiet">to #${endpoint_id}</span>
        ${status === 'delivered' ? '' : html`<div class="bad">${error_message}</div>`}`,
      html`${time(created_at)} <div class="quiet">${attempts > 1 ? `${attempts} attempts` : ''}</div>`,
    ],
    more: ({ id }, { emulator }) => ({
      sent: emulator.deliveries
        .filter(({ delivery_id }) => delivery_id === id)
        .map(({ body: _, ...attempt }) => attempt),
    }),
    ids: ({ id }) => ({ delivery_id: id }),
  }),
  faults: kindOf({
    title: 'Faults',
    empty: 'None is waiting.',
    records: ({ emulator }) =>
      emulator.faults.waiting.map(({ fault, left, struck }, id) => ({
        ...(fault as AnyFault),
        id,
        left,
        struck,
      })),
    line: ({ effect, status, delay, on = 'everywhere', left, struck }) => [
      badge([effect ?? 'delay', status].join(' '), 'warn'),
      html`${[on].flat().join(', ')} <span class="quiet">${delay === undefined ? '' : `${delay} ms late`}</span>`,
      html`<span class="quiet">${left} left, struck ${struck}</span>`,
    ],
    below: ['/faults', '/faults/clear'],
  }),
  endpoints: kindOf({
    title: 'Webhook endpoints',
    empty: 'None yet. POST /webhooks registers one.',
    records: ({ held }) => held.endpoints,
    more: ({ is_active }) => ({ active: is_active }),
    line: ({ id, url, description, events, consecutive_failures: failures, ...state }) => [
      html`<code>${url}</code> <span class="quiet">#${id}</span>
        ${state.is_active ? '' : badge(state.is_disabled_by_system ? 'disabled by the system' : 'inactive', 'bad')}
        ${failures === 0 ? '' : badge(`${failures} failed in a row`, 'bad')}
        <div>${description}</div> <div class="quiet">${events.join(', ')}</div>`,
    ],
    ids: ({ id }) => ({ endpoint_id: id }),
    below: ['/webhooks/create'],
  }),
  assignments: kindOf({
    title: 'Assignments',
    empty: 'None yet. POST /exam-participants/assign makes one; then start and finish the exam here.',
    records: ({ held }) => held.assignments,
    line: ({ participant_id, exam_id, started_at, finished_at }, view) => [
      ...pairOf({ participant_id, exam_id }, view),
      finished_at !== null
        ? html`finished ${view.time(finished_at)}`
        : started_at !== null
          ? html`started ${view.time(started_at)}`
          : 'assigned',
    ],
    ids: ({ participant_id, exam_id }) => ({ participant_id, exam_id }),
    isNext(path, { started_at, finished_at }) {
      if (path === '/exams/finish') return started_at !== null && finished_at === null;
      return started_at === null && path !== '/exams/assign';
    },
    below: ['/exams/assign'],
  }),
  results: kindOf({
    title: 'Results',
    empty: 'None yet. A result comes when an exam is finished.',
    records: ({ held }) => held.results,
    line: (result, view) => [
      ...pairOf(result, view),
      html`<span class="number">${result.score ?? 'no score'}</span>`,
      html`${result.status_label} ${view.time(result.end_at)}`,
    ],
    ids: ({ id }) => ({ result_id: id }),
  }),
  participants: kindOf({
    title: 'Participants',
    empty: 'None yet. Import some with POST /participants/import, start with a seed, or add one here.',
    records: ({ held }) => held.participants,
    more: ({ is_active, email_verified_at }) => ({ active: is_active, verified: email_verified_at !== null }),
    line: ({ name, id, email, is_active, email_verified_at }) => [
      named(`${name} #${id}`),
      html`<span class="quiet">${email.split(/(?<=@)/).map((part) => html`${part}<wbr>`)}</span>`,
      html`${is_active ? '' : badge('inactive', 'bad')} ${email_verified_at === null ? badge('email not verified', 'warn') : ''}`,
    ],
    ids: ({ id }) => ({ participant_id: id }),
    below: ['/participants/create'],
  }),
  exams: kindOf({
    title: 'Exams',
    empty: 'None yet. Exams come from a seed, or you add one here.',
    records: ({ held }) => held.exams,
    line({ name, id, name_short }, { held }) {
      const assigned = held.assignments.filter(({ exam_id }) => exam_id === id).length;
      return [
        named(`${name} #${id}`),
        name_short,
        html`<span class="number">${assigned} <span class="quiet">${assigned === 1 ? 'participant' : 'participants'}</span></span>`,
      ];
    },
    ids: ({ id }) => ({ exam_id: id }),
    below: ['/exams/create'],
  }),
};

/** A kind whose methods know the form of its records. */
function kindOf<Row extends Shown>(kind: Kind<Row>): Kind {
  return kind;
}

/** What is as it should be is a word, the rest a mark. */
function stateOf(state: string | number, tone: Tone): Markup | string {
  return tone === 'good' ? html`<span class="quiet">${state}</span>` : badge(String(state), tone);
}

/** A name with its number, which is quiet. */
function named(text: string): Markup {
  const [name, id] = text.split(/ (?=#\d+$)/);
  return html`${name} <span class="quiet">${id}</span>`;
}

function pairOf({ participant_id, exam_id }: Assignment, { choices }: View): Markup[] {
  return [
    named(choices['participant_id']?.get(participant_id) ?? ` #${participant_id}`),
    named(choices['exam_id']?.get(exam_id) ?? ` #${exam_id}`),
  ];
}

/** Whom and which exam an event is about. */
function namesIn({ participant, exam }: Readonly<Record<string, unknown>>): string {
  return [participant, exam].flatMap((one) => (isObject(one) ? [String(one['name'])] : [])).join(', ');
}

/** What a body is about, in a few words: a participant and an exam, or how many participants. */
function subjectOf(body: string): string {
  const emails = body.match(/"email"\s*:/g)?.length ?? 0;
  if (emails > 0) return `${emails} ${emails === 1 ? 'participant' : 'participants'}`;
  const [participant, exam] = ['participant', 'exam'].map(
    (name) => body.match(`"${name}_id"\\s*:\\s*(\\d+)`)?.[1],
  );
  return participant !== undefined && exam !== undefined ? `participant ${participant}, exam ${exam}` : '';
}
