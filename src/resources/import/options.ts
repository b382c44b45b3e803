// The options of a bulk import.

import type { Acknowledgement } from '../../core/answer/find.ts';
import type { RequestOptions } from '../../core/options.ts';
import type { ParticipantImport, RowMapper } from './row.ts';
import type { ImportProgress, RejectedRow } from './summary.ts';

/** Rows that the service accepted in one request. */
export interface ImportedBatch {
  /** Index of the first row in the source. */
  readonly from: number;
  /** Index after the last row, as for `slice`. Rows in between that were left out are not part of the batch. */
  readonly to: number;
  /** The service's answer. */
  readonly acknowledgement: Acknowledgement;
}

/**
 * Options of a bulk import of rows of type `Row`. The options of a single call apply to each of its requests.
 *
 * Functions are awaited, and an error they throw stops the import; an abort ends the import even while one is pending.
 * With a `concurrency` above 1, a function may be called while an earlier call is pending.
 */
export interface ImportAllOptions<Row = ParticipantImport> extends RequestOptions {
  /**
   * Turns each row of the source into a row of the service, so the source may contain rows of any type; `null` leaves
   * out the row and counts it as `skipped`. It must be synchronous: for work that takes time, make the source an async
   * generator.
   * @default rows are sent as they are
   */
  readonly map?: RowMapper<Row> | undefined;
  /**
   * Rows in one request. The service documents no limit.
   * @default 100
   */
  readonly batchSize?: number | undefined;
  /**
   * Requests in flight at once. With more than one, rows with the same email may arrive in another order than in the
   * source.
   * @default 1
   */
  readonly concurrency?: number | undefined;
  /**
   * What to do with a row that breaks a documented rule and so cannot be sent: `stop` the import after the rows before
   * it, or `skip` the row and count it as failed.
   * @default 'stop'
   */
  readonly onInvalid?: 'stop' | 'skip' | undefined;
  /**
   * What to do with a batch that the service refused.
   *
   * - `stop` the import.
   * - `continue` without the rows of the batch (400, 413, 422).
   * - `bisect`: find the faulty rows and continue without them. Rows that a 422 names in `fieldErrors` are left out and
   *   the rest is sent again; a batch refused with 413, or with a 422 that names no rows, is halved. A row can also
   *   cause a 500: the batch is then halved as long as the service accepts parts of it, and rows with the same email
   *   may arrive in another order than in the source. A 400, the limit of participants, is no row's fault and stops the
   *   import.
   *
   * In every mode the import stops, with `resumeFrom` at the first unsettled row, when the service cannot be reached or
   * still fails after the retries of the call, and when the key does not work (401, 403). No row counts as failed then.
   * @default 'stop'
   */
  readonly onBatchError?: 'stop' | 'continue' | 'bisect' | undefined;
  /**
   * Rows to skip at the start of the source, such as those that an earlier import settled.
   * @default 0
   */
  readonly resumeFrom?: number | undefined;
  /**
   * Called for every row that is left out because it breaks a rule or was refused. Such rows are then not collected in
   * `rejected`, so memory use stays flat. A row is settled only after this call.
   */
  readonly onRejected?: ((rejection: RejectedRow) => unknown) | undefined;
  /** Called for every request that the service accepted. */
  readonly onBatch?: ((batch: ImportedBatch) => unknown) | undefined;
  /** Called after every batch. */
  readonly onProgress?: ((progress: ImportProgress) => unknown) | undefined;
}
