/** How far a bulk import is. */
export interface ImportProgress {
  /**
   * Rows that are done with, counted from the start of the source: those before `resumeFrom`, and those that this run
   * imported, left out as `failed` or left out as `skipped`. Of `total`, the part that is done.
   */
  readonly processed: number;
  /** Rows that the service took in this run. */
  readonly imported: number;
  /** Rows that were left out in this run because they break a rule or were refused. */
  readonly failed: number;
  /** Rows that were left out in this run because `map` returned `null` for them. */
  readonly skipped: number;
  /** Batches that are done with in this run. */
  readonly batches: number;
  /** Rows in the source, where it has a `length` or a `size`, as arrays, Sets and Maps do; `null` for any other. */
  readonly total: number | null;
  /** Time since the import began, in milliseconds. */
  readonly elapsedMs: number;
}

/** A row that was left out because it breaks a rule or was refused. */
export interface RejectedRow {
  /** Place in the source, the first row being 0. */
  readonly index: number;
  /** Why: which rule the row breaks, or what the service said. Never holds the row's password. */
  readonly reason: string;
}

/** What became of a bulk import. */
export interface ImportSummary extends ImportProgress {
  /**
   * Rows that went into a request in this run, each counted once. After an abort or an outage they can be more than were
   * imported and refused: whether the service took the others is unknown, and sending them again does no harm.
   */
  readonly sent: number;
  /** Every row that `failed` counts, in the order of the source; empty when `onRejected` was told of them instead. */
  readonly rejected: readonly RejectedRow[];
  /**
   * Index of the first row that is not done with: the option `resumeFrom` of a rerun. After a whole import it is the
   * number of rows. Later rows may be done as well, as batches need not end in order; a rerun does no harm to them.
   */
  readonly resumeFrom: number;
}
