// The progress and the result of a bulk import.

import type { Outcome } from '../core/errors/base.ts';

/** Progress of a bulk import. */
export interface ImportProgress {
  /** Rows settled, counted from the start of the source, so including those before `resumeFrom`. Compare it with `total`. */
  readonly processed: number;
  /** Rows that the service accepted in this run. */
  readonly imported: number;
  /** Rows left out in this run because they break a rule or were rejected. */
  readonly rejected: number;
  /**
   * Rows left out in this run because `map` returned `null`, because they are blank or equal to an earlier row, or, with
   * `existing: 'skip'`, because the service has their email.
   */
  readonly skipped: number;
  /** Batches settled in this run. */
  readonly batches: number;
  /** Rows in the source, if it has a `length` or `size`, as arrays, Sets and Maps do; otherwise `null`. */
  readonly total: number | null;
  /** Time since the import began, in milliseconds. */
  readonly elapsedMs: number;
}

/** A row that was left out because it breaks a rule, was rejected, or got a server error or no response twice (with `bisect`). */
export interface Rejection {
  /** Position in the source, from 0. */
  readonly index: number;
  /** Which rule the row breaks, or what the service said. Never contains the row's password. */
  readonly message: string;
  /** `not_sent` where it breaks a rule; `unknown` where it may have been imported. */
  readonly outcome: Exclude<Outcome, 'done'>;
  /** Index of the row that has the same email, where that is the reason; otherwise `null`. */
  readonly duplicateOf: number | null;
}

/** A rejection with its row. */
export interface RejectedRow<Row = unknown> extends Rejection {
  /** The row as the source gave it. Not enumerable, so that a printed rejection shows no password. */
  readonly row: Row;
}

/** The result of a bulk import. */
export interface ImportSummary extends ImportProgress {
  /**
   * Rows counted in `skipped` because the service has their email: with `dryRun`, how many people an import without `existing: 'skip'`
   * would overwrite. `null` without that option.
   */
  readonly known: number | null;
  /** Rows sent in this run, each counted once, including those still in the queue when it was aborted. */
  readonly sent: number;
  /** Import requests that were sent, each attempt counted. */
  readonly requests: number;
  /** The first 1,000 rows counted in `rejected`, in the order of the source. */
  readonly rejections: readonly Rejection[];
  /**
   * Index of the first unsettled row: the `resumeFrom` option of another run. After a complete import it is the number of rows.
   * Later rows may be imported too, as batches can finish out of order; importing them again does no harm.
   */
  readonly resumeFrom: number;
}
