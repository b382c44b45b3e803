// What the error of a request is evidence of. Both bulk jobs judge by this, so that no two of them read one response differently.

import { hasStatus, isApiError } from '../core/errors/api-error.ts';
import type { Outcome, Verdict } from '../core/errors/base.ts';
import { type AnyCallError, isVerdict } from '../core/errors/call-error.ts';
import { type ConnectionFailure, failureKind, isUnknownHost } from '../core/errors/connection-failure.ts';
import { ConnectionError, TimeoutError } from '../core/errors/request-error.ts';
import { ResponseFormatError } from '../core/errors/response-error.ts';
import { isTooLarge, isTooSlow } from '../core/retry.ts';
import { tryOrUndefined } from '../util/try-or-undefined.ts';

/**
 * The result of a request, or its error.
 *
 * @throws what is no error of this request, such as the reason for which `signal` aborted it
 */
export async function resultOf<T>(request: PromiseLike<T>, signal: AbortSignal | undefined) {
  try {
    return { error: null, value: await request };
  } catch (error) {
    if (isVerdict(error, signal)) return { error };
    throw error;
  }
}

/** Whether a request failed. One that took effect (`done`) did not, even if its response cannot be read. */
export function hasFailed(
  error: AnyCallError | null,
): error is AnyCallError & { readonly outcome: Exclude<Outcome, 'done'> } {
  return error !== null && error.outcome !== 'done';
}

/** Whether a failed request may have taken effect. */
export function mayHaveHappened({ outcome }: Verdict): boolean {
  return outcome === 'unknown' || outcome === 'done';
}

/**
 * - `no`: the service looked at what was sent and rejected it (409: what a framework says for 422), also with a successful status
 * - `too large`, `too slow`: a smaller request may be taken
 * - `server error`: the service, or something before it, failed: because of what was sent, or because it is down
 * - `every request`: the error is not about what was sent
 */
export type Evidence = 'no' | 'too large' | 'too slow' | 'server error' | 'every request';

export function evidenceOf(error: AnyCallError): Evidence {
  if (isTooLarge(error)) return 'too large';
  if (isTooSlow(error)) return 'too slow';
  if (error instanceof ResponseFormatError) return saysNo(error) ? 'no' : 'server error';
  if (hasStatus(error, 409, 422)) return 'no';
  const isLost = error instanceof ConnectionError && mayHaveHappened(error) && failureKind(error) === 'lost';
  return isLost || (isApiError(error) && error.status >= 500) ? 'server error' : 'every request';
}

/** Whether the service failed on what was sent, or did not respond in time: because of it, or because it is down. */
export function isFailing(error: AnyCallError): boolean {
  return ['server error', 'too slow'].includes(evidenceOf(error));
}

/** Whether a success says no; otherwise it is not JSON, and may come from a proxy. */
function saysNo({ outcome, body }: ResponseFormatError): boolean {
  return outcome === 'rejected' || tryOrUndefined(() => JSON.parse(body)) !== undefined;
}

/** What may pass by itself, of the failures without a response. */
const passing: readonly ConnectionFailure[] = ['lost', 'too_slow', 'unreachable', 'no_tunnel'];

/**
 * Whether an error about every request may pass by itself: the service cannot be reached, something before it responds, or it is too
 * early. What the service itself says, it says again.
 *
 * @param isKnown whether the service has accepted a request: otherwise the address, or what provides the key, may be wrong
 */
export function isDown(error: AnyCallError, isKnown: boolean): boolean {
  if (error instanceof ConnectionError) {
    return error.retryable && passing.includes(failureKind(error)) && (isKnown || !isUnknownHost(error));
  }
  if (error instanceof TimeoutError) return isKnown || error.scope === 'total';
  if (error.code === 'configuration') return isKnown && error.retryable;
  if (!isApiError(error)) return isKnown && error.code === 'redirect';
  return [425, 429].includes(error.status) || (isKnown && error.origin === 'gateway' && !isTooLarge(error));
}
