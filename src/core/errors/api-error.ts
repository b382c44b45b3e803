// The error for any status outside 2xx.

import { safeMessage, safeName } from '../redact/safe.ts';
import { isExamServiceError, type Verdict } from './base.ts';
import { type RequestContext, verdict } from './request-error.ts';
import { type ResponseContext, ResponseError } from './response-error.ts';
import { parseRetryAfter } from './retry-after.ts';

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
  readonly retryAfter: number | null;

  constructor(context: ResponseContext, details: ErrorDetails, advice = '') {
    const { call, response } = context;
    const { redact } = call;
    const serviceMessage = details.message && safeMessage(details.message, redact);
    const said = (serviceMessage ?? redact.text(reasonOf(response)))
      .slice(0, LONGEST_SENTENCE)
      .replace(/[.\s]+$/, '');
    const fields = Object.entries(details.fieldErrors).map(([field, messages]) => [
      safeName(field, redact),
      messages.map((message) => safeMessage(message, redact)),
    ]);
    const retryAfter = parseRetryAfter(response.headers);
    const sentences = [
      `was answered with ${response.status}: ${said}.`,
      describeFields(fields.map(([field]) => String(field)).filter(Boolean)),
      advice,
      retryAfter !== null && `The service asks you to wait ${retryAfter} ms.`,
    ];
    super(context, sentences.filter(Boolean).join(' '), verdictOf(call, response.status));
    this.retryAfter = retryAfter;
    this.serviceMessage = serviceMessage;
    this.fieldErrors = Object.fromEntries(fields);
  }
}

/** Longest part of the service's message that is quoted in an error, in characters. */
const LONGEST_SENTENCE = 500;

function describeFields(names: readonly string[]): string {
  if (names.length === 0) return '';
  const more = names.length > 3 ? ` and ${names.length - 3} more` : '';
  return `Fields: ${names.slice(0, 3).join(', ')}${more}.`;
}

/** Temporary failures; the service may have carried out the request all the same. */
const passingStatuses = new Set([408, 500, 502, 504]);

function verdictOf(call: RequestContext, status: number): Verdict {
  if (passingStatuses.has(status)) return verdict(call, 'unknown');
  const isRefusal = status === 503 || (status >= 400 && status <= 499);
  const outcome = isRefusal && !call.mayBeDone ? 'refused' : 'unknown';
  // Neither a rate-limited nor an unavailable service carries out the request.
  return { outcome, retryable: status === 429 || status === 503 };
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

function reasonOf({ status, statusText }: ResponseContext['response']): string {
  return statusText || (reasonPhrases[status] ?? 'no explanation was given');
}

/** Whether `error` is an `ApiError` or one of its subclasses, also from another copy of this package. */
export function isApiError(error: unknown): error is ApiError {
  return isExamServiceError(error) && 'fieldErrors' in error && 'status' in error;
}
