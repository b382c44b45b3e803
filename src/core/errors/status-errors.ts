// The error classes for single statuses, and the choice among them.

import { ApiError, type ErrorDetails } from './api-error.ts';
import type { ResponseContext } from './response-error.ts';

/** 400: the service refused the request, for example because a limit is reached or the participant has already started. */
export class BadRequestError extends ApiError {
  override readonly name = 'BadRequestError';
  override readonly code = 'bad_request';
}

/** 401: the API key is not valid or not active. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
  override readonly code = 'authentication';
}

/** 403: the client is invalid or inactive, the key is wrong or expired, or the account lacks permission. */
export class PermissionDeniedError extends ApiError {
  override readonly name = 'PermissionDeniedError';
  override readonly code = 'permission_denied';
}

/** 404: the participant, the exam, the assignment or the webhook endpoint does not exist. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
  override readonly code = 'not_found';
}

/** 422: the submitted data is not valid; `fieldErrors` says which fields. */
export class UnprocessableEntityError extends ApiError {
  override readonly name = 'UnprocessableEntityError';
  override readonly code = 'unprocessable_entity';
}

/** 429: too many requests. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
  override readonly code = 'rate_limit';
}

/** 5xx: the service failed; try again later. */
export class InternalServerError extends ApiError {
  override readonly name = 'InternalServerError';
  override readonly code = 'internal_server';
}

type StatusError = new (context: ResponseContext, details: ErrorDetails, advice?: string) => ApiError;

const byStatus: Readonly<Record<number, readonly [StatusError, advice?: string]>> = {
  400: [BadRequestError],
  401: [AuthenticationError, 'Check the API key.'],
  403: [PermissionDeniedError, 'The key may be wrong or expired, or the account lacks permission.'],
  404: [NotFoundError],
  422: [UnprocessableEntityError],
  429: [RateLimitError],
};

/** The error for a response outside 2xx: the subclass for the status if there is one, otherwise `ApiError`. */
export function createApiError(context: ResponseContext, details: ErrorDetails): ApiError {
  const { status } = context.response;
  const [StatusClass, advice] = byStatus[status] ?? [status >= 500 ? InternalServerError : ApiError];
  return new StatusClass(context, details, advice);
}
