// Makes the error for a status outside 2xx: its class, its message, and what became of the request.

import { listNames } from '../../util/suggest.ts';
import {
  type AnyApiError,
  ApiError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  UnprocessableEntityError,
} from '../errors/api-error.ts';
import type { Outcome } from '../errors/base.ts';
import { toVerdict } from '../errors/request-error.ts';
import type { ResponseFacts } from '../errors/response-error.ts';
import { readRetryAfter } from '../limit-headers.ts';
import { LONGEST_MESSAGE, LONGEST_NAME, LONGEST_SENTENCE } from '../redact.ts';
import { isTransientStatus } from '../retry.ts';
import type { ErrorDetails } from './error-body.ts';

function sentence(text: string): string {
  return `${text.slice(0, LONGEST_SENTENCE).replace(/[.\s]+$/, '')}.`;
}

type Origin = ApiError['origin'];

/** The names of the fields, and what the service says of the first: each once, also if the message has `said` it. */
function describeFields(fields: readonly (readonly [string, readonly string[]])[], said: string): string {
  const named = fields.filter(([name]) => name !== '');
  const [[field, [message = '']] = ['', []]] = named;
  if (field === '') return '';
  const detail = said.includes(sentence(message).slice(0, -1)) ? '' : sentence(message);
  if (named.length === 1 && message.includes(field)) return detail;
  return `Fields: ${listNames(named.map(([name]) => name))}. ${detail}`.trimEnd();
}

/** A 4xx says that nothing was done, and so does a 503 of the service or with `Retry-After`; anything else leaves it open. */
function outcomeOf({ request, status }: ResponseFacts, origin: Origin, retryAfterMs: number | null): Outcome {
  if (!request.isSent) return 'not_sent';
  if (status === 503) return origin === 'service' || retryAfterMs !== null ? 'rejected' : 'unknown';
  return status >= 400 && status <= 499 && status !== 408 && status !== 425 ? 'rejected' : 'unknown';
}

/** That every class is in the union, the compiler checks here. */
type StatusClass = new (...facts: ConstructorParameters<typeof ApiError>) => AnyApiError;

const byStatus: Readonly<Record<number, StatusClass>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  422: UnprocessableEntityError,
  429: RateLimitError,
};

/** The error for a status outside 2xx: the subclass for the status if there is one, otherwise `ApiError`. */
export function createApiError(response: ResponseFacts, details: ErrorDetails, advice = ''): AnyApiError {
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
  // Frameworks write their own 500 and 503 as a page.
  const sender = [500, 503].includes(status)
    ? 'from the service or something'
    : 'probably not from the service but a proxy';
  const said = origin === 'service' ? sentence(explanation) : `${page}, ${sender} before it.`;
  const problem = `failed with ${status}: ${said}`;
  const wait = retryAfterMs ? `Retry after ${retryAfterMs / 1_000} s.` : '';
  const sentences = [problem, describeFields([...fields], problem), wait];
  // A gateway's 404 does not say that there is no such exam.
  const hasOwnClass = origin === 'service' || isTransientStatus(status);
  const other = status >= 500 ? InternalServerError : (ApiError as StatusClass);
  const ErrorClass = (hasOwnClass && byStatus[status]) || other;
  const outcome = outcomeOf(response, origin, retryAfterMs);
  const mayBeRepeated = origin === 'gateway' || isTransientStatus(status);
  return new ErrorClass(response, {
    reason: sentences.filter(Boolean).join(' '),
    advice,
    verdict: toVerdict(request, outcome, mayBeRepeated ? undefined : false),
    origin,
    serviceMessage,
    fieldErrors: Object.fromEntries(fields),
    retryAfterMs,
  });
}
