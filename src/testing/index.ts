/**
 * The emulator of the service, and signed deliveries for tests of receivers.
 * @module
 */

export type { OperationName } from '../core/operation.ts';
export type {
  ExamQuizReference,
  ExamReference,
  ExamResultCompletedData,
  ParticipantReference,
  WebhookEventName,
} from '../schemas/webhook-event.ts';
export { createEmulator } from './create-emulator.ts';
export type { DeliveryAttempt } from './emulator/deliveries/attempt.ts';
export type { Emulator, EmulatorActivity, EmulatorControl, EmulatorFaults } from './emulator/emulator-api.ts';
export type {
  DeliveryFault,
  DeliveryFaultEffect,
  Fault,
  FaultEffect,
  InjectedFault,
} from './emulator/faults/fault.ts';
export type { ReceivedRequest } from './emulator/http/request-log.ts';
export type { EmulatorServer, ListenOptions } from './emulator/http/server.ts';
export type { ExamSeed, ParticipantSeed, ResultSeed, WebhookSeed } from './emulator/seeds/seeds.ts';
export type { EmulatorClock, ManualClock } from './emulator/service/clock.ts';
export { createManualClock } from './emulator/service/clock.ts';
export type { DeliveryFetch, EmulatorOptions } from './emulator/service/emulator-options.ts';
export type { EmulatorOperationName } from './emulator/service/operations.ts';
export type {
  EmulatorSettings,
  EmulatorStyle,
  ServiceSettings,
} from './emulator/service/service-settings.ts';
export type {
  AssignmentRecord,
  DeliveryRecord,
  EndpointRecord,
  ExamRecord,
  ParticipantRecord,
  ResultRecord,
} from './emulator/state/records.ts';
export type { EmulatorSnapshot } from './emulator/state/snapshot.ts';
export type { Assignment } from './emulator/state/store.ts';
export type { PayloadChanges, SampleEvent, SampleEventOf } from './sample-event.ts';
export type {
  DeliveryOptions,
  RawDelivery,
  SignedWebhook,
  SignedWebhookOptions,
  SignWebhookOptions,
} from './sign.ts';
export { signedWebhook, signWebhook } from './sign.ts';
