// The errors for statuses outside 2xx.

import { isExamServiceError, type Verdict } from './base.ts';
import { ResponseError, type ResponseFacts } from './response-error.ts';

/**
 * A response came with a status outside 2xx. See docs/service.md for what each status means.
 *
 * Only calls make errors. For a test, let the emulator of `exam-service-sdk/testing` fail the next call with any status:
 * `emulator.faults.inject({ effect: 'respond', status: 409 })`.
 */
export class ApiError extends ResponseError {
  /** @internal */
  static override readonly kind: string = 'api';
  override readonly name: string = 'ApiError';
  /** `api`, or the name of the status where the status has a class. */
  override readonly code: string = 'api';
  /**
   * Who sent the response: `service` if its body is a JSON object or array, otherwise a `gateway`, such as a proxy, an ingress or a
   * bot challenge in front of the service. A gateway's 4xx is a plain `ApiError`, unless it is a 429.
   */
  readonly origin: 'service' | 'gateway';
  /** The service's own message; `null` when it sent none. */
  readonly serviceMessage: string | null;
  /**
   * The service's messages about single fields, by field name with dotted indexes (`participants.0.email`); messages
   * without a field are under the empty name. Empty when the service names no fields.
   */
  readonly fieldErrors: Readonly<Record<string, readonly string[]>>;
  /**
   * How long to wait before the next request, in milliseconds, from `Retry-After` or, with a 429, the reset of the limit; `null` when
   * the response does not say.
   */
  readonly retryAfterMs: number | null;

  /** @internal Made by `createApiError`: a class alone stays small, and holds what it is given. */
  constructor(response: ResponseFacts, facts: ApiErrorFacts) {
    super(response, facts.reason, facts.verdict, { advice: facts.advice });
    this.origin = facts.origin;
    this.retryAfterMs = facts.retryAfterMs;
    this.serviceMessage = facts.serviceMessage;
    this.fieldErrors = facts.fieldErrors;
  }
}

/** What an `ApiError` holds besides its response. Nothing here contains a secret. */
interface ApiErrorFacts extends Pick<ApiError, 'origin' | 'serviceMessage' | 'fieldErrors' | 'retryAfterMs'> {
  readonly reason: string;
  readonly advice: string;
  readonly verdict: Verdict;
}

/** An `ApiError` or one of its subclasses. A `switch` over `code` completes and narrows; minor versions may add codes. */
export type AnyApiError =
  | (ApiError & { readonly code: 'api' })
  | AuthenticationError
  | BadRequestError
  | InternalServerError
  | NotFoundError
  | PermissionDeniedError
  | RateLimitError
  | UnprocessableEntityError;

/** Whether `error` is an `ApiError` or one of its subclasses, also from another copy of this package. */
export function isApiError(error: unknown): error is AnyApiError {
  return isExamServiceError(error) && 'fieldErrors' in error && 'status' in error;
}

/** Whether the service responded with one of these statuses; a gateway's page shows nothing. */
export function hasStatus<const Status extends number>(
  error: unknown,
  ...statuses: readonly Status[]
): error is AnyApiError & { readonly status: Status } {
  const all: readonly number[] = statuses;
  return isApiError(error) && error.origin === 'service' && all.includes(error.status);
}

/**
 * 400: the service rejected the request, for example because a limit is reached or the participant has already started.
 * The emulator's fault for a test: `{ effect: 'respond', status: 400 }`.
 */
export class BadRequestError extends ApiError {
  /** @internal */
  static override readonly kind: string = 'bad_request';
  override readonly name = 'BadRequestError';
  override readonly code = 'bad_request';
}

/**
 * 401: the API key is not valid or not active.
 * The emulator's fault for a test: `{ effect: 'respond', status: 401 }`.
 */
export class AuthenticationError extends ApiError {
  /** @internal */
  static override readonly kind: string = 'authentication';
  override readonly name = 'AuthenticationError';
  override readonly code = 'authentication';
}

/**
 * 403: the client is invalid or inactive, the key is wrong or expired, or the account lacks permission.
 * The emulator's fault for a test: `{ effect: 'respond', status: 403 }`.
 */
export class PermissionDeniedError extends ApiError {
  /** @internal */
  static override readonly kind: string = 'permission_denied';
  override readonly name = 'PermissionDeniedError';
  override readonly code = 'permission_denied';
}

/**
 * 404: the participant, the exam, the assignment or the webhook endpoint does not exist.
 * The emulator's fault for a test: `{ effect: 'respond', status: 404 }`.
 */
export class NotFoundError extends ApiError {
  /** @internal */
  static override readonly kind: string = 'not_found';
  override readonly name = 'NotFoundError';
  override readonly code = 'not_found';
}

/**
 * 422: the submitted data is not valid; `fieldErrors` says which fields.
 * The emulator's fault for a test: `{ effect: 'respond', status: 422 }`.
 */
export class UnprocessableEntityError extends ApiError {
  /** @internal */
  static override readonly kind: string = 'unprocessable_entity';
  override readonly name = 'UnprocessableEntityError';
  override readonly code = 'unprocessable_entity';
}

/**
 * 429: too many requests.
 * The emulator's fault for a test: `{ effect: 'respond', status: 429, headers: { 'retry-after': '7' } }`.
 */
export class RateLimitError extends ApiError {
  /** @internal */
  static override readonly kind: string = 'rate_limit';
  override readonly name = 'RateLimitError';
  override readonly code = 'rate_limit';
}

/**
 * 500 to 599: the service failed; try again later.
 * The emulator's fault for a test: `{ effect: 'respond', status: 503 }`.
 */
export class InternalServerError extends ApiError {
  /** @internal */
  static override readonly kind: string = 'internal_server';
  override readonly name = 'InternalServerError';
  override readonly code = 'internal_server';
}
