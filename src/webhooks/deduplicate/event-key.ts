// Keys that identify an event, by which a repeated delivery is recognised.

import { RequestValidationError } from '../../core/errors/request-error.ts';
import type { WebhookDelivery } from '../../schemas/webhook-types.ts';
import { isObject } from '../../util/json.ts';
import { tryOrUndefined } from '../../util/try-or-undefined.ts';
import { sha256 } from '../verify/crypto.ts';
import { parseBody } from '../verify/read-event.ts';

/** The three documented fields of an event, as in the JSON of a delivery. */
export interface DeliveredEvent {
  /** Name of the event. */
  readonly event: string;
  /** When the event happened, as sent. */
  readonly created_at: string;
  /** The payload, as sent. */
  readonly data: unknown;
}

/**
 * A key for an event, since the service sends no id: SHA-256, in hexadecimal, of the canonical JSON (RFC 8785) of
 * `event`, `created_at` and `data`. It is the same for every delivery of the event and for its delivery record,
 * independent of escapes and of the order of fields in the JSON. Numbers are those of `JSON.parse`, which rounds integers
 * beyond 2^53.
 *
 * Pass what was delivered: `JSON.parse` of a verified body, or its delivery record, which gets the key that `recoverEvents`
 * gives. The verifier converts numeric strings to numbers, fills in null for missing fields and applies your schemas; an event
 * changed by this has another key. In a handler, use `context.eventKey`.
 *
 * @throws {RequestValidationError} for anything else, such as a text, bytes or `data` alone: all of them would have the same key
 */
export async function eventKeyOf(delivered: DeliveredEvent | WebhookDelivery): Promise<string> {
  // Read once: a getter may throw.
  const read = tryOrUndefined((): Partial<DeliveredEvent & WebhookDelivery> => {
    const { event, created_at, data, payload } = Object(delivered);
    return { event, created_at, data, payload };
  });
  const { event, created_at, data, payload } = read ?? {};
  const issues = Object.entries({ event, created_at })
    .filter(([, text]) => typeof text !== 'string')
    .map(([path]) => ({ path, message: 'must be a string' }));
  if (data === undefined && payload === undefined) issues.push({ path: 'data', message: 'is missing' });
  if (issues.length > 0) {
    const ending = 'Pass JSON.parse of a verified body, or a delivery record.';
    throw new RequestValidationError('eventKeyOf', issues, ending);
  }
  return keyOfEvent(data === undefined ? deliveredBy(read as WebhookDelivery) : (read as DeliveredEvent));
}

/** What a record says was sent. If it keeps only `data`, its other fields fill in the rest, except for the event's own time. */
export function deliveredBy({ event, created_at, payload }: WebhookDelivery): DeliveredEvent {
  const isWhole = isObject(payload) && payload['event'] === event && 'data' in payload;
  return { event, created_at, ...(isWhole ? (payload as object as DeliveredEvent) : { data: payload }) };
}

/** The key of a verified body: of its bytes, since readers, schemas and handlers change an event. */
export function keyOfBody(body: Uint8Array): string | Promise<string> {
  return keyOfEvent(parseBody(body) as DeliveredEvent);
}

/** The key of what was delivered, which is known to be an event. */
export function keyOfEvent({ event, created_at, data }: DeliveredEvent): string | Promise<string> {
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
