// The errors for statuses outside 2xx, and the choice among them.

import { listNames } from '../../util/suggest.ts';
import { LONGEST_MESSAGE, LONGEST_NAME, LONGEST_SENTENCE } from '../redact.ts';
import { readRetryAfter } from '../response/rate-limit.ts';
import { type ExamServiceError, isExamServiceError, type Outcome, type Verdict } from './base.ts';
import { TimeoutError, toVerdict } from './request-error.ts';
import { ResponseError, type ResponseFacts } from './response-error.ts';

type Origin = ApiError['origin'];

/** What an error response says, in whichever form its body has. */
export interface ErrorDetails {
  readonly origin: Origin;
  /** What a gateway sent, in words, if that is known; contains no secret. */
  readonly page: string;
  /** The service's message; `null` when it sent none. */
  readonly message: string | null;
  /** Messages by field, such as `participants.0.email`; those without a field are under `''`. */
  readonly fieldErrors: Readonly<Record<string, readonly string[]>>;
}

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
    super(response, facts.message, facts.verdict);
    this.origin = facts.origin;
    this.retryAfterMs = facts.retryAfterMs;
    this.serviceMessage = facts.serviceMessage;
    this.fieldErrors = facts.fieldErrors;
  }
}

/** What an `ApiError` holds besides its response. Nothing here contains a secret. */
interface ApiErrorFacts extends Pick<ApiError, 'origin' | 'serviceMessage' | 'fieldErrors' | 'retryAfterMs'> {
  readonly message: string;
  readonly verdict: Verdict;
}

function sentence(text: string): string {
  return `${text.slice(0, LONGEST_SENTENCE).replace(/[.\s]+$/, '')}.`;
}

/** The names of the fields, and what the service says of the first: each once, also if the message has `said` it. */
function describeFields(fields: readonly (readonly [string, readonly string[]])[], said: string): string {
  const named = fields.filter(([name]) => name !== '');
  const [first, ...others] = named;
  if (first === undefined) return '';
  const [field, [message = '']] = first;
  const detail = said.includes(sentence(message).slice(0, -1)) ? '' : sentence(message);
  if (others.length > 0)
    return `Fields: ${listNames(named.map(([name]) => name))}.${detail && ` The first: ${detail}`}`;
  if (message.includes(field)) return detail;
  return detail === '' ? `Fields: ${field}.` : `${field}: ${detail}`;
}

/** Who sent what. Frameworks may write their own 500 as a page. */
function describePage(status: number, page: string): string {
  if (status === 500) return `failed with 500: ${page}, from the service or something before it.`;
  return `failed with ${status}, probably not from the service but a proxy before it${page && `: ${page}`}.`;
}

/** Statuses of a service in trouble, or at a limit: another attempt may succeed. */
function isTransientStatus(status: number): boolean {
  return [408, 425, 429].includes(status) || (status >= 500 && status !== 501 && status !== 505);
}

/** A 4xx says that nothing was done, and so does a 503 of the service or with `Retry-After`; anything else leaves it open. */
function outcomeOf({ request, status }: ResponseFacts, origin: Origin, retryAfterMs: number | null): Outcome {
  if (!request.isSent) return 'not_sent';
  if (status === 503) return origin === 'service' || retryAfterMs !== null ? 'rejected' : 'unknown';
  return status >= 400 && status <= 499 && status !== 408 && status !== 425 ? 'rejected' : 'unknown';
}

/** Whether `error` is an `ApiError` or one of its subclasses, also from another copy of this package. */
export function isApiError(error: unknown): error is ApiError {
  return isExamServiceError(error) && 'fieldErrors' in error && 'status' in error;
}

/** Whether the service responded with one of these statuses; a gateway's page shows nothing. */
export function hasStatus(error: unknown, ...statuses: readonly number[]): error is ApiError {
  return isApiError(error) && error.origin === 'service' && statuses.includes(error.status);
}

/** Whether the request was too large, whoever says so: a smaller one may be taken. */
export function isTooLarge(error: unknown): boolean {
  return isApiError(error) && error.status === 413;
}

/** Whether no response came in time, whoever says so: a smaller request may be quicker, unless nothing is quick. */
export function isTooSlow(error: unknown): boolean {
  if (isApiError(error)) return error.status === 408 || error.status === 504;
  return error instanceof TimeoutError && error.outcome !== 'not_sent';
}

/**
 * Whether what failed may succeed when it is sent again immediately; then the client does that itself, where it is `retryable`. A
 * gateway's 404 is worth another try for a queue, later.
 */
export function isTransient(error: ExamServiceError): boolean {
  // A key function that failed is for the caller to call again.
  return isApiError(error) ? isTransientStatus(error.status) : error.code !== 'configuration';
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
  const { request, status, statusText } = response;
  const { redact } = request;
  const { origin, page } = details;
  const serviceMessage = details.message && redact(details.message, LONGEST_MESSAGE);
  // Two names may be the same when they are cut and redacted.
  const fields = new Map<string, string[]>();
  for (const [field, messages] of Object.entries(details.fieldErrors)) {
    const name = redact(field, LONGEST_NAME);
    const redacted = messages.map((message) => redact(message, LONGEST_MESSAGE));
    fields.set(name, (fields.get(name) ?? []).concat(redacted));
  }
  const retryAfterMs = readRetryAfter(status, response.headers);
  const explanation = serviceMessage ?? (redact(statusText) || 'no explanation was given');
  const problem =
    origin === 'service' ? `failed with ${status}: ${sentence(explanation)}` : describePage(status, page);
  const sentences = [
    problem,
    describeFields([...fields], problem),
    retryAfterMs ? `Retry after ${retryAfterMs / 1_000} s.` : '',
    advice,
  ];
  // A gateway's 404 does not say that there is no such exam.
  const hasOwnClass = origin === 'service' || isTransientStatus(status);
  const StatusClass = (hasOwnClass && byStatus[status]) || (status >= 500 ? InternalServerError : ApiError);
  const outcome = outcomeOf(response, origin, retryAfterMs);
  const mayBeRepeated = origin === 'gateway' || isTransientStatus(status);
  return new StatusClass(response, {
    message: sentences.filter(Boolean).join(' '),
    verdict: toVerdict(request, outcome, mayBeRepeated ? undefined : false),
    origin,
    serviceMessage,
    fieldErrors: Object.fromEntries(fields),
    retryAfterMs,
  });
}
