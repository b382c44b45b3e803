// A service that lists deliveries page by page, in an order of choice, while its list changes.

import { createClient, nowhere } from '../helpers/client.ts';

/** 2025-03-01T00:00:00Z. */
export const start = 1_740_787_200_000;

export interface Row {
  readonly id: string;
  /** When it was made, in milliseconds; shown in whole seconds. */
  readonly at: number;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** How ids are made, of a time and a number below 1 that a seed gives. */
export const ids = {
  'ordered UUIDs': (at: number, random: number) => uuid(Math.round(at * 100), '4', random),
  'UUIDs of version 7': (at: number, random: number) => uuid(Math.round(at), '7', random),
  'random UUIDs': (_: number, random: number) => uuid(Math.floor(random * 2 ** 48), '4', random),
  integers: (at: number) => String(Math.round((at - start) * 100) + 1),
} as const;

function uuid(time: number, version: string, random: number): string {
  const toHex = (number: number) => number.toString(16).padStart(12, '0');
  const [hex, tail] = [toHex(time), toHex(Math.floor(random * 2 ** 48))];
  return `${hex.slice(0, 8)}-${hex.slice(8)}-${version}${tail.slice(0, 3)}-8${tail.slice(3, 6)}-${tail}`;
}

/** Numbers below 1, the same for each seed. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The records of ten people, each of whom is assigned and unassigned within one second, and an older one. */
export function changesOfMind(idOf: (at: number, random: number) => string): Row[] {
  const random = randomNumbers(5);
  const row = (change: string, at: number, person: number) => {
    return { id: idOf(at, random()), at, event: `exam_participant.${change}`, data: { person } };
  };
  const rows = Array.from({ length: 10 }, (_, person) => [
    row('registered', start + 1_000 + person * 20, person),
    row('unregistered', start + 1_400 + person * 20, person),
  ]);
  const first = row('unregistered', start, 9);
  return [first, ...rows.flat()].toSorted((a, b) => a.at - b.at);
}

const secondOf = ({ at }: Row) => Math.floor(at / 1_000);
const byId = (a: Row, b: Row) => (a.id < b.id ? -1 : 1);

/** How a list is sorted. Within a second, `latest()` leaves the order to the database. */
export const orders = {
  'latest(), by key': (rows: readonly Row[]) =>
    rows.toSorted((a, b) => secondOf(b) - secondOf(a) || byId(a, b)),
  'latest(), as inserted': (rows: readonly Row[]) => rows.toSorted((a, b) => secondOf(b) - secondOf(a)),
  'oldest first': (rows: readonly Row[]) => rows,
  'by key': (rows: readonly Row[]) => rows.toSorted(byId),
} as const;

/** The records of a service, and a client of it. `change` is called after each request, with its number. */
export function listing(
  rows: Row[],
  sort: (rows: readonly Row[]) => readonly Row[],
  change: (request: number) => void = () => {},
) {
  const pages: number[] = [];
  const fetch = async (url: string) => {
    const { searchParams } = new URL(url);
    const current_page = Number(searchParams.get('page') ?? 1);
    const per_page = Number(searchParams.get('per_page'));
    const from = (current_page - 1) * per_page;
    const shown = sort(rows).slice(from, from + per_page);
    const last_page = Math.max(1, Math.ceil(rows.length / per_page));
    const pagination = { total: rows.length, per_page, current_page, last_page, from: null, to: null };
    const body = { success: true, message: null, data: shown.map(recordOf), meta: { pagination } };
    change(pages.push(current_page));
    return Response.json(body, { headers: { Date: new Date(start).toUTCString() } });
  };
  return { webhooks: createClient({ ...nowhere, fetch }).webhooks, pages };
}

function recordOf({ id, at, event, data }: Row) {
  const created_at = new Date(Math.floor(at / 1_000) * 1_000).toISOString().replace('.000Z', '+00:00');
  const outcome = { status: 'delivered', attempts: 1, response_code: 204, response_body: null };
  const times = { delivered_at: null, created_at };
  return { id, event, ...outcome, error_message: null, payload: { event, created_at, data }, ...times };
}
