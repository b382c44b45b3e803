// Signed deliveries for tests of receivers.

import { createHmac } from 'node:crypto';
import { isCount } from '../util/numbers.ts';
import { type SampleEvent, sampleBody } from './sample-event.ts';
import { readTime } from './schema/read-time.ts';
import { rejectUnknown } from './schema/unknown-name.ts';

/** What to sign. */
export interface SignWebhookOptions {
  /** The body, exactly as it will be sent. */
  readonly body: string | Uint8Array;
  /** The endpoint's signing secret. */
  readonly secret: string;
  /** When the delivery is signed: seconds since 1970, a `Date`, or ISO 8601 with a UTC offset. @default now */
  readonly timestamp?: number | Date | string | undefined;
}

/**
 * Signs a body as the service does and returns the value of `X-Cbt-Signature`.
 *
 * @throws {TypeError} when there is no secret, the body is neither a string nor bytes, or the platform has no `node:crypto`
 * @throws {RangeError} when the timestamp is no time, or in milliseconds
 */
export function signWebhook({ body, secret, timestamp }: SignWebhookOptions): string {
  if (typeof secret !== 'string' || secret === '')
    throw new TypeError('`secret` must be the signing secret of the endpoint, a string.');
  if (typeof body !== 'string' && !ArrayBuffer.isView(body))
    throw new TypeError('`body` must be what is sent, a string or bytes: use JSON.stringify(event).');
  // Bundlers for browsers leave nothing of the module.
  if (typeof createHmac !== 'function')
    throw new TypeError('Deliveries are signed with `node:crypto`, which this platform lacks: use Node.');
  const t = secondsOf(timestamp);
  const signature = createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex');
  return `t=${t},v1=${signature}`;
}

/** A delivery to build: a body as it is, or a documented event whose payload is filled in. */
export type SignedWebhookOptions = (RawDelivery | SampleEvent) & DeliveryOptions;

/** A body to sign as it is. */
export interface RawDelivery {
  /** The body, exactly as it will be sent. */
  readonly body: string | Uint8Array;
  /** In place of a body. */
  readonly event?: undefined;
}

/** How a delivery is signed, and where it is sent. */
export interface DeliveryOptions extends Omit<SignWebhookOptions, 'body'> {
  /** URL of the receiver. @default 'https://receiver.test/webhooks' */
  readonly url?: string | undefined;
  /** Further headers. Content type and signature are already set; you can override them here to forge deliveries. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** One signed delivery, in the forms in which platforms pass it to a receiver. */
export interface SignedWebhook {
  /** The value of `X-Cbt-Signature`. */
  readonly signature: string;
  /** As a web request; a new one for each call, since a body can be read only once. */
  toRequest(): Request;
  /** As the headers and the raw body of a Node request; lower-case header names. */
  toNodeParts(): { headers: Record<string, string>; body: ReturnType<TextEncoder['encode']> };
}

const optionNames = ['secret', 'timestamp', 'body', 'event', 'data', 'created_at', 'url', 'headers'];

/**
 * Builds a signed delivery for tests of a receiver.
 *
 * ```ts
 * signedWebhook({ secret, event: 'exam_result.completed', data: { score: 12 } });
 * ```
 *
 * @throws {TypeError} when there is no secret, no event of this name, neither a body nor an event, or the platform has no `node:crypto`
 * @throws {RangeError} when `timestamp` or `created_at` is no time, or `timestamp` is in milliseconds
 */
export function signedWebhook(options: SignedWebhookOptions): SignedWebhook {
  rejectUnknown('option', options, optionNames);
  const { url = 'https://receiver.test/webhooks', secret } = options;
  const timestamp = secondsOf(options.timestamp);
  const body = bodyOf(options, timestamp);
  const signature = signWebhook({ body, secret, timestamp });
  const given = options.headers ?? {};
  const replaced = lowerCased(given);
  const own = Object.entries({ 'Content-Type': 'application/json', 'X-Cbt-Signature': signature });
  const kept = own.filter(([name]) => !Object.hasOwn(replaced, name.toLowerCase()));
  const headers = { ...Object.fromEntries(kept), ...given };
  const bytes = Buffer.from(body);
  return {
    signature,
    toRequest: () => new Request(url, { method: 'POST', headers, body: new Uint8Array(bytes) }),
    toNodeParts: () => ({ headers: lowerCased(headers), body: Buffer.from(bytes) }),
  };
}

function bodyOf(options: SignedWebhookOptions, timestamp: number): string | Uint8Array {
  if (options.event !== undefined && options.body === undefined) return sampleBody(options, timestamp * 1000);
  if (options.event === undefined && !('data' in options) && options.body !== undefined) return options.body;
  throw new TypeError('Pass either `body`, or `event` with the fields of its `data` that matter.');
}

/** The end of the year 9999. A greater number is in milliseconds: those of now are in the year 57,000. */
const LAST_SECOND = 253_402_300_799;

function secondsOf(timestamp: SignWebhookOptions['timestamp'] = Math.floor(Date.now() / 1000)): number {
  if (typeof timestamp !== 'number') return Math.floor(readTime(timestamp, 'timestamp') / 1000);
  if (isCount(timestamp, 0) && timestamp <= LAST_SECOND) return timestamp;
  throw new RangeError('`timestamp` must be whole seconds, such as Math.floor(Date.now() / 1000).');
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
