// The entry `exam-service-sdk/webhooks`: receives, verifies and explains deliveries.

// Errors
export { ExamServiceError, isExamServiceError, type Outcome, type Verdict } from '../core/errors/base.ts';
export { ConfigurationError } from '../core/errors/configuration-error.ts';
export type {
  EventEnvelope,
  ExamQuizReference,
  ExamReference,
  ExamResultCompletedData,
  OpenPayload,
  ParticipantReference,
  WebhookEventName,
} from '../schemas/webhook-event.ts';
// Events and the schemas that refine them
export type { Issue, StandardSchema } from '../util/standard-schema.ts';
// Verify, receive, find mistakes
export type { VerifiedWebhook } from './check.ts';
export type { DeduplicationOptions, DeduplicationStore } from './deduplication.ts';
export { DeduplicationStoreError } from './deduplication-store-error.ts';
export type { WebhookInput, WebhookParts } from './delivery.ts';
export type { DeliveryRecord } from './delivery-record.ts';
export { type DeliveredEvent, eventKeyOf } from './event-key.ts';
export { webhookEventSchema } from './event-schema.ts';
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
} from './events.ts';
export { type ExplainOptions, explainWebhookFailure, type WebhookFailureExplanation } from './explain.ts';
export type { WebhookOutcome } from './handle-once.ts';
export type { OnDeliveryEndEvent, OnDeliveryStartEvent, WebhookHooks } from './hooks.ts';
export { createMemoryStore, type MemoryStoreOptions } from './memory-store.ts';
export { type NodeResponse, toNodeListener } from './node.ts';
export type { NodeRequest } from './node-request.ts';
export { createWebhookHandler, type DispatchOptions, type WebhookHandler } from './receiver.ts';
export type {
  InvalidWebhook,
  WebhookContext,
  WebhookEventHandler,
  WebhookEventHandlers,
  WebhookHandlerOptions,
  WebhookHandlerResult,
} from './receiver-options.ts';
export {
  type DeliveryRecords,
  type InvalidRecovery,
  type RecoveredEvent,
  type RecoverOptions,
  recoverEvents,
} from './recover.ts';
export type { WebhookSecretProvider } from './secrets.ts';
export type { VerifySignatureOptions } from './settings.ts';
export { WebhookVerificationError, type WebhookVerificationErrorCode } from './verification-error.ts';
export {
  safeVerifyWebhook,
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookVerification,
} from './verify.ts';
export { verifyWebhookSignature } from './verify-signature.ts';
