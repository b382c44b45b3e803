// The rows and the options of a bulk import.

import type { Acknowledgement } from '../../core/operation.ts';
import { callTable } from '../../core/options/call-options.ts';
import {
  aCount,
  aFunction,
  type Checked,
  type OptionTable,
  oneOf,
  optional,
  withDefault,
} from '../../core/options/check.ts';
import type { RequestOptions } from '../../core/options/client-options.ts';
import type { ImportProgress, RejectedRow } from './summary.ts';

/** One row of an import: an item of `participants` in `POST /participants/import`. */
export interface ParticipantImport {
  /** Unique, and the login name. The participant with this email, if there is one, is updated. */
  readonly email: string;
  /** Full name. */
  readonly name: string;
  /** Login password. */
  readonly password: string;
}

/** Turns a row of the source, which has this position from 0, into a row of the service; `null` leaves it out. */
export type RowMapper<Row> = (row: Row, index: number) => ParticipantImport | null;

/** Rows that the service accepted in one request. */
export interface ImportedBatch {
  /** Index of the first row in the source. */
  readonly from: number;
  /** Index after the last row, as for `slice`. Rows in between that were left out are not part of the batch. */
  readonly to: number;
  /** The service's answer; its fields are `null` where it is empty or cannot be read. */
  readonly acknowledgement: Acknowledgement;
}

/** Options of a bulk import of rows of type `Row`; `map` is required unless the rows are those of the service. */
export type ImportAllOptions<Row = ParticipantImport> = ImportSettings & MapOption<Row>;

/**
 * The options of a bulk import besides `map`. The options of a single call apply to each of its requests. Functions are called one
 * at a time, in the order of the source, and awaited. An error they throw stops the import.
 */
export interface ImportSettings extends RequestOptions {
  /**
   * Rows in one request, at most. After a request that was too large (413) or not answered in time (408, 504, a timeout), the rest
   * of the import sends half as many.
   * @default 25
   */
  readonly batchSize?: number | undefined;
  /**
   * Requests in flight at once. Rows with the same email are sent in the order of the source.
   * @default 1
   */
  readonly concurrency?: number | undefined;
  /**
   * What to do with a row that breaks a documented rule: `stop` the import after the rows before it, or `skip` the row and count it
   * as failed.
   * @default 'stop'
   */
  readonly onInvalid?: 'stop' | 'skip' | undefined;
  /**
   * What to do with a batch that the service refused.
   *
   * - `stop` the import.
   * - `continue` without the rows of the batch (400, 409, 422, a success that says no, one row that is too large).
   * - `bisect`: find the faulty rows and continue without them. Rows that a 422 names in `fieldErrors` are left out and the rest
   *   is sent again; a batch that is refused without names is halved. So is one on which the service fails, as long as it accepts
   *   a row that it accepted before. A 400, the limit of participants, is no row's fault and stops the import.
   *
   * In every mode the import stops when the key does not work (401, 403), and when the service cannot be reached or still fails
   * after the retries of the call. No row counts as failed then.
   * @default 'stop'
   */
  readonly onBatchError?: 'stop' | 'continue' | 'bisect' | undefined;
  /**
   * Rows to skip at the start of the source, such as those that an earlier import settled.
   * @default 0
   */
  readonly resumeFrom?: number | undefined;
  /** Called for every row that is left out because it breaks a rule or was refused; `rejected` in the summary then stays empty. */
  readonly onRejected?: ((rejection: RejectedRow) => unknown) | undefined;
  /** Called for every request that the service accepted. */
  readonly onBatch?: ((batch: ImportedBatch) => unknown) | undefined;
  /** Called after every batch. */
  readonly onProgress?: ((progress: ImportProgress) => unknown) | undefined;
}

/** The option `map`, required where the rows of the source are not those of the service. */
export type MapOption<Row> = [Row] extends [ParticipantImport]
  ? {
      /** The default sends rows as they are. */
      readonly map?: RowMapper<Row> | undefined;
    }
  : {
      /**
       * Turns each row of the source into a row of the service; `null` leaves it out and counts it as `skipped`. It must be
       * synchronous: for work that takes time, make the source an async generator.
       */
      readonly map: RowMapper<Row>;
    };

/** Every option with its check and its default. */
export const importTable = {
  ...callTable,
  map: optional(aFunction<RowMapper<unknown>>),
  batchSize: withDefault(aCount(), 25),
  concurrency: withDefault(aCount(), 1),
  onInvalid: withDefault(oneOf(['stop', 'skip']), 'stop'),
  onBatchError: withDefault(oneOf(['stop', 'continue', 'bisect']), 'stop'),
  resumeFrom: withDefault(aCount(0), 0),
  onRejected: optional(aFunction<NonNullable<ImportSettings['onRejected']>>),
  onBatch: optional(aFunction<NonNullable<ImportSettings['onBatch']>>),
  onProgress: optional(aFunction<NonNullable<ImportSettings['onProgress']>>),
} satisfies OptionTable<ImportAllOptions>;

/** The options as read, with every default. */
export type ImportPlan = Checked<typeof importTable>;
