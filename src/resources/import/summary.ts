// The progress and the result of a bulk import, and the error of one that stopped.

import { isTooLarge, isTooSlow } from '../../core/errors/api-error.ts';
import { ExamServiceError, isVerdict } from '../../core/errors/base.ts';
import { stoppedBy } from '../pool.ts';

/** Progress of a bulk import. */
export interface ImportProgress {
  /** Rows settled, counted from the start of the source, so including those before `resumeFrom`. Compare it with `total`. */
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

/** A row that was left out because it breaks a rule, was refused, or made the service fail (with `bisect`). */
export interface RejectedRow {
  /** Position in the source, from 0. */
  readonly index: number;
  /**
   * Which rule the row breaks, or what the service said; after a failure, also that it may be imported all the same. Never
   * contains the row's password.
   */
  readonly reason: string;
}

/** The result of a bulk import. */
export interface ImportSummary extends ImportProgress {
  /** Rows sent in this run, each counted once, also those that waited in line when it was aborted. Whether the service accepted those not settled is unknown. */
  readonly sent: number;
  /** The first 1,000 rows counted in `failed`, in the order of the source; empty when `onRejected` was called for them instead. */
  readonly rejected: readonly RejectedRow[];
  /**
   * Index of the first unsettled row: the `resumeFrom` option of another run. After a complete import it is the number of rows.
   * Later rows may be imported too, as batches can finish out of order; importing them again does no harm.
   */
  readonly resumeFrom: number;
}

/**
 * A bulk import ended before its source did. `cause` is why: the error of a batch, of a row, of the source or of one of your
 * functions, or the reason of the signal. `outcome` says what became of the rows at which it stopped. To do the rest, run the
 * import again with this `resumeFrom`.
 */
export class ImportStoppedError extends ExamServiceError {
  /** @internal */
  static override readonly kind: string = 'import_stopped';
  override readonly name = 'ImportStoppedError';
  override readonly code = 'import_stopped';
  /** What was done until then. */
  readonly summary: ImportSummary;
  /** Index of the first unsettled row, as in `summary`. */
  readonly resumeFrom: number;

  /** @internal Made by the import. */
  constructor(summary: ImportSummary, cause: unknown, signal: AbortSignal | undefined) {
    const { sent, imported, failed, resumeFrom } = summary;
    const isTooMuch = isVerdict(cause, signal) && (isTooLarge(cause) || isTooSlow(cause));
    const done =
      `participants.importAll: stopped with ${sent} ${sent === 1 ? 'row' : 'rows'} sent, ${imported} imported and ` +
      `${failed} left out; continue with \`resumeFrom: ${resumeFrom}\`` +
      `${isTooMuch ? ' and a smaller `batchSize`' : ''}.`;
    super(...stoppedBy(cause, signal, done, sent));
    this.summary = summary;
    this.resumeFrom = resumeFrom;
  }
}
