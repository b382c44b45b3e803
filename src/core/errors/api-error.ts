// The errors for statuses outside 2xx, and the choice among them.

import { readRetryAfter } from '../response/rate-limit.ts';
import { LONGEST_MESSAGE } from '../secrets.ts';
import { isExamServiceError, type Outcome, type Verdict } from './base.ts';
import { conclude, TimeoutError } from './request-error.ts';
import { ResponseError, type ResponseFacts } from './response-error.ts';

/** What an error response says, in whichever form its body has. */
export interface ErrorDetails {
  /** The service's message; `null` when it sent none. */
  readonly message: string | null;
  /** Messages by field, such as `participants.0.email`; those without a field are under `''`. */
  readonly fieldErrors: Readonly<Record<string, readonly string[]>>;
}

/** The `code` of an error: `api`, or the name of the status if it has a class of its own. */
export type ApiErrorCode =
  | 'api'
  | 'bad_request'
  | 'authentication'
  | 'permission_denied'
  | 'not_found'
  | 'unprocessable_entity'
  | 'rate_limit'
  | 'internal_server';

/** The service answered with a status outside 2xx. See docs/service.md for what each status means. */
export class ApiError extends ResponseError {
  /** @internal */
  static override readonly kind: string = 'api';
  override readonly name: string = 'ApiError';
  override readonly code: ApiErrorCode = 'api';
  /** The service's own message; `null` when it sent none. */
  readonly serviceMessage: string | null;
  /**
   * The service's messages about single fields, by field name with dotted indexes (`participants.0.email`); messages
   * without a field are under the empty name. Empty when the service names no fields.
   */
  readonly fieldErrors: Readonly<Record<string, readonly string[]>>;
  /**
   * How long to wait before the next request, in milliseconds, from `Retry-After`; `null` when the service does not
   * say.
   */
  readonly retryAfterMs: number | null;

  /** @internal Made by `createApiError`: a class alone stays small, and holds what it is given. */
  constructor(response: ResponseFacts, told: ApiErrorFacts) {
    super(response, told.message, told.verdict);
    this.retryAfterMs = told.retryAfterMs;
    this.serviceMessage = told.serviceMessage;
    this.fieldErrors = told.fieldErrors;
  }
}

/** What an `ApiError` holds besides its response. Nothing here contains a secret. */
interface ApiErrorFacts extends Pick<ApiError, 'serviceMessage' | 'fieldErrors' | 'retryAfterMs'> {
  readonly message: string;
  readonly verdict: Verdict;
}

/** Longest part of the service's message that is quoted in an error, in characters. */
const LONGEST_SENTENCE = 500;

function sentence(text: string): string {
  return `${text.slice(0, LONGEST_SENTENCE).replace(/[.\s]+$/, '')}.`;
}

/** The names of the fields, and what the service says of the first. */
function describeFields(fields: readonly (readonly [string, readonly string[]])[]): string {
  const named = fields.filter(([name]) => name !== '');
  const [first] = named;
  if (first === undefined) return '';
  const [field, [said = '']] = first;
  const names = named.slice(0, 3).map(([name]) => name);
  const more = named.length > 3 ? ` and ${named.length - 3} more` : '';
  return `Fields: ${names.join(', ')}${more}.${said === '' ? '' : ` ${field}: ${sentence(said)}`}`;
}

/** A service or a proxy in trouble, or a limit: another attempt may succeed. 52x and 530 are those of Cloudflare. */
function isPassing(status: number): boolean {
  return (
    [408, 425, 429, 500, 502, 503, 504, 507, 509, 529, 530].includes(status) ||
    (status >= 520 && status <= 527)
  );
}

/** Neither a rate-limited nor an unavailable service carries out the request; any other in trouble may have. */
function outcomeOf({ request, status }: ResponseFacts): Outcome {
  if (!request.isSent) return 'not_sent';
  const isRefusal = status >= 400 && status <= 499 && status !== 408 && status !== 425;
  return isRefusal || status === 503 ? 'rejected' : 'unknown';
}

/** HTTP/2 and later have no reason phrases, so these are the usual ones (RFC 9110, section 15). */
const reasonPhrases: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Content Too Large',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

function reasonOf({ status, statusText }: ResponseFacts): string {
  return statusText || (reasonPhrases[status] ?? 'no explanation was given');
}

/** Whether `error` is an `ApiError` or one of its subclasses, also from another copy of this package. */
export function isApiError(error: unknown): error is ApiError {
  return isExamServiceError(error) && 'fieldErrors' in error && 'status' in error;
}

/** Whether the service answered with one of these statuses. */
export function hasStatus(error: unknown, ...statuses: readonly number[]): error is ApiError {
  return isApiError(error) && statuses.includes(error.status);
}

/** Whether the request was too large: a smaller one may be taken. */
export function isTooLarge(error: unknown): boolean {
  return hasStatus(error, 413);
}

/** Whether the answer did not come in time: a smaller request may be quicker, unless nothing is quick. */
export function isTooSlow(error: unknown): boolean {
  return hasStatus(error, 408, 504) || (error instanceof TimeoutError && error.outcome !== 'not_sent');
}

/** 400: the service refused the request, for example because a limit is reached or the participant has already started. */
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

const byStatus: Readonly<Record<number, typeof ApiError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  422: UnprocessableEntityError,
  429: RateLimitError,
};

/** The error for a status outside 2xx: the subclass for the status if there is one, otherwise `ApiError`. */
export function createApiError(response: ResponseFacts, details: ErrorDetails, advice = ''): ApiError {
  const { request, status } = response;
  const { redact } = request;
  const serviceMessage = details.message && redact.text(details.message, LONGEST_MESSAGE);
  // Two names may be the same when they are cut and redacted.
  const fields = new Map<string, string[]>();
  for (const [field, messages] of Object.entries(details.fieldErrors)) {
    const name = redact.name(field);
    const told = messages.map((message) => redact.text(message, LONGEST_MESSAGE));
    fields.set(name, (fields.get(name) ?? []).concat(told));
  }
  const retryAfterMs = readRetryAfter(status, response.headers);
  const sentences = [
    `was answered with ${status}: ${sentence(serviceMessage ?? redact.text(reasonOf(response)))}`,
    describeFields([...fields]),
    advice,
    retryAfterMs !== null && `The service asks you to wait ${retryAfterMs} ms.`,
  ];
  const StatusClass = byStatus[status] ?? (status >= 500 ? InternalServerError : ApiError);
  return new StatusClass(response, {
    message: sentences.filter(Boolean).join(' '),
    verdict: conclude(request, outcomeOf(response), isPassing(status) ? undefined : false),
    serviceMessage,
    fieldErrors: Object.fromEntries(fields),
    retryAfterMs,
  });
}
