// What an error is evidence of: the rows or pairs that were sent, their number, or the service as a whole. All bulk jobs judge by
// these functions, so that no two of them read one answer differently.

import { isApiError } from '../core/errors/api-error.ts';
import { type ExamServiceError, isExamServiceError } from '../core/errors/base.ts';
import { TimeoutError } from '../core/errors/request-error.ts';

/** Statuses with which the service refuses what was sent: documented, or what a framework says in their place (409). */
const refusals: readonly number[] = [400, 404, 409, 422];

/** Statuses that say that nothing is taken at present, whatever it is. */
const closed: readonly number[] = [429, 503];

/** Whether the service looked at what was sent and said no, also with a successful status. */
export function isRefusal(error: ExamServiceError): boolean {
  if (isApiError(error)) return refusals.includes(error.status);
  return error.code === 'response_format' && error.outcome !== 'done' && !error.retryable;
}

/** Whether the request was too large: fewer rows may be taken. */
export function isTooLarge(error: unknown): error is ExamServiceError {
  return isApiError(error) && error.status === 413;
}

/** Whether the answer did not come in time: fewer rows may be quicker, unless nothing is quick. */
export function isTooSlow(error: unknown): error is ExamServiceError {
  if (isApiError(error)) return error.status === 408 || error.status === 504;
  return error instanceof TimeoutError && error.outcome !== 'not_sent';
}

/**
 * Whether the service, or something before it, failed on a request: because of what was sent, or because it is down. Only another
 * request can tell.
 */
export function isCrash(error: ExamServiceError): boolean {
  if (isApiError(error) && closed.includes(error.status)) return false;
  return error.retryable && (error.outcome === 'unknown' || error.outcome === 'done');
}

/** Whether nothing was sent. */
export function isUnsent(error: unknown): boolean {
  return isExamServiceError(error) && error.outcome === 'not_sent';
}
