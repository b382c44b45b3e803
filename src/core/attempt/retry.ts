import { ApiError } from '../errors/api-error.ts';
import { ConnectionError } from '../errors/connection-error.ts';
import { TimeoutError } from '../errors/timeout-error.ts';

/**
 * What may be repeated. `idempotent`: repeating the request changes nothing more. `unprocessed`: it is
 * repeated only where the first one cannot have taken effect, because a repetition would do the work twice.
 */
export type RetryClass = 'idempotent' | 'unprocessed';

const retriedStatuses: Readonly<Record<RetryClass, ReadonlySet<number>>> = {
  idempotent: new Set([408, 429, 500, 502, 503, 504]),
  unprocessed: new Set([429, 503]),
};

/** System codes of Node and Bun for a connection that never came to be. */
const neverConnectedCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ConnectionRefused']);

/** Deno gives no code, only this wording. */
const neverConnectedMessage = /connection refused|dns error|failed to lookup address/i;

const firstBackoff = 500;
const longestBackoff = 8_000;

/** The forms of RFC 9110, section 5.6.7, that name their zone; `Date.parse` alone makes a date of "later 5" too. */
const httpDate = /^[a-z]{3,9}, \d{2}[ -][a-z]{3}[ -]\d{2,4} \d{2}:\d{2}:\d{2} gmt$/i;

/** Whether the failure of an attempt may be followed by another attempt. */
export function isRetryable(error: unknown, retryClass: RetryClass): boolean {
  if (error instanceof ApiError) return retriedStatuses[retryClass].has(error.status);
  if (error instanceof ConnectionError) return retryClass === 'idempotent' || neverConnected(error.cause);
  return error instanceof TimeoutError && retryClass === 'idempotent';
}

function neverConnected(cause: unknown, depth = 0): boolean {
  if (!(cause instanceof Error) || depth > 4) return false;
  // A host name with several addresses fails with one error for each of them.
  if (cause instanceof AggregateError && cause.errors.length > 0) {
    return cause.errors.every((error) => neverConnected(error, depth + 1));
  }
  return (
    neverConnectedCodes.has(String(Reflect.get(cause, 'code'))) ||
    neverConnectedMessage.test(cause.message) ||
    neverConnected(cause.cause, depth + 1)
  );
}

/** Wait before the attempt that follows attempt number `attempt`, in milliseconds: exponential, with full jitter. */
export function backoff(attempt: number): number {
  return Math.round(Math.random() * Math.min(longestBackoff, firstBackoff * 2 ** (attempt - 1)));
}

/**
 * The wait that a `Retry-After` header asks for, in milliseconds. It holds seconds or an HTTP date; a date in
 * the past means now. `null` when the header is absent or makes no sense.
 */
export function parseRetryAfter(headers: Headers): number | null {
  const value = headers.get('retry-after')?.trim();
  if (!value) return null;
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1_000);
  const date = httpDate.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}
