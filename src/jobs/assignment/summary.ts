// The result of a bulk assignment.

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
