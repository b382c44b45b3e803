import { safeMessage, safeName } from '../redact/safe.ts';
import { isExamServiceError, type Verdict } from './base.ts';
import { type RequestContext, verdict } from './request-error.ts';
import { type ResponseContext, ResponseError } from './response-error.ts';
import { parseRetryAfter } from './retry-after.ts';

/** What an error response says, read from whichever form its body has. */
export interface ErrorDetails {
  /** The service's own sentence; `null` when it gave none. */
  readonly message: string | null;
  /** Messages by field, as `participants.0.email`; those that name no field stand under `''`. */
  readonly fieldErrors: Readonly<Record<string, readonly string[]>>;
}

/** What stands in an error's `code`: `api`, or the name of the status where it has a class of its own. */
export type ApiErrorCode =
  | 'api'
  | 'bad_request'
  | 'authentication'
  | 'permission_denied'
  | 'not_found'
  | 'unprocessable_entity'
  | 'rate_limit'
  | 'internal_server';

/** The service answered with a status outside 2xx. Conditions per status: interface document, Errors. */
export class ApiError extends ResponseError {
  override readonly name: string = 'ApiError';
  override readonly code: ApiErrorCode = 'api';
  /** The service's own sentence about the error; `null` when it gave none. */
  readonly serviceMessage: string | null;
  /**
   * What the service says of single fields, by field name with dotted indexes (`participants.0.email`);
   * messages that name no field stand under the empty name. Empty when the service says nothing of fields.
   */
  readonly fieldErrors: Readonly<Record<string, readonly string[]>>;

  /** How long the service asks to wait before the next request, in milliseconds; `null` when it does not say. */
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
      retryAfter !== null && `The service asks to wait ${retryAfter} ms.`,
    ];
    super(context, sentences.filter(Boolean).join(' '), verdictOf(call, response.status));
    this.retryAfter = retryAfter;
    this.serviceMessage = serviceMessage;
    this.fieldErrors = Object.fromEntries(fields);
  }
}

/** What of the service's words stands in the message of the error, in characters. */
const LONGEST_SENTENCE = 500;

function describeFields(names: readonly string[]): string {
  if (names.length === 0) return '';
  const more = names.length > 3 ? ` and ${names.length - 3} more` : '';
  return `Fields: ${names.slice(0, 3).join(', ')}${more}.`;
}

/** Failures that pass; the service may have carried the request out all the same. */
const passingStatuses = new Set([408, 500, 502, 504]);

function verdictOf(call: RequestContext, status: number): Verdict {
  if (passingStatuses.has(status)) return verdict(call, 'unknown');
  const isRefusal = status === 503 || (status >= 400 && status <= 499);
  const outcome = isRefusal && !call.mayBeDone ? 'refused' : 'unknown';
  // Neither too many requests nor an unavailable service is carried out.
  return { outcome, retryable: status === 429 || status === 503 };
}

/** HTTP/2 and later carry no reason phrase, so the usual ones stand here (RFC 9110, section 15). */
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

/** Whether `error` is an `ApiError` or one of its subclasses, also one from another copy of this package. */
export function isApiError(error: unknown): error is ApiError {
  return isExamServiceError(error) && 'fieldErrors' in error && 'status' in error;
}
