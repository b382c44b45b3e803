import type { Acknowledgement } from '../core/answer/find.ts';
import type { ApiPromise } from '../core/api-promise.ts';
import { isApiError } from '../core/errors/api-error.ts';
import { type ExamServiceError, isExamServiceError } from '../core/errors/base.ts';
import { TimeoutError } from '../core/errors/timeout-error.ts';
import { defineOperation } from '../core/operation.ts';
import type { RequestOptions } from '../core/options.ts';
import { readOptions } from '../core/request/call-options.ts';
import { checkObject } from '../core/request/checks.ts';
import { Resource } from '../core/resource.ts';
import { assignment, examLink } from '../schemas/exam-participant.ts';
import { type AssignAllOptions, type AssignmentOutcome, assignAll } from './assign-all.ts';
import type { Assignment, EnsuredAssignment, EnsureOptions } from './assignment-types.ts';

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

/** Assigning as a part of `ensure`, which finds out what a repetition meets. */
const assignOnce = { ...assign, id: 'examParticipants.ensure', retry: 'idempotent' } as const;

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

/** The link as a part of `ensure`, after an assignment that may have taken effect. */
const linkOfEnsured = { ...link, id: 'examParticipants.ensure', isFollowUp: true } as const;

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
   * Sees to it that a participant is assigned to an exam: assigns, and where that is refused or its answer lost, asks for the
   * link, which only an assigned participant has (404 otherwise). Calling it again changes nothing, so that an error of it is
   * `retryable` also where it is unknown what happened. `POST /exam-participants/assign`, `GET /exam-participants/link`
   *
   * @throws {BadRequestError} when the pair is not assigned: the participant is not active or not verified, or the exam is full.
   * @throws {NotFoundError} when there is no such participant or exam.
   */
  async ensure(input: Assignment, options: EnsureOptions = {}): Promise<EnsuredAssignment> {
    const { link: wantsLink = false, ...callOptions } = readOptions(checkObject('options', options));
    const pair = { ...input };
    try {
      await this.transport.call(assignOnce, { body: pair }, callOptions);
    } catch (error) {
      if (!isExamServiceError(error) || !leavesOpen(error)) throw error;
      const url = await this.#findLink(pair, callOptions);
      if (url === null) throw error;
      return { created: error.outcome === 'done', url };
    }
    return { created: true, url: wantsLink ? await this.#linkOf(pair, callOptions) : null };
  }

  /** The link of a pair; `null` when the pair is not assigned. */
  async #findLink(pair: Assignment, options: RequestOptions): Promise<string | null> {
    try {
      return await this.#linkOf(pair, options);
    } catch (error) {
      if (isApiError(error) && error.status === 404) return null;
      throw error;
    }
  }

  async #linkOf(pair: Assignment, options: RequestOptions): Promise<string> {
    const { url } = await this.transport.call<ExamLink>(linkOfEnsured, { query: pair }, options);
    return url;
  }

  /**
   * Ensures many assignments, from a source of any length, and gives what became of each pair in the order of the source.
   * Pairs are taken from the source only as their outcomes are asked for. What concerns one pair (400, 404, 422) is an
   * outcome; what concerns all (401, 403, an outage) is thrown, after the outcomes of what was under way. Ending the
   * iteration early sends nothing more.
   *
   * @throws {ConfigurationError} for an option or a source that cannot work.
   */
  assignAll(
    source: Iterable<Assignment> | AsyncIterable<Assignment>,
    options: AssignAllOptions = {},
  ): AsyncGenerator<AssignmentOutcome, void, undefined> {
    return assignAll(
      (pair, callOptions) => this.ensure(pair, callOptions),
      source,
      readOptions(checkObject('options', options)),
    );
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

/** Whether the pair may be assigned all the same: it was before (400), or the answer was lost or not understood. */
function leavesOpen(error: ExamServiceError): boolean {
  // Then there is no time left to find out; calling again does.
  if (error instanceof TimeoutError && error.scope === 'total') return false;
  return (
    (isApiError(error) && error.status === 400) || error.outcome === 'unknown' || error.outcome === 'done'
  );
}
