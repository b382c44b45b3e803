// The retry policy: what may succeed when it is sent again, what is too large or too slow to be sent as it is, and how long to wait.

import { isApiError } from './errors/api-error.ts';
import type { AnyCallError } from './errors/call-error.ts';
import { isPlatformLimit } from './errors/connection-failure.ts';
import { RequestError, TimeoutError, wasNotSent } from './errors/request-error.ts';

/** Statuses of a service in trouble, or at a limit: another attempt may succeed. */
export function isTransientStatus(status: number): boolean {
  return [408, 425, 429].includes(status) || (status >= 500 && status !== 501 && status !== 505);
}

/** Whether the service or a gateway found the request too large: a smaller one may pass. */
export function isTooLarge(error: unknown): boolean {
  return isApiError(error) && error.status === 413;
}

/**
 * Whether no response came in time, for the client, its platform or a gateway: a smaller request may be quicker. A queue is no response,
 * and what was not sent in time was not too large.
 */
export function isTooSlow(error: unknown): boolean {
  if (isApiError(error)) return error.status === 408 || error.status === 504;
  if (error instanceof TimeoutError) return error.outcome !== 'rejected' && !wasNotSent(error);
  return error instanceof RequestError && isPlatformLimit(error.cause);
}

/**
 * Whether what failed may succeed when it is sent again immediately; then the client does that itself, where it is `retryable`. A
 * gateway's 404 is worth another try for a queue, later.
 */
export function isTransient(error: AnyCallError): boolean {
  // A key function that failed is for the caller to call again.
  return isApiError(error) ? isTransientStatus(error.status) : error.code !== 'configuration';
}

const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 8_000;

/** The wait after failure number `count` in milliseconds: exponential, with full jitter. */
export function backoff(count: number): number {
  return Math.round(Math.random() * Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (count - 1)));
}

/** How much longer than asked for to wait at most: a tenth, and this long. */
const LONGEST_JITTER_MS = 1_000;

/** The wait that a service asks for, plus jitter: clients that got a 429 together must not retry together. */
export function withJitter(milliseconds: number): number {
  if (milliseconds === 0) return 0;
  return milliseconds + Math.random() * Math.min(milliseconds / 10, LONGEST_JITTER_MS);
}

/** What a call allows. */
export interface RetryRules {
  readonly maxRetries: number;
  /** In milliseconds: the error itself says more than a wait that is longer. */
  readonly maxRetryAfter: number;
  /** Whether its caller sends the same work again in smaller requests. */
  readonly isDivisible: boolean;
}

/** The wait before the next attempt in milliseconds, after `failures` failed ones; `false` for no further attempt. */
export function nextDelay(failure: AnyCallError, failures: number, rules: RetryRules): number | false {
  if (!failure.retryable || !isTransient(failure) || failures > rules.maxRetries) return false;
  if (rules.isDivisible && (isTooLarge(failure) || isTooSlow(failure))) return false;
  const retryAfterMs = isApiError(failure) ? (failure.retryAfterMs ?? 0) : 0;
  if (retryAfterMs > rules.maxRetryAfter) return false;
  return Math.round(Math.max(withJitter(retryAfterMs), backoff(failures)));
}
