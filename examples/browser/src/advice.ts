// Turns an error of the client into words for the person who uses the page.

import {
  AuthenticationError,
  ConnectionError,
  InternalServerError,
  isApiError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  RedirectError,
  RequestValidationError,
  ResponseFormatError,
  ResponseValidationError,
  TimeoutError,
} from 'exam-service-sdk';

/** What went wrong, and what the reader can do. */
export interface Advice {
  readonly title: string;
  readonly hint: string;
}

/** Puts an error into words for people. */
export function advise(error: unknown): Advice {
  if (error instanceof ConnectionError)
    return { title: 'No connection', hint: 'Check your network, then try again.' };
  if (error instanceof TimeoutError)
    return { title: 'The service takes too long', hint: 'It may be busy. Try again in a moment.' };
  if (error instanceof AuthenticationError || error instanceof PermissionDeniedError)
    return { title: 'You may not see this', hint: 'Sign in again.' };
  if (error instanceof RateLimitError)
    return { title: 'Too many requests', hint: `Try again ${waitOf(error.retryAfterMs)}.` };
  if (error instanceof NotFoundError)
    return { title: 'Not found', hint: 'It may have been removed. Clear the filters.' };
  if (error instanceof InternalServerError)
    return {
      title: 'The service has a problem',
      hint: `It is not your fault. Try again later. If that does not help, report this: ${error.serviceMessage}`,
    };
  if (error instanceof RequestValidationError)
    return { title: 'This filter cannot work', hint: error.message };
  if (
    error instanceof ResponseFormatError ||
    error instanceof ResponseValidationError ||
    error instanceof RedirectError
  )
    return {
      title: 'This page cannot read the response',
      hint: 'Ask the operator of this page to check EXAM_SERVICE_BASE_URL of the proxy.',
    };
  if (isApiError(error))
    return {
      title: `The service responded with ${error.status}`,
      hint: error.serviceMessage ?? 'Try again later.',
    };
  return { title: 'This page made a mistake', hint: 'Reload it. If that does not help, report it.' };
}

function waitOf(milliseconds: number | null): string {
  if (milliseconds === null) return 'in a moment';
  const seconds = Math.ceil(milliseconds / 1000);
  return seconds === 1 ? 'in a second' : `in ${seconds} seconds`;
}
