import { ExamServiceError, isExamServiceError } from '../core/errors/base.ts';

/** How far a bulk import is. */
export interface ImportProgress {
  /** Rows that are done with: imported or failed. */
  readonly processed: number;
  /** Rows that the service took. */
  readonly imported: number;
  /** Rows that were left out; the summary gives the reason for each. */
  readonly failed: number;
  /** Batches that are done with. */
  readonly batches: number;
  /** Time since the import began, in milliseconds. */
  readonly elapsedMs: number;
}

/** A row that was left out. */
export interface RejectedRow {
  /** Place in the source, the first row being 0. */
  readonly index: number;
  /** Why: what the row breaks, or what the service or the network said. Never holds the row's password. */
  readonly reason: string;
}

/** What became of a bulk import. */
export interface ImportSummary extends ImportProgress {
  /** Every row that was left out, in the order of the source. */
  readonly rejected: readonly RejectedRow[];
  /**
   * Index of the first row that is not done with: the option `resumeFrom` of a rerun. After a whole import it is
   * the number of rows.
   */
  readonly resumeFrom: number;
}

/**
 * A bulk import ended before its source did. `cause` is why: the error of a batch, of a row or of the source, or
 * the reason of the signal. `summary` is what was done until then; a rerun with its `resumeFrom` does the rest.
 */
export class ImportStoppedError extends ExamServiceError {
  override readonly name = 'ImportStoppedError';
  override readonly code = 'import_stopped';
  /** What was done until then. */
  readonly summary: ImportSummary;

  constructor(summary: ImportSummary, cause: unknown) {
    const { imported, failed, resumeFrom } = summary;
    // Another library's message may quote a row, and so a password.
    const why = isExamServiceError(cause) ? ` ${cause.message}` : '';
    super(
      `participants.importAll: stopped with ${imported} rows imported and ${failed} left out; ` +
        `the rest begins at \`resumeFrom: ${resumeFrom}\`.${why}`,
      { outcome: 'unknown', retryable: isExamServiceError(cause) && cause.retryable },
      { cause },
    );
    this.summary = summary;
  }
}
