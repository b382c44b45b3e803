// The main entry of the package, `exam-service-sdk`: the client, its errors and its types.

// Errors. They come first, so that a bundle with two classes `TimeoutError` renames ky's and not ours.

export { ApiError, type ApiErrorCode, isApiError } from './core/errors/api-error.ts';
export { ExamServiceError, isExamServiceError, type Outcome, type Verdict } from './core/errors/base.ts';
export { ConfigurationError } from './core/errors/configuration-error.ts';
export { ConnectionError } from './core/errors/connection-error.ts';
export { RedirectError } from './core/errors/redirect-error.ts';
export { RequestValidationError } from './core/errors/request-validation-error.ts';
export { ResponseFormatError } from './core/errors/response-format-error.ts';
export { ResponseValidationError } from './core/errors/response-validation-error.ts';
export {
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  UnprocessableEntityError,
} from './core/errors/status-errors.ts';
export { TimeoutError, type TimeoutScope } from './core/errors/timeout-error.ts';

// The client, and what it is told

export { ExamClient } from './client.ts';
export type { ApiKey, AuthScheme } from './core/attempt/auth.ts';
export type { Fetch, FetchInit, FetchOptions, FetchResponse } from './core/attempt/fetch.ts';
export type {
  CallEvent,
  Hooks,
  OnDeprecationEvent,
  OnEndEvent,
  OnRequestEvent,
  OnResponseEvent,
  OnRetryEvent,
  OnSchemaDriftEvent,
  OnStartEvent,
  RequestEvent,
} from './core/hooks.ts';
export type { Logger, LogLevel } from './core/observer.ts';
export type {
  ClientOptions,
  HeadersInput,
  ListOptions,
  RequestOptions,
  ValidationMode,
} from './core/options.ts';
export type { CustomRequest } from './core/request/custom-request.ts';
export type { HttpMethod } from './core/request/http-method.ts';

// What calls give

export type { Acknowledgement } from './core/answer/find.ts';
export type { RateLimit, ResponseMeta } from './core/answer/meta.ts';
export type { ApiPromise, WithResponse } from './core/api-promise.ts';
export type { Page } from './core/pages/page.ts';
export type { PagePromise } from './core/pages/page-promise.ts';
export type { KnownSchemas, RecordSchemas } from './core/record-schemas.ts';
export type { Exam, ExamResult, Participant } from './resources/records.ts';
export type {
  Issue,
  SchemaIssue,
  SchemaOutput,
  SchemaResult,
  StandardSchema,
} from './util/standard-schema.ts';

// Endpoint groups

export type {
  AssignAllOptions,
  AssignmentFailure,
  AssignmentOutcome,
  AssignmentSuccess,
} from './resources/assign-all.ts';
export type { Assignment, EnsuredAssignment, EnsureOptions } from './resources/assignment-types.ts';
export type { ExamLink, ExamParticipants } from './resources/exam-participants.ts';
export type { ExamResultListQuery, ExamResults } from './resources/exam-results.ts';
export type { ExamListQuery, Exams } from './resources/exams.ts';
export { ImportStoppedError } from './resources/import/import-stopped-error.ts';
export type { ImportAllOptions, ImportedBatch } from './resources/import/options.ts';
export type { ParticipantImport, RowMapper } from './resources/import/row.ts';
export type { ImportProgress, ImportSummary, RejectedRow } from './resources/import/summary.ts';
export type {
  ParticipantListQuery,
  Participants,
  ParticipantUpdate,
} from './resources/participants.ts';
export { schemas } from './resources/schemas.ts';
export { WebhookSecretLostError } from './resources/webhook-secret-lost-error.ts';
export type * from './resources/webhook-types.ts';
export type { Webhooks } from './resources/webhooks.ts';
export type { WebhookEventName } from './schemas/webhook-event.ts';
