import canonicalize from 'canonicalize';
import { sha256 } from './crypto.ts';

/** The three documented fields of an event (the service's API, Delivery rules), as JSON has them. */
export interface DeliveredEvent {
  /** Name of the event. */
  readonly event: string;
  /** When the event happened, as sent. */
  readonly created_at: string;
  /** The payload, as sent. */
  readonly data?: unknown;
}

/**
 * One key for an event, as the service gives it no id: SHA-256, in hexadecimal digits, of the canonical JSON (RFC 8785) of
 * `event`, `created_at` and `data`. It is the same for every delivery of the event and for its delivery record, however the
 * JSON was escaped and in whatever order its fields came.
 *
 * It takes what was delivered: `JSON.parse` of a verified body, or the `payload` of a delivery record. The verifier reads
 * numbers out of strings, fills in null for what is left out, and applies your schemas; an event that this changed has
 * another key. Handlers find the right one in `context.eventKey`.
 */
export async function eventKeyOf({ event, created_at, data }: DeliveredEvent): Promise<string> {
  const delivered = { event, created_at, data };
  const json = JSON.stringify(delivered);
  // JSON can escape half of a surrogate pair, which canonical JSON forbids; rare, and dear to look for in each string.
  const plain: unknown = json.includes('\\ud') ? JSON.parse(json, replaceLoneSurrogates) : delivered;
  return sha256(canonicalize(plain) as string);
}

/** As UTF-8 does. */
function replaceLoneSurrogates(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/\p{Surrogate}/gu, '\uFFFD') : value;
}
