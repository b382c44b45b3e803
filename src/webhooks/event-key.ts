// Keys that identify an event, by which a repeated delivery is recognised.

import canonicalize from 'canonicalize';
import { isSynchronous, sha256 } from './crypto.ts';
import { parseBody } from './read-event.ts';

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
 * whatever the escapes and the order of fields in the JSON. Numbers are those of `JSON.parse`, which rounds integers
 * beyond 2^53.
 *
 * Pass what was delivered: `JSON.parse` of a verified body, or the `payload` of a delivery record. The verifier
 * converts numeric strings to numbers, fills in null for missing fields and applies your schemas; an event changed by
 * this has another key. In a handler, use `context.eventKey`.
 */
export async function eventKeyOf(delivered: DeliveredEvent): Promise<string> {
  return keyOf(delivered);
}

/**
 * Returns the key of a verified body when called. It is computed from the bytes, since readers, schemas and handlers
 * change an event; and only then, since most handlers never use it, unless the runtime cannot hash synchronously.
 */
export async function eventKeyIn(body: Uint8Array): Promise<() => string> {
  const compute = () => keyOf(parseBody(body) as DeliveredEvent);
  let key = isSynchronous() ? undefined : await compute();
  return () => (key ??= compute() as string);
}

function keyOf({ event, created_at, data }: DeliveredEvent): string | Promise<string> {
  const delivered = { event, created_at, data };
  const json = JSON.stringify(delivered);
  // JSON can hold half of a surrogate pair, and a number beyond all doubles (written as null here), which canonical
  // JSON forbids. Both are rare, and expensive to search for in every value.
  const plain: unknown = /\\ud|null/.test(json) ? JSON.parse(replaceLoneSurrogates(json)) : delivered;
  return sha256(canonicalize(plain) as string);
}

/** As in UTF-8. An escaped backslash is skipped as a whole, since anything may follow it. */
function replaceLoneSurrogates(json: string): string {
  return json.replace(/\\(?:ud...|.)/g, (escaped) => (escaped.length > 2 ? '\uFFFD' : escaped));
}
