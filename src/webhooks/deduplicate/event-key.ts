// Keys that identify an event, by which a repeated delivery is recognised.

import { sha256 } from '../verify/crypto.ts';
import { parseBody } from '../verify/read-event.ts';

/** The three documented fields of an event, as in the JSON of a delivery. */
export interface DeliveredEvent {
  /** Name of the event. */
  readonly event: string;
  /** When the event happened, as sent. */
  readonly created_at: string;
  /** The payload, as sent. */
  readonly data?: unknown;
}

/**
 * A key for an event, since the service sends no id: SHA-256, in hexadecimal, of the canonical JSON (RFC 8785) of
 * `event`, `created_at` and `data`. It is the same for every delivery of the event and for its delivery record,
 * independent of escapes and of the order of fields in the JSON. Numbers are those of `JSON.parse`, which rounds integers
 * beyond 2^53.
 *
 * Pass what was delivered: `JSON.parse` of a verified body, or the `payload` of a delivery record. The verifier
 * converts numeric strings to numbers, fills in null for missing fields and applies your schemas; an event changed by
 * this has another key. In a handler, use `context.eventKey`.
 */
export async function eventKeyOf(delivered: DeliveredEvent): Promise<string> {
  return keyOf(delivered);
}

/** The key of a verified body: of its bytes, since readers, schemas and handlers change an event. */
export function keyOfBody(body: Uint8Array): string | Promise<string> {
  return keyOf(parseBody(body) as DeliveredEvent);
}

function keyOf({ event, created_at, data }: DeliveredEvent): string | Promise<string> {
  // JSON can hold half of a surrogate pair, which canonical JSON forbids: replaced as in UTF-8. An escaped backslash is
  // skipped as a whole, since anything may follow it.
  const json = JSON.stringify({ event, created_at, data }).replace(/\\(?:ud...|.)/g, (escaped) =>
    escaped.length > 2 ? '\uFFFD' : escaped,
  );
  return sha256(canonical(JSON.parse(json)));
}

/** Canonical JSON (RFC 8785): values are written as JavaScript writes them, names in the order of their UTF-16 units. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(Reflect.get(value, name))}`)}}`;
}
