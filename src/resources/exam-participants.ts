import type { Acknowledgement } from '../core/answer/find.ts';
import type { ApiPromise } from '../core/api-promise.ts';
import { defineOperation } from '../core/operation.ts';
import type { RequestOptions } from '../core/options.ts';
import { Resource } from '../core/resource.ts';
import { assignment, examLink } from '../schemas/exam-participant.ts';

/** Which participant and which exam (interface document, Resources, Exam assignment). */
export interface Assignment {
  /** Id of the participant. */
  readonly participant_id: number;
  /** Id of the exam. */
  readonly exam_id: number;
}

/** The link by which a participant takes an exam, with whatever the service says beside it. */
export interface ExamLink {
  /** Absolute address, unique for the participant and the exam. */
  url: string;
  [field: string]: unknown;
}

export const assign = defineOperation({
  id: 'examParticipants.assign',
  method: 'POST',
  path: '/exam-participants/assign',
  auth: 'clientKey',
  retry: 'unprocessed',
  request: { body: assignment },
  success: 201,
  response: { kind: 'acknowledgement' },
});

export const unassign = defineOperation({
  id: 'examParticipants.unassign',
  method: 'POST',
  path: '/exam-participants/unassign',
  auth: 'clientKey',
  retry: 'unprocessed',
  request: { body: assignment },
  success: 200,
  response: { kind: 'acknowledgement' },
});

export const link = defineOperation({
  id: 'examParticipants.link',
  method: 'GET',
  path: '/exam-participants/link',
  auth: 'clientKey',
  retry: 'idempotent',
  request: { query: assignment },
  success: 200,
  response: { kind: 'link', schema: examLink },
});

/**
 * Assignment of participants to exams (interface document, Endpoints, Exam assignment). The conditions of the errors
 * are those of the document (Errors).
 *
 * Beside those named, every method throws what holds for every operation: `RequestValidationError` before anything is sent,
 * `AuthenticationError` (401) and `PermissionDeniedError` (403) for the key, and the errors of transport and answer.
 */
export class ExamParticipants extends Resource {
  /**
   * Assigns a participant, who must be active and have a verified email, to an exam; once for each exam.
   * `POST /exam-participants/assign`
   *
   * @throws {BadRequestError} when the participant is not active, not verified or registered already, or the exam is full.
   * @throws {NotFoundError} when there is no such participant or exam.
   * @throws {UnprocessableEntityError} when the service finds the ids not valid.
   */
  assign(input: Assignment, options?: RequestOptions): ApiPromise<Acknowledgement> {
    return this.transport.call(assign, { body: input }, options);
  }

  /**
   * Cancels an assignment, as long as the participant has not started. `POST /exam-participants/unassign`
   *
   * @throws {BadRequestError} when the participant is not registered for the exam or has started it.
   * @throws {NotFoundError} when there is no such participant or exam.
   * @throws {UnprocessableEntityError} when the service finds the ids not valid.
   */
  unassign(input: Assignment, options?: RequestOptions): ApiPromise<Acknowledgement> {
    return this.transport.call(unassign, { body: input }, options);
  }

  /**
   * Gets the link by which the participant takes the exam; the form of the answer is undocumented.
   * `GET /exam-participants/link`
   *
   * @throws {NotFoundError} when the participant is not assigned to the exam, or there is no such participant or exam.
   */
  link(input: Assignment, options?: RequestOptions): ApiPromise<ExamLink> {
    return this.transport.call(link, { query: { ...input } }, options);
  }
}
