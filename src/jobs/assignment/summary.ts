// The result of a bulk assignment, and the error of one that stopped.

import { ExamServiceError } from '../../core/errors/base.ts';
import type { Job } from '../job.ts';
import type { AssignmentFailure } from './assignment.ts';

/** The result of a bulk assignment. */
export interface AssignmentsSummary {
  /** Rows settled, counted from the start of the source, so including those before `resumeFrom`. */
  readonly processed: number;
  /** Pairs that this run assigned. */
  readonly assigned: number;
  /** Pairs that were assigned before, or whose response was lost. */
  readonly alreadyAssigned: number;
  /** Pairs among these whose link could not be fetched; 0 unless `link` was set. */
  readonly withoutLink: number;
  /** Pairs that could not be assigned in this run. */
  readonly failed: number;
  /** Rows left out in this run because `map` returned `null`. */
  readonly skipped: number;
  /** The first 1,000 pairs counted in `failed`, in the order of the source. */
  readonly failures: readonly AssignmentFailure[];
  /**
   * Index of the first unsettled row: the `resumeFrom` option of another run. After a complete job it is the number of rows. Later
   * pairs may be assigned too, as pairs are settled out of order; assigning them again does no harm.
   */
  readonly resumeFrom: number;
}

/**
 * A bulk assignment ended before its source did. `cause` is why: an error that concerns all pairs, what the source or one of your
 * functions threw, or the reason of the signal. `outcome` is `unknown` if a pair that is not settled may have been assigned.
 * `retryable` says whether it can help to run it again with this `resumeFrom`, as after an outage.
 */
export class AssignmentsStoppedError extends ExamServiceError {
  /** @internal */
  static override readonly kind: string = 'assignments_stopped';
  override readonly name = 'AssignmentsStoppedError';
  override readonly code = 'assignments_stopped';
  /** What was done until then. */
  readonly summary: AssignmentsSummary;
  /** Index of the first unsettled row, as in `summary`. */
  readonly resumeFrom: number;

  /** @internal Made by the job. */
  constructor(job: Job, summary: AssignmentsSummary, mayBeDone: boolean, cause: unknown) {
    const { assigned, alreadyAssigned, failed, resumeFrom } = summary;
    const done = `${assigned} assigned, ${alreadyAssigned} assigned before, ${failed} failed`;
    super(...job.stoppedBy(cause, done, resumeFrom, mayBeDone));
    this.summary = summary;
    this.resumeFrom = resumeFrom;
  }
}
