// The results of a bulk assignment, of each pair and of all.

import type { AnyCallError } from '../core/errors/call-error.ts';

/** A participant and an exam: body or query of the endpoints under `/exam-participants`. */
export interface Assignment {
  /** Id of the participant. */
  readonly participant_id: number;
  /** Id of the exam. */
  readonly exam_id: number;
}

export interface AssignmentPlace extends Assignment {
  /** Position in the source, from 0. */
  readonly index: number;
}

/** A pair that is assigned. */
export interface AssignmentSuccess extends AssignmentPlace {
  /** `already_assigned` also when a response was lost, so that it is not known which of the two it is. */
  readonly status: 'assigned' | 'already_assigned';
  /** The link to the exam; `null` if nothing asked for it, or `linkError` says why there is none. */
  readonly url: string | null;
  /** A pair that is assigned has none. */
  readonly error: null;
  /**
   * Why there is no link although `link` was set: the service rejects the request for it, sends none, or fails on it twice and accepts
   * others in between. The pair is assigned anyway. Otherwise `null`.
   */
  readonly linkError: AnyCallError | null;
}

/** A pair that could not be assigned: the service rejected it or failed on it, or an id is invalid. */
export interface AssignmentFailure extends AssignmentPlace {
  /** The pair could not be shown to be assigned. */
  readonly status: 'failed';
  /** A pair that is not assigned has no link. */
  readonly url: null;
  /** Why. With the `outcome` `unknown`, the pair may be assigned anyway, and running it again is safe. */
  readonly error: AnyCallError;
  /** Nothing asks for the link of such a pair. */
  readonly linkError: null;
}

/** The result for one pair of a bulk assignment. */
export type AssignmentResult<Row = unknown> = (AssignmentSuccess | AssignmentFailure) & {
  /** The row as the source gave it. Not enumerable, so that a printed result shows nothing of it. */
  readonly row: Row;
};

/** The result of a bulk assignment. */
export interface AssignmentsSummary {
  /** Rows settled, counted from the start of the source, so including those before `resumeFrom`. */
  readonly processed: number;
  /** Pairs that this run assigned. */
  readonly assigned: number;
  /** Pairs that were assigned before, or whose response was lost. */
  readonly alreadyAssigned: number;
  /** Pairs among these with a `linkError`; 0 unless `link` was set. */
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
