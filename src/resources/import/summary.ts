// The progress and the result of a bulk import.

/** Progress of a bulk import. */
export interface ImportProgress {
  /**
   * Rows settled, counted from the start of the source: those before `resumeFrom`, and those that this run imported or
   * left out as `failed` or `skipped`. Compare it with `total`.
   */
  readonly processed: number;
  /** Rows that the service accepted in this run. */
  readonly imported: number;
  /** Rows left out in this run because they break a rule or were refused. */
  readonly failed: number;
  /** Rows left out in this run because `map` returned `null`. */
  readonly skipped: number;
  /** Batches settled in this run. */
  readonly batches: number;
  /** Rows in the source, if it has a `length` or `size`, as arrays, Sets and Maps do; otherwise `null`. */
  readonly total: number | null;
  /** Time since the import began, in milliseconds. */
  readonly elapsedMs: number;
}

/** A row that was left out because it breaks a rule or was refused. */
export interface RejectedRow {
  /** Position in the source, from 0. */
  readonly index: number;
  /** Which rule the row breaks, or what the service said. Never contains the row's password. */
  readonly reason: string;
}

/** The result of a bulk import. */
export interface ImportSummary extends ImportProgress {
  /**
   * Rows sent in this run, each counted once. After an abort or an outage there can be more than were imported and
   * refused: whether the service accepted the others is unknown, and sending them again does no harm.
   */
  readonly sent: number;
  /** Every row counted in `failed`, in the order of the source; empty when `onRejected` was called for them instead. */
  readonly rejected: readonly RejectedRow[];
  /**
   * Index of the first unsettled row: the `resumeFrom` option of another run. After a complete import it is the number
   * of rows. Later rows may be settled too, as batches can finish out of order; importing them again does no harm.
   */
  readonly resumeFrom: number;
}
