// The errors that a call can end with, as one union.

import type { AnyApiError } from './api-error.ts';
import { ConfigurationError } from './base.ts';
import {
  type ConnectionError,
  RequestError,
  RequestValidationError,
  type TimeoutError,
} from './request-error.ts';
import type { RedirectError, ResponseFormatError, ResponseValidationError } from './response-error.ts';

/** The errors that a call can end with. A `switch` over `code` completes and narrows; minor versions may add codes. */
export type AnyCallError =
  | AnyApiError
  | ConfigurationError
  | ConnectionError
  | RedirectError
  | RequestValidationError
  | ResponseFormatError
  | ResponseValidationError
  | TimeoutError;

/** Whether `error` says how a call went. The reason of an abort does not: even an SDK error there comes from another call. */
export function isVerdict(error: unknown, signal: AbortSignal | undefined): error is AnyCallError {
  const classes = [RequestError, RequestValidationError, ConfigurationError];
  return error !== signal?.reason && classes.some((each) => error instanceof each);
}
