// `client.examParticipants`: assigns participants to exams and gets their links.

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

/** The link to take an exam, with any further fields that the service sends. */
export interface ExamLink {
  /** Absolute URL, unique to the participant and the exam. */
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

/** The assignment within `ensure`, which then checks what became of a repeated one. */
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

/** The link within `ensure`, after an assignment that may have taken effect. */
const linkOfEnsured = { ...link, id: 'examParticipants.ensure', isFollowUp: true } as const;

/**
 * Assignment of participants to exams (endpoints under `/exam-participants`).
 *
 * Besides the errors listed, every method can throw those common to all operations: `RequestValidationError` before
 * anything is sent, `AuthenticationError` (401) and `PermissionDeniedError` (403) for the key, and the errors of
 * connection and response.
 */
export class ExamParticipants extends Resource {
  /**
   * Assigns a participant to an exam. The participant must be active and have a verified email, and can be assigned to
   * an exam only once. `POST /exam-participants/assign`
   *
   * @throws {BadRequestError} when the participant is not active, not verified or already assigned, or the exam is
   * full.
   * @throws {NotFoundError} when there is no such participant or exam.
   * @throws {UnprocessableEntityError} when the service rejects the ids as invalid.
   */
  assign(input: Assignment, options?: RequestOptions): ApiPromise<Acknowledgement> {
    return this.transport.call(assign, { body: input }, options);
  }

  /**
   * Makes sure that a participant is assigned to an exam: assigns them and, if that is refused or its answer lost,
   * fetches the link, which only an assigned participant has (404 otherwise). Calling it again changes nothing, so its
   * errors are `retryable` even if the outcome is unknown. `POST /exam-participants/assign`, `GET
   * /exam-participants/link`
   *
   * @throws {BadRequestError} when the pair is not assigned: the participant is not active or not verified, or the exam
   * is full.
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

  /** The link for a pair; `null` if the pair is not assigned. */
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
   * Ensures many assignments from a source of any length, and yields the outcome of each pair in the order of the
   * source. Pairs are read from the source only as you consume their outcomes. An error that affects one pair (400,
   * 404, 422) is an outcome; one that affects all (401, 403, an outage) is thrown, after the outcomes of the pairs in
   * flight. If you end the iteration early, nothing more is sent.
   *
   * @throws {ConfigurationError} when an option or the source is invalid.
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
   * Cancels an assignment, unless the participant has started the exam. `POST /exam-participants/unassign`
   *
   * @throws {BadRequestError} when the participant is not assigned to the exam or has started it.
   * @throws {NotFoundError} when there is no such participant or exam.
   * @throws {UnprocessableEntityError} when the service rejects the ids as invalid.
   */
  unassign(input: Assignment, options?: RequestOptions): ApiPromise<Acknowledgement> {
    return this.transport.call(unassign, { body: input }, options);
  }

  /**
   * Gets the link to take the exam; the form of the answer is undocumented by the service. `GET
   * /exam-participants/link`
   *
   * @throws {NotFoundError} when the participant is not assigned to the exam, or there is no such participant or exam.
   */
  link(input: Assignment, options?: RequestOptions): ApiPromise<ExamLink> {
    return this.transport.call(link, { query: { ...input } }, options);
  }
}

/**
 * Whether the pair may be assigned despite the error: it already was (400, or a 2xx that says so), or the answer was
 * lost or not understood.
 */
function leavesOpen(error: ExamServiceError): boolean {
  // No time is left to find out; the caller can call again.
  if (error instanceof TimeoutError && error.scope === 'total') return false;
  const isRefusal = isApiError(error) ? error.status === 400 : error.code === 'response_format';
  return isRefusal || error.outcome === 'unknown' || error.outcome === 'done';
}
