/**
 * The client, its errors and its types.
 * @module
 */

import { isExamServiceError as isOurError } from './core/errors/base.ts';
import type { AnyCallError } from './core/errors/call-error.ts';
import type {
  AmbiguousEmailsError,
  AssignmentsStoppedError,
  ImportStoppedError,
  WebhookSecretLostError,
} from './jobs/errors.ts';
import type { ProxyError } from './proxy/errors.ts';
import type { DeduplicationStoreError } from './webhooks/deduplicate/deduplication-options.ts';
import type { EventBusyError } from './webhooks/deduplicate/handle-once.ts';
import type { WebhookVerificationError } from './webhooks/verify/verification-error.ts';

// Errors. They come first, so that a bundle with two classes `TimeoutError` renames ky's and not ours.

export type { AnyCallError } from './core/errors/call-error.ts';
export * from './errors.ts';

/**
 * Every error of the package. A `switch` over its `code` completes the codes and narrows to the fields of their class. Minor
 * versions may add codes.
 */
export type AnyExamServiceError =
  | AmbiguousEmailsError
  | AnyCallError
  | AssignmentsStoppedError
  | DeduplicationStoreError
  | EventBusyError
  | ImportStoppedError
  | ProxyError
  | WebhookSecretLostError
  | WebhookVerificationError;

/** Whether `value` is an error of this package, also from another copy of it or another realm. */
export const isExamServiceError = isOurError as (value: unknown) => value is AnyExamServiceError;

// The client, its hooks and its options

export { ExamClient } from './client.ts';
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
export type { Logger, LogLevel } from './core/log.ts';
export type { AuthScheme, HttpMethod, OperationName } from './core/operation.ts';
export type {
  ApiKey,
  CallDefaults,
  ClientOptions,
  Fetch,
  FetchInit,
  FetchOptions,
  FetchResponse,
  HeadersInput,
  JobOptions,
  ListOptions,
  RequestOptions,
  ValidationMode,
} from './core/options/client-options.ts';
export type { CustomRequest } from './resources/custom-request.ts';

// What calls give

export type { ApiPromise, WithResponse } from './core/api-promise.ts';
export type { RateLimit } from './core/limit-headers.ts';
export type { Acknowledgement } from './core/operation.ts';
export type { CollectOptions, Page, PageData, PagePromise } from './core/pages/page.ts';
export type { Exam, ExamResult, Participant, RecordSchemas } from './core/records.ts';
export type { ResponseMeta } from './core/response/meta.ts';
export type {
  Issue,
  SchemaIssue,
  SchemaResult,
  StandardSchema,
} from './util/standard-schema.ts';

// Endpoint groups

export type { AssignAllOptions, MappedAssignment } from './jobs/assignment/assign-all-options.ts';
export type {
  EnsuredAssignment,
  EnsureOptions,
  LinkedAssignment,
} from './jobs/assignment/assignment.ts';
export type {
  Assignment,
  AssignmentFailure,
  AssignmentPlace,
  AssignmentResult,
  AssignmentSuccess,
  AssignmentsSummary,
} from './jobs/assignments-summary.ts';
export type {
  ImportAllOptions,
  ImportedBatch,
  MappedParticipant,
  ParticipantImport,
} from './jobs/import/import-all-options.ts';
export type {
  ImportProgress,
  ImportSummary,
  RejectedRow,
  Rejection,
} from './jobs/import-summary.ts';
export type { EnsuredWebhook } from './jobs/webhook-ensure.ts';
export type { ExamLink, ExamParticipants } from './resources/exam-participants.ts';
export type { ExamResultListQuery, ExamResults } from './resources/exam-results.ts';
export type { ExamListQuery, Exams } from './resources/exams.ts';
export type { FoundParticipants } from './resources/find-by-email.ts';
export type {
  NameUpdate,
  ParticipantListQuery,
  Participants,
  ParticipantUpdate,
  PasswordUpdate,
} from './resources/participants.ts';
export { responseSchemas } from './resources/schemas.ts';
export type { Webhooks } from './resources/webhooks.ts';
export type { WebhookEventName } from './schemas/webhook-event.ts';
export type * from './schemas/webhook-types.ts';
