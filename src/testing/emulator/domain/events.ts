// The events that the emulator sends, and their payloads.

import { type WebhookEventName, webhookEventNames } from '../../../schemas/webhook-event.ts';
import type { Settings } from '../service/emulator-options.ts';
import type { AssignmentRecord, ExamRecord, ParticipantRecord, ResultRecord } from '../state/records.ts';
import type { Store } from '../state/store.ts';
import { withOffset } from './timestamps.ts';

/** Descriptions of the events, for `meta.available_events` of `GET /webhooks`. */
export const availableEvents: Readonly<Record<WebhookEventName, string>> = {
  'exam_participant.registered': 'A participant was registered to an exam.',
  'exam_participant.unregistered': "A participant's registration was cancelled.",
  'exam_result.completed': 'A participant finished the test.',
  'exam_result.scored': 'A test score was issued or changed.',
};

export function isEventName(value: unknown): value is WebhookEventName {
  return webhookEventNames.some((name) => name === value);
}

/**
 * `data` of the two registration events. It is undocumented by the service: the emulator sends the participant and the
 * exam.
 */
export function registrationData(
  assignment: AssignmentRecord,
  participant: ParticipantRecord,
  exam: ExamRecord,
): Record<string, unknown> {
  return {
    user_exam_id: assignment.id,
    participant_code: participantCode(participant.id),
    exam: examSummary(exam),
    participant: participantSummary(participant),
  };
}

/** `data` of `exam_result.completed`, and of `exam_result.scored`, for which it is undocumented by the service. */
export function resultData(
  store: Store,
  result: ResultRecord,
  { utcOffset }: Pick<Settings, 'utcOffset'>,
): Record<string, unknown> {
  return {
    exam_result_id: result.id,
    ...resultDetails(store, result),
    score: result.score,
    start_at: withOffset(result.start_at, utcOffset),
    end_at: withOffset(result.end_at, utcOffset),
  };
}

/** Fields shared by a result's row and its event. */
export function resultDetails(store: Store, result: ResultRecord): Record<string, unknown> {
  const exam = store.exams.get(result.exam_id);
  const participant = store.participants.get(result.participant_id);
  return {
    user_exam_id: result.assignment_id,
    participant_code: participantCode(result.participant_id),
    exam: exam === undefined ? null : examSummary(exam),
    exam_quiz: exam === undefined ? null : { id: exam.id, name: exam.quiz_name },
    participant: participant === undefined ? null : participantSummary(participant),
    status: result.status,
    status_label: result.status_label,
  };
}

/**
 * `data` of a test delivery: made up, in the form of the real event. Its names contain a slash and a non-ASCII letter,
 * which PHP escapes: a receiver that verifies a re-serialized body fails on its first test.
 */
export function sampleData(
  event: WebhookEventName,
  now: number,
  { utcOffset }: Pick<Settings, 'utcOffset'>,
): Record<string, unknown> {
  const registration = {
    user_exam_id: 1,
    participant_code: participantCode(1),
    exam: { id: 1, name: 'Sample exam 1/2', name_short: 'SAMPLE' },
    participant: { id: 1, name: 'Sample Renée', email: 'sample@example.test' },
  };
  if (event.startsWith('exam_participant.')) return registration;
  return {
    exam_result_id: 1,
    ...registration,
    exam_quiz: { id: 1, name: 'Sample quiz' },
    status: finished.status,
    status_label: finished.status_label,
    score: 87.5,
    start_at: withOffset(now - 3_600_000, utcOffset),
    end_at: withOffset(now, utcOffset),
  };
}

/** Digits after the decimal point of a score that is sent as a string. */
const SCORE_DIGITS = 2;

/** A score as a number, or as the text that Laravel's cast `decimal:2` makes of it. */
export function writeScore(score: number | null, as: 'number' | 'string'): number | string | null {
  return as === 'string' && score !== null ? score.toFixed(SCORE_DIGITS) : score;
}

/** The only result status that the service documents. */
export const finished = { status: 2, status_label: 'Finished' } as const;

function participantCode(id: number): string {
  return `P-${String(id).padStart(4, '0')}`;
}

function examSummary({ id, name, name_short }: ExamRecord): Record<string, unknown> {
  return { id, name, name_short };
}

function participantSummary({ id, name, email }: ParticipantRecord): Record<string, unknown> {
  return { id, name, email };
}
