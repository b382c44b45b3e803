// `client.examParticipants`: assigns participants to exams and gets their links.

import type { ApiPromise } from '../core/api-promise.ts';
import { readArgument } from '../core/arguments.ts';
import { type Acknowledgement, defineOperation } from '../core/operation.ts';
import { methodOf, readOptionsOf } from '../core/options/call-options.ts';
import type { JobOptions, RequestOptions } from '../core/options/client-options.ts';
import { Resource, type Transport } from '../core/transport.ts';
import { assignAll } from '../jobs/assignment/assign-all.ts';
import type { AssignAllOptions } from '../jobs/assignment/assign-all-options.ts';
import {
  type EnsuredAssignment,
  type EnsureOptions,
  ensureTable,
  type LinkedAssignment,
  type PairRequests,
  settlePair,
} from '../jobs/assignment/assignment.ts';
import type { Assignment, AssignmentsSummary } from '../jobs/assignments-summary.ts';
import { assignment, examLink } from '../schemas/exam-participant.ts';

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
  request: { body: assignment },
  success: 201,
  response: { kind: 'acknowledgement' },
});

/** The assignment within `ensure`, which then checks what became of a repeated one. */
const assignOnce = { ...assign, id: 'examParticipants.ensure', retry: 'idempotent' } as const;

export const unassign = defineOperation({
  ...assign,
  id: 'examParticipants.unassign',
  path: '/exam-participants/unassign',
  success: 200,
});

export const link = defineOperation({
  id: 'examParticipants.link',
  method: 'GET',
  path: '/exam-participants/link',
  request: { query: assignment },
  response: { kind: 'link', schema: examLink },
});

/** The link within `ensure`, by what is known of the assignment. */
const linkAfter = {
  unknown: { ...link, id: assignOnce.id, followsOutcome: 'unknown' },
  done: {
    ...link,
    id: assignOnce.id,
    followsOutcome: 'done',
    done: 'The pair is assigned; only its link is missing.',
  },
} as const;

/**
 * Assignment of participants to exams (endpoints under `/exam-participants`). Besides the errors listed, every method can throw
 * those common to all operations: `RequestValidationError` before anything is sent, 401 and 403 for the key, and the errors of
 * connection and response.
 */
export class ExamParticipants extends Resource {
  /**
   * Assigns a participant to an exam. The participant must be active and have a verified email, and can be assigned to an exam
   * only once. `POST /exam-participants/assign`
   *
   * @throws {BadRequestError} when the participant is not active, not verified or already assigned, or the exam is full.
   * @throws {NotFoundError} when there is no such participant or exam.
   * @throws {UnprocessableEntityError} when the service rejects the ids as invalid.
   */
  assign(input: Assignment, options?: RequestOptions): ApiPromise<Acknowledgement> {
    return this.transport.call(assign, { body: input }, options);
  }

  /**
   * Makes sure that a participant is assigned to an exam: assigns them and, if that is rejected or its response lost, asks for the
   * link, which only an assigned participant has (404 otherwise). Calling it again changes nothing, so its errors are `retryable`
   * even if the outcome is unknown. With `link`, if assigned but the link request fails, rejects with `outcome: 'done'`.
   * `POST /exam-participants/assign`, `GET /exam-participants/link`
   *
   * @throws {BadRequestError} when the pair is not assigned: the participant is not active or not verified, or the exam is full.
   * @throws {NotFoundError} when there is no such participant or exam.
   */
  async ensure<Link extends boolean = false>(
    input: Assignment,
    options: EnsureOptions<Link> = {},
  ): Promise<Link extends true ? LinkedAssignment : EnsuredAssignment> {
    const { link: wantsLink, ...callOptions } = readOptionsOf(methodOf(assignOnce), options, ensureTable);
    const state = await settlePair(requestsOf(this.transport, input, callOptions), wantsLink);
    const error = state.error ?? state.linkError;
    if (error !== null) throw error;
    // With `link`, a pair without its link has an error.
    return { created: state.status === 'assigned', url: state.url } as LinkedAssignment;
  }

  /**
   * Ensures an assignment for each row of a source of any length, several at once: an array, a generator, a stream. `map` turns a row
   * into a pair; without it, the rows are pairs. Rows are read only as they can be sent. `onResult` is called for each pair, in the
   * order of the source, and awaited. Running it again changes nothing.
   *
   * An error that affects one pair is its result: the service rejects the pair or its link, or fails with a server error on it twice and
   * accepts others in between. `maxOutage` waits for a service that is down. To end early, end the source; to end now, abort `signal`.
   *
   * @example
   * ```ts
   * const { found } = await client.participants.findByEmail(emails);
   * const summary = await client.examParticipants.assignAll(found, {
   *   map: ([, { id }]) => ({ participant_id: id, exam_id: 8 }),
   *   link: true,
   *   onResult: ({ row: [email], url, error }) => console.log(email, url ?? error?.message),
   * });
   * console.log(`${summary.assigned} assigned, ${summary.failed} failed`);
   * ```
   *
   * @returns counts, and the first 1,000 failures
   * @throws {AssignmentsStoppedError} when an error that affects all (401, 403, an outage), a function of yours or an abort ends it
   * early; with what was done until then, and where to resume.
   * @throws {ConfigurationError} when an option or the source is invalid.
   */
  assignAll<Row>(
    rows: Iterable<Row> | AsyncIterable<Row>,
    options: AssignAllOptions<Row> = {},
  ): Promise<AssignmentsSummary> {
    const { transport } = this;
    const service = {
      maxConcurrency: transport.maxConcurrency,
      write: transport.write,
      requestsOf: (pair: Assignment, callOptions: JobOptions) => requestsOf(transport, pair, callOptions),
    };
    return assignAll(service, rows, options);
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
   * Gets the link to take the exam; the form of the response is undocumented by the service. `GET /exam-participants/link`
   *
   * @throws {NotFoundError} when the participant is not assigned to the exam, or there is no such participant or exam.
   */
  link(input: Assignment, options?: RequestOptions): ApiPromise<ExamLink> {
    return this.transport.call(link, { query: input }, options);
  }
}

function requestsOf(transport: Transport, input: Assignment, options: JobOptions): PairRequests {
  // Read once for all requests; what is not a pair is rejected by the first.
  const read = readArgument(assignment(), input);
  const pair = read.issues ? input : read.value;
  return {
    signal: options.signal,
    issues: read.issues,
    assign: (after) => transport.call({ ...assignOnce, followsOutcome: after }, { body: pair }, options),
    link: (after) => transport.call(linkAfter[after], { query: pair }, options),
  };
}
