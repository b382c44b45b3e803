import type { Acknowledgement } from '../../core/answer/find.ts';
import type { RequestOptions } from '../../core/options.ts';
import type { ParticipantImport, RowMapper } from './row.ts';
import type { ImportProgress, RejectedRow } from './summary.ts';

/** Rows that the service took with one request. */
export interface ImportedBatch {
  /** Index of the first of them in the source. */
  readonly from: number;
  /** Index after the last of them, as for `slice`. Rows in between that were left out do not belong to them. */
  readonly to: number;
  /** What the service answered. */
  readonly acknowledgement: Acknowledgement;
}

/**
 * Options of a bulk import of rows of the type `Row`. Those of a single call hold for each of its requests.
 *
 * The functions among them are waited for, and what they throw stops the import; an abort ends it even while one of them
 * is pending. With a `concurrency` above 1 they may be called while an earlier call is pending.
 */
export interface ImportAllOptions<Row = ParticipantImport> extends RequestOptions {
  /**
   * Turns each row of the source into a row of the service, so that the source may hold rows of any type; `null` leaves
   * the row out and counts it as `skipped`. It must return at once: for work that takes time, make the source an async
   * generator.
   * @default rows are sent as they are
   */
  readonly map?: RowMapper<Row> | undefined;
  /**
   * Rows in one request. The interface document shows no ceiling for it (Limits).
   * @default 100
   */
  readonly batchSize?: number | undefined;
  /**
   * Requests under way at once. With more than one, rows of the same email may arrive in another order than the
   * source's.
   * @default 1
   */
  readonly concurrency?: number | undefined;
  /**
   * What to do with a row that breaks a documented rule, which is not sent: `stop` the import, after the rows
   * before it; or `skip` the row, which then counts as failed.
   * @default 'stop'
   */
  readonly onInvalid?: 'stop' | 'skip' | undefined;
  /**
   * What to do with a batch that the service refused.
   *
   * - `stop` the import.
   * - `continue` without the rows of the batch (400, 413, 422).
   * - `bisect`: find the rows at fault and go on without them. Rows that a 422 names in `fieldErrors` are left out and the
   *   rest is sent again; a batch refused with 413, or with a 422 that names none, is halved. A 500 can be a row's
   *   fault, too: the batch is halved while the service takes parts of it, and rows of the same email in it may then
   *   arrive in another order than the source's. A 400, the ceiling of participants, is no row's fault and stops the import.
   *
   * In every mode the import stops, with `resumeFrom` at the first row that is not done with, when the service cannot be
   * reached or fails after the retries of the call, and when the key does not work (401, 403). No row counts as failed then.
   * @default 'stop'
   */
  readonly onBatchError?: 'stop' | 'continue' | 'bisect' | undefined;
  /**
   * Rows at the beginning of the source to pass over, such as those that an earlier import did.
   * @default 0
   */
  readonly resumeFrom?: number | undefined;
  /**
   * Told of every row that is left out because it breaks a rule or was refused, as it is found. The rows are then not
   * gathered in `rejected`, so that memory stays flat. A row counts as done once this was told of it.
   */
  readonly onRejected?: ((rejection: RejectedRow) => unknown) | undefined;
  /** Told of every request that the service took. */
  readonly onBatch?: ((batch: ImportedBatch) => unknown) | undefined;
  /** Told after every batch. */
  readonly onProgress?: ((progress: ImportProgress) => unknown) | undefined;
}
