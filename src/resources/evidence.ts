// What an error is evidence of: the rows or pairs that were sent, their number, or the service as a whole. All bulk jobs judge by
// these functions, so that no two of them read one answer differently.

import { hasStatus, isApiError, isTransient } from '../core/errors/api-error.ts';
import { type ExamServiceError, isVerdict, type Verdict } from '../core/errors/base.ts';

/**
 * What came of a request.
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

/** Whether a request failed. One that took effect (`done`) did not, whatever became of its answer. */
export function hasFailed(error: ExamServiceError | null): error is ExamServiceError {
  return error !== null && error.outcome !== 'done';
}

/** Whether a failed request may have taken effect. */
export function mayHaveHappened({ outcome }: Verdict): boolean {
  return outcome === 'unknown' || outcome === 'done';
}

/** Whether the service looked at what was sent and said no (409: what a framework says for 422), also with a successful status. */
export function isRefusal(error: ExamServiceError): boolean {
  if (isApiError(error)) return hasStatus(error, 400, 404, 409, 422);
  return error.code === 'response_format' && error.outcome !== 'done' && !error.retryable;
}

/** The same without a 404, which says that there is no such thing, or no such address. */
export function isRefusalOfKnown(error: ExamServiceError): boolean {
  return isRefusal(error) && !hasStatus(error, 404);
}

/**
 * Whether the service, or something before it, failed on a request: because of what was sent, or because it is down. Only another
 * request can tell. With a 429 or a 503 nothing is taken at present.
 */
export function isCrash(error: ExamServiceError): boolean {
  if (error.code === 'rate_limit' || hasStatus(error, 503)) return false;
  return error.retryable && isTransient(error) && mayHaveHappened(error);
}
