import type { ApiPromise } from '../core/api-promise.ts';
import { defineOperation } from '../core/operation.ts';
import type { RequestOptions } from '../core/options.ts';
import { Resource } from '../core/resource.ts';
import type { Acknowledgement } from '../core/response.ts';
import { assignment, examLink } from '../schemas/exam-participant.ts';

/** Which participant and which exam (interface document, Resources, Exam assignment). */
export interface Assignment {
  readonly participant_id: number;
  readonly exam_id: number;
}

/** The link by which a participant takes an exam, with whatever the service says beside it. */
export interface ExamLink {
  /** Absolute address, unique for the participant and the exam. */
  url: string;
  [field: string]: unknown;
}

const assign = defineOperation({
  id: 'examParticipants.assign',
  method: 'POST',
  path: '/exam-participants/assign',
  auth: 'clientKey',
  retry: 'unprocessed',
  request: { body: assignment },
  success: 201,
  response: { kind: 'acknowledgement' },
});

const unassign = defineOperation({
  id: 'examParticipants.unassign',
  method: 'POST',
  path: '/exam-participants/unassign',
  auth: 'clientKey',
  retry: 'unprocessed',
  request: { body: assignment },
  success: 200,
  response: { kind: 'acknowledgement' },
});

const link = defineOperation({
  id: 'examParticipants.link',
  method: 'GET',
  path: '/exam-participants/link',
  auth: 'clientKey',
  retry: 'idempotent',
  request: { query: assignment },
  success: 200,
  response: { kind: 'link', schema: examLink },
});

/** Assignment of participants to exams (interface document, Endpoints, Exam assignment). */
export class ExamParticipants extends Resource {
  /**
   * Assigns a participant, who must be active and have a verified email, to an exam; once for each exam.
   * `POST /exam-participants/assign`
   */
  assign(input: Assignment, options?: RequestOptions): ApiPromise<Acknowledgement> {
    return this.transport.call(assign, { body: input }, options);
  }

  /** Cancels an assignment, as long as the participant has not started. `POST /exam-participants/unassign` */
  unassign(input: Assignment, options?: RequestOptions): ApiPromise<Acknowledgement> {
    return this.transport.call(unassign, { body: input }, options);
  }

  /** Gets the link by which the participant takes the exam. `GET /exam-participants/link` */
  link(input: Assignment, options?: RequestOptions): ApiPromise<ExamLink> {
    return this.transport.call(link, { query: { ...input } }, options);
  }
}
