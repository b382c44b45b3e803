import { expectTypeOf } from 'vitest';
import * as main from '../../src/index.ts';
import type * as proxy from '../../src/proxy/index.ts';
import type * as webhooks from '../../src/webhooks/index.ts';

/** The errors that an entry exports as classes. */
type ErrorsOf<Entry> = {
  [Name in keyof Entry]: Entry[Name] extends (abstract new (
    ...given: never[]
  ) => infer T extends main.ExamServiceError)
    ? T
    : never;
}[keyof Entry];
type Exported = ErrorsOf<typeof main> | ErrorsOf<typeof webhooks> | ErrorsOf<typeof proxy>;
/** Those that are thrown themselves; base classes have a code that is any text. */
type Thrown<T> = T extends { readonly code: infer Code } ? (string extends Code ? never : T) : never;

expectTypeOf<Thrown<Exported>>().toEqualTypeOf<
  Exclude<main.AnyExamServiceError, main.ApiError & { code: 'api' }>
>();

// A code leads to one class and its fields
export function narrows(error: unknown) {
  if (!main.isExamServiceError(error)) return;
  expectTypeOf(error).toEqualTypeOf<main.AnyExamServiceError>();
  switch (error.code) {
    case 'api':
    case 'bad_request':
    case 'authentication':
    case 'permission_denied':
    case 'unprocessable_entity':
    case 'internal_server':
      return error.fieldErrors;
    case 'not_found':
      return expectTypeOf(error).toEqualTypeOf<main.NotFoundError>();
    case 'rate_limit':
      return expectTypeOf(error.retryAfterMs).toEqualTypeOf<number | null>();
    case 'request_validation':
      return expectTypeOf(error).toEqualTypeOf<main.RequestValidationError>();
    case 'response_validation':
      return expectTypeOf(error).toEqualTypeOf<main.ResponseValidationError>();
    case 'configuration':
      return expectTypeOf(error).toEqualTypeOf<main.ConfigurationError>();
    case 'connection':
      return error.attempts;
    case 'timeout':
      return expectTypeOf(error.scope).toEqualTypeOf<main.TimeoutScope>();
    case 'redirect':
      return expectTypeOf(error.location).toEqualTypeOf<string | null>();
    case 'response_format':
      return error.requestId;
    case 'ambiguous_emails':
      return expectTypeOf(error.emails).toEqualTypeOf<readonly string[]>();
    case 'import_stopped':
      return expectTypeOf(error.summary).toEqualTypeOf<main.ImportSummary>();
    case 'assignments_stopped':
      return expectTypeOf(error.summary).toEqualTypeOf<main.AssignmentsSummary>();
    case 'webhook_secret_lost':
      return error.endpointId;
    case 'event_busy':
      return expectTypeOf(error).toEqualTypeOf<webhooks.EventBusyError>();
    case 'deduplication_store':
      return expectTypeOf(error).toEqualTypeOf<webhooks.DeduplicationStoreError>();
    case 'webhook_verification':
      expectTypeOf(error.reason).toEqualTypeOf<webhooks.WebhookRejectionReason>();
      return expectTypeOf(error).toEqualTypeOf<webhooks.WebhookVerificationError>();
    case 'proxy':
      expectTypeOf(error.reason).toEqualTypeOf<proxy.ProxyErrorReason>();
      return expectTypeOf(error).toEqualTypeOf<proxy.ProxyError>();
    default:
      return expectTypeOf(error).toEqualTypeOf<never>();
  }
}

export function misspells(error: unknown) {
  if (!main.isExamServiceError(error)) return;
  // @ts-expect-error no such code
  if (error.code === 'not_fond') return;
  // What every error has, and what errors with a response have
  expectTypeOf(error.outcome).toEqualTypeOf<main.Outcome>();
  if (main.isApiError(error)) expectTypeOf(error.serviceMessage).toEqualTypeOf<string | null>();
  if (error instanceof main.RequestError) expectTypeOf(error.attempts).toEqualTypeOf<number>();
  if (error instanceof main.ResponseError) expectTypeOf(error.requestId).toEqualTypeOf<string | null>();
}

// Every class of a status is in the union that `isApiError` gives, and every error of a request in that of a call.
expectTypeOf<Thrown<Extract<Exported, main.ApiError>>>().toEqualTypeOf<
  Exclude<main.AnyApiError, main.ApiError & { code: 'api' }>
>();
expectTypeOf<Thrown<Extract<Exported, main.RequestError>>>().toExtend<main.AnyCallError>();

// Alone an `ApiError` has a code that is any text, as its subclasses have their own.
expectTypeOf<main.ApiError['code']>().toEqualTypeOf<string>();
