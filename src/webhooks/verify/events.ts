// The types of webhook events, and options that are given by their names.

import { anObject, type Check, optional, readOptions, throwInvalid } from '../../core/check.ts';
import { ConfigurationError } from '../../core/errors/base.ts';
import {
  type EventEnvelope,
  type ExamParticipantRegisteredData,
  type ExamParticipantUnregisteredData,
  type ExamResultCompletedData,
  type ExamResultScoredData,
  isDocumentedEvent,
  type WebhookEventName,
  webhookEventNames,
} from '../../schemas/webhook-event.ts';
import { isStandardSchema, type StandardSchema } from '../../util/standard-schema.ts';

/** A participant was registered to an exam. */
export interface ExamParticipantRegisteredEvent<Data = ExamParticipantRegisteredData>
  extends EventEnvelope<Data> {
  /** Name of the event. */
  readonly event: 'exam_participant.registered';
}

/** A participant's registration was cancelled. */
export interface ExamParticipantUnregisteredEvent<Data = ExamParticipantUnregisteredData>
  extends EventEnvelope<Data> {
  /** Name of the event. */
  readonly event: 'exam_participant.unregistered';
}

/** A participant finished the test. */
export interface ExamResultCompletedEvent<Data = ExamResultCompletedData> extends EventEnvelope<Data> {
  /** Name of the event. */
  readonly event: 'exam_result.completed';
}

/** A test score was issued or changed. */
export interface ExamResultScoredEvent<Data = ExamResultScoredData> extends EventEnvelope<Data> {
  /** Name of the event. */
  readonly event: 'exam_result.scored';
}

/** Exists only in the types; without it, every documented event would match an unknown one. */
declare const undocumented: unique symbol;

/** An event that the service does not document: it may add events. */
export interface UnknownWebhookEvent extends EventEnvelope<Readonly<Record<string, unknown>>> {
  /** Name of the event, as sent; editors complete the documented ones. */
  readonly event: WebhookEventName | (string & Record<never, never>);
  /** Exists only in the types; an event has no such field. */
  readonly [undocumented]: true;
}

/** Standard Schemas that refine the payload of an event, by event name. Each receives `data` as it was read. */
export interface WebhookSchemas {
  /** Its payload is undocumented by the service. */
  readonly 'exam_participant.registered'?: StandardSchema | undefined;
  /** Its payload is undocumented by the service. */
  readonly 'exam_participant.unregistered'?: StandardSchema | undefined;
  /** Its payload is documented: `ExamResultCompletedData`. */
  readonly 'exam_result.completed'?: StandardSchema | undefined;
  /** Its payload is undocumented by the service. */
  readonly 'exam_result.scored'?: StandardSchema | undefined;
}

/** The documented events by name, with the payloads refined by `Schemas`. */
export interface WebhookEventMap<Schemas = unknown> {
  /** A participant was registered to an exam. */
  readonly 'exam_participant.registered': ExamParticipantRegisteredEvent<
    Schemas extends { readonly 'exam_participant.registered': StandardSchema<infer Data> }
      ? Data
      : ExamParticipantRegisteredData
  >;
  /** A participant's registration was cancelled. */
  readonly 'exam_participant.unregistered': ExamParticipantUnregisteredEvent<
    Schemas extends { readonly 'exam_participant.unregistered': StandardSchema<infer Data> }
      ? Data
      : ExamParticipantUnregisteredData
  >;
  /** A participant finished the test. */
  readonly 'exam_result.completed': ExamResultCompletedEvent<
    Schemas extends { readonly 'exam_result.completed': StandardSchema<infer Data> }
      ? Data
      : ExamResultCompletedData
  >;
  /** A test score was issued or changed. */
  readonly 'exam_result.scored': ExamResultScoredEvent<
    Schemas extends { readonly 'exam_result.scored': StandardSchema<infer Data> }
      ? Data
      : ExamResultScoredData
  >;
}

/** Any delivered event. Call `isUnknownEvent` first; then `switch (event.event)` narrows the type. */
export type WebhookEvent<Schemas = unknown> =
  | WebhookEventMap<Schemas>[WebhookEventName]
  | UnknownWebhookEvent;

/**
 * Whether `event` is one that the service does not document.
 *
 * @throws {ConfigurationError} for what is no event, such as a promise of one
 */
export function isUnknownEvent(event: { readonly event: string }): event is UnknownWebhookEvent {
  const name: unknown = Object(event).event;
  if (typeof name === 'string') return !isDocumentedEvent(name);
  throw new ConfigurationError('isUnknownEvent takes an event: `await` what verifyWebhook returns.');
}

/** What an option holds by the name of each documented event; without a prototype, so that no other name is in it. */
export type ByEvent<T> = Readonly<Record<string, T | undefined>>;

/** Reads an option whose names are those of documented events. */
// @__NO_SIDE_EFFECTS__
export function byEvent<T>(check: Check<T>): Check<ByEvent<T>> {
  const table = Object.fromEntries(webhookEventNames.map((name) => [name, optional(check)]));
  return (given = {}, option) =>
    Object.setPrototypeOf(readOptions(`\`${option}\``, anObject(given, option), table), null);
}

export const schemasByEvent = byEvent<StandardSchema>((value, name) => {
  if (!isStandardSchema(value)) throwInvalid(name, 'a Standard Schema');
  return value;
});
