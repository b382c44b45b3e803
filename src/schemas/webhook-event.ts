// The documented webhook events: their names, their payloads and the reader that checks them.

import { isObject } from '../util/json.ts';
import { integer, isEmpty, number, orNull, type Reader, record, string } from './reader.ts';

/** The events that the service documents. */
export const webhookEventNames = [
  'exam_participant.registered',
  'exam_participant.unregistered',
  'exam_result.completed',
  'exam_result.scored',
] as const;

/** Name of a documented event. */
export type WebhookEventName = (typeof webhookEventNames)[number];

/** A payload whose fields are undocumented by the service; describe it with the option `schemas`. */
export interface OpenPayload {
  readonly [field: string]: unknown;
}

/**
 * `data` of `exam_result.completed`. Fields that do not identify anything may be null: a delivery is not refused
 * because such a field is null or missing, and both are read as null.
 */
export interface ExamResultCompletedData {
  /** Unique id of the result. */
  readonly exam_result_id: number;
  /** Unique id of the participant's registration to the exam. */
  readonly user_exam_id: number;
  /** Code of the participant. */
  readonly participant_code: string | null;
  /** The exam that was taken. */
  readonly exam: ExamReference;
  /** The quiz within the exam; null when there is none. */
  readonly exam_quiz: ExamQuizReference | null;
  /** Who took the exam. */
  readonly participant: ParticipantReference;
  /** Numeric status; 2 means that the exam was finished, other values are undocumented by the service. */
  readonly status: number | null;
  /** Text label of the status. */
  readonly status_label: string | null;
  /** Score, as a number even if it was sent as a string; null when there is none yet. */
  readonly score: number | null;
  /** When the participant started: ISO 8601 with UTC offset, as sent. */
  readonly start_at: string | null;
  /** When the participant finished: ISO 8601 with UTC offset, as sent. */
  readonly end_at: string | null;
}

/** The exam in a result. */
export interface ExamReference {
  /** Unique id of the exam. */
  readonly id: number;
  /** Name of the exam. */
  readonly name: string | null;
  /** Short name of the exam. */
  readonly name_short: string | null;
}

/** The quiz in a result. */
export interface ExamQuizReference {
  /** Unique id of the quiz. */
  readonly id: number;
  /** Name of the quiz. */
  readonly name: string | null;
}

/** The participant in a result. */
export interface ParticipantReference {
  /** Unique id of the participant. */
  readonly id: number;
  /** Full name. */
  readonly name: string | null;
  /** Email address, which is also the login name. */
  readonly email: string | null;
}

/** The fields of every event. Any further ones are kept. */
export interface EventEnvelope<Data> {
  /** When the event happened: ISO 8601 with UTC offset, as sent. */
  readonly created_at: string;
  /** The payload. */
  readonly data: Data;
}

interface Event<Data> extends EventEnvelope<Data> {
  readonly event: string;
}

const completedData = record<ExamResultCompletedData>({
  exam_result_id: integer,
  user_exam_id: integer,
  participant_code: orNull(string),
  exam: record<ExamReference>({ id: integer, name: orNull(string), name_short: orNull(string) }),
  exam_quiz: orNull(record<ExamQuizReference>({ id: integer, name: orNull(string) })),
  participant: record<ParticipantReference>({ id: integer, name: orNull(string), email: orNull(string) }),
  status: orNull(integer),
  status_label: orNull(string),
  score: orNull(number),
  start_at: orNull(string),
  end_at: orNull(string),
});

const anyData = record<OpenPayload>({});
const openData: Reader<OpenPayload> = (value, path, wrong) =>
  anyData(isEmpty(value) ? {} : value, path, wrong);

const completedEvent = record<Event<ExamResultCompletedData>>({
  event: string,
  created_at: string,
  data: completedData,
});
const openEvent = record<Event<OpenPayload>>({ event: string, created_at: string, data: openData });

/** Reads the JSON of a delivery. Adds the path of every unreadable field to `wrong`. */
export function readWebhookEvent(
  json: unknown,
  wrong: string[],
): Event<ExamResultCompletedData | OpenPayload> {
  const name = isObject(json) ? json['event'] : undefined;
  const read = name === 'exam_result.completed' ? completedEvent : openEvent;
  return read(json, '', wrong);
}
