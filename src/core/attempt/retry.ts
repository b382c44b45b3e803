import { ApiError } from '../errors/api-error.ts';
import { ConnectionError } from '../errors/connection-error.ts';
import { TimeoutError } from '../errors/timeout-error.ts';
import type { RetryClass } from '../operation.ts';

const retriedStatuses: Readonly<Record<RetryClass, ReadonlySet<number>>> = {
  idempotent: new Set([408, 429, 500, 502, 503, 504]),
  unprocessed: new Set([429, 503]),
};

/** System codes of Node and Bun for a connection that never came to be. */
const neverConnectedCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ConnectionRefused']);

/** Deno gives no code, only this wording. */
const neverConnectedMessage = /connection refused|dns error|failed to lookup address/i;

const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 8_000;

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
  return Math.round(Math.random() * Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (attempt - 1)));
}
