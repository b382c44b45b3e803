/**
 * Receives, verifies, deduplicates and recovers webhook deliveries.
 * @module
 */

export {
  ConfigurationError,
  ExamServiceError,
  type Outcome,
} from '../core/errors/base.ts';
export { RequestValidationError } from '../core/errors/request-error.ts';
export { type NodeResponse, toNodeListener } from '../node/listener.ts';
export type { NodeRequest } from '../node/request.ts';
export type {
  EventEnvelope,
  ExamParticipantRegisteredData,
  ExamParticipantUnregisteredData,
  ExamQuizReference,
  ExamReference,
  ExamResultCompletedData,
  ExamResultScoredData,
  ParticipantReference,
  WebhookEventName,
} from '../schemas/webhook-event.ts';
export type { WebhookDelivery } from '../schemas/webhook-types.ts';
export type { Issue, StandardSchema } from '../util/standard-schema.ts';
export {
  type DeduplicationOptions,
  type DeduplicationStore,
  DeduplicationStoreError,
} from './deduplicate/deduplication-options.ts';
export { type DeliveredEvent, eventKeyOf } from './deduplicate/event-key.ts';
export { EventBusyError, type WebhookOutcome } from './deduplicate/handle-once.ts';
export { createMemoryStore, type MemoryStoreOptions } from './deduplicate/memory-store.ts';
export {
  type ExplainOptions,
  explainWebhookFailure,
  type WebhookFailureExplanation,
} from './explain/explain.ts';
export { createWebhookHandler, type DispatchOptions, type WebhookHandler } from './receive/handler.ts';
export type {
  InvalidWebhook,
  WebhookContext,
  WebhookEventHandler,
  WebhookEventHandlers,
  WebhookHandlerOptions,
} from './receive/handler-options.ts';
export type { OnDeliveryEndEvent, OnDeliveryStartEvent, WebhookHooks } from './receive/hooks.ts';
export {
  type DeliveryRecords,
  type InvalidRecovery,
  type RecoveredEvent,
  type RecoverOptions,
  recoverEvents,
} from './recover/recover.ts';
export type { WebhookInput, WebhookParts } from './verify/delivery.ts';
export {
  type ExamParticipantRegisteredEvent,
  type ExamParticipantUnregisteredEvent,
  type ExamResultCompletedEvent,
  type ExamResultScoredEvent,
  isUnknownEvent,
  type UnknownWebhookEvent,
  type WebhookEvent,
  type WebhookEventMap,
  type WebhookSchemas,
} from './verify/events.ts';
export { webhookEventSchema } from './verify/read-event.ts';
export type { WebhookSecretProvider } from './verify/secrets.ts';
export type { VerifiedWebhook } from './verify/signature.ts';
export type { VerifySignatureOptions } from './verify/signature-options.ts';
export { type WebhookRejectionReason, WebhookVerificationError } from './verify/verification-error.ts';
export {
  safeVerifyWebhook,
  type VerifyWebhookOptions,
  verifyWebhook,
  verifyWebhookSignature,
  type WebhookVerification,
} from './verify/verify.ts';
