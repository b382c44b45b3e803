// The errors for statuses outside 2xx.

import { isExamServiceError, type Verdict } from './base.ts';
import { ResponseError, type ResponseFacts } from './response-error.ts';

/** A response came with a status outside 2xx. See docs/service.md for what each status means. */
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

/** Whether `error` is an `ApiError` or one of its subclasses, also from another copy of this package. */
export function isApiError(error: unknown): error is ApiError {
  return isExamServiceError(error) && 'fieldErrors' in error && 'status' in error;
}

/** Whether the service responded with one of these statuses; a gateway's page shows nothing. */
export function hasStatus(error: unknown, ...statuses: readonly number[]): error is ApiError {
  return isApiError(error) && error.origin === 'service' && statuses.includes(error.status);
}

/** 400: the service rejected the request, for example because a limit is reached or the participant has already started. */
export class BadRequestError extends ApiError {
  /** @internal */
  static override readonly kind: string = 'bad_request';
  override readonly name = 'BadRequestError';
  override readonly code = 'bad_request';
}

/** 401: the API key is not valid or not active. */
export class AuthenticationError extends ApiError {
  /** @internal */
  static override readonly kind: string = 'authentication';
  override readonly name = 'AuthenticationError';
  override readonly code = 'authentication';
}

/** 403: the client is invalid or inactive, the key is wrong or expired, or the account lacks permission. */
export class PermissionDeniedError extends ApiError {
  /** @internal */
  static override readonly kind: string = 'permission_denied';
  override readonly name = 'PermissionDeniedError';
  override readonly code = 'permission_denied';
}

/** 404: the participant, the exam, the assignment or the webhook endpoint does not exist. */
export class NotFoundError extends ApiError {
  /** @internal */
  static override readonly kind: string = 'not_found';
  override readonly name = 'NotFoundError';
  override readonly code = 'not_found';
}

/** 422: the submitted data is not valid; `fieldErrors` says which fields. */
export class UnprocessableEntityError extends ApiError {
  /** @internal */
  static override readonly kind: string = 'unprocessable_entity';
  override readonly name = 'UnprocessableEntityError';
  override readonly code = 'unprocessable_entity';
}

/** 429: too many requests. */
export class RateLimitError extends ApiError {
  /** @internal */
  static override readonly kind: string = 'rate_limit';
  override readonly name = 'RateLimitError';
  override readonly code = 'rate_limit';
}

/** 500 to 599: the service failed; try again later. */
export class InternalServerError extends ApiError {
  /** @internal */
  static override readonly kind: string = 'internal_server';
  override readonly name = 'InternalServerError';
  override readonly code = 'internal_server';
}
