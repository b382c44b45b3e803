// The documented webhook events: their names, their payloads and the reader that checks them.

import { readDecimal } from '../util/numbers.ts';

/** Name of a documented event. */
export type WebhookEventName =
  | 'exam_participant.registered'
  | 'exam_participant.unregistered'
  | 'exam_result.completed'
  | 'exam_result.scored';

/** The events that the service documents. */
export const webhookEventNames = [
  'exam_participant.registered',
  'exam_participant.unregistered',
  'exam_result.completed',
  'exam_result.scored',
] as const satisfies readonly WebhookEventName[];

/** Whether the service documents an event of this name. */
export function isDocumentedEvent(name: unknown): name is WebhookEventName {
  return webhookEventNames.includes(name as WebhookEventName);
}

/**
 * `data` of `exam_participant.registered`, whose fields are undocumented by the service. Describe them with the option `schemas`, which
 * checks them, or declare them: `declare module 'exam-service-sdk/webhooks' { interface ExamParticipantRegisteredData { participant_id: number } }`.
 */
export interface ExamParticipantRegisteredData {
  readonly [field: string]: unknown;
}

/**
 * `data` of `exam_participant.unregistered`, whose fields are undocumented by the service. Describe them with the option `schemas`, or
 * declare them as those of `ExamParticipantRegisteredData`.
 */
export interface ExamParticipantUnregisteredData {
  readonly [field: string]: unknown;
}

/**
 * `data` of `exam_result.scored`, whose fields are undocumented by the service. Describe them with the option `schemas`, or declare them
 * as those of `ExamParticipantRegisteredData`.
 */
export interface ExamResultScoredData {
  readonly [field: string]: unknown;
}

/**
 * `data` of `exam_result.completed`. Fields that do not identify anything may be null: a delivery is not rejected
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

/**
 * What a value must be: what a reader takes, or an object with these fields. For a value that may be missing, a pair: its rule, and
 * what a missing one is read as.
 */
type Rule = Read | { readonly [field: string]: Rule } | [rule: Rule, nothing: unknown];
/** Reads a value; undefined for what it cannot read. */
type Read<T = unknown> = (value: unknown) => T | undefined;

/** A rule for each field of `T`. Further fields are kept. */
type Fields<T> = {
  readonly [Name in keyof T]: null extends T[Name] ? [RuleOf<NonNullable<T[Name]>>, null] : RuleOf<T[Name]>;
};
type RuleOf<T> = T extends string | number ? Read : Fields<T>;

/** The name of an event, or a time: a number is neither. */
const readString: Read<string> = (value) => (typeof value === 'string' ? value : undefined);
/** Also a text, as PHP writes a number without a cast. Beyond 2^53 numbers are not exact. */
const readNumber: Read<number> = (value) => {
  const result = readDecimal(value);
  const isExact = typeof result === 'number' && Math.abs(result) <= Number.MAX_SAFE_INTEGER;
  return isExact ? result : undefined;
};
const readInteger: Read<number> = (value) => {
  const result = readNumber(value);
  return Number.isInteger(result) ? result : undefined;
};
/** Also a number, as PHP may write a text of digits. */
const readName: Read<string> = (value) =>
  typeof value === 'number' ? readNumber(value)?.toString() : readString(value);

const completedEvent: Fields<Event<ExamResultCompletedData>> = {
  event: readString,
  created_at: readString,
  data: {
    exam_result_id: readInteger,
    user_exam_id: readInteger,
    participant_code: [readName, null],
    exam: { id: readInteger, name: [readName, null], name_short: [readName, null] },
    exam_quiz: [{ id: readInteger, name: [readName, null] }, null],
    participant: { id: readInteger, name: [readName, null], email: [readName, null] },
    status: [readInteger, null],
    status_label: [readName, null],
    score: [readNumber, null],
    start_at: [readString, null],
    end_at: [readString, null],
  },
};
const openEvent: Rule = { event: readString, created_at: readString, data: [{}, {}] };

/**
 * Reads the JSON of a delivery. Adds the path of every unreadable field to `wrong`. Not with zod, which would double the
 * receiver's bundle for a browser or a worker from 6.1 to 12.9 kB (after gzip).
 */
export function readWebhookEvent(json: unknown, wrong: string[]): Event<Readonly<Record<string, unknown>>> {
  const name = (json as Partial<Event<never>> | null)?.event;
  const rule = name === 'exam_result.completed' ? completedEvent : openEvent;
  return read(json, rule, '', wrong) as Event<Readonly<Record<string, unknown>>>;
}

function read(value: unknown, rule: Rule, path: string, wrong: string[]): unknown {
  if (typeof rule === 'function') {
    const result = rule(value);
    if (result === undefined) wrong.push(path);
    return result;
  }
  const isList = Array.isArray(value);
  if (Array.isArray(rule)) {
    // PHP writes an empty map as `[]`.
    const given = isList && value.length === 0 ? rule[1] : (value ?? rule[1]);
    return given === null ? null : read(given, rule[0], path, wrong);
  }
  if (typeof value !== 'object' || value === null || isList) {
    wrong.push(path);
    return value;
  }
  const result: Record<string, unknown> = { ...value };
  for (const name in rule) {
    result[name] = read(result[name], rule[name] as Rule, path ? `${path}.${name}` : name, wrong);
  }
  return result;
}
