// The rows and the options of a bulk import.

import type { ApiPromise } from '../../core/api-promise.ts';
import {
  aBoolean,
  aCount,
  aFunction,
  type Checked,
  type OptionTable,
  oneOf,
  optional,
  withDefault,
} from '../../core/check.ts';
import type { Acknowledgement } from '../../core/operation.ts';
import { jobTable } from '../../core/options/call-options.ts';
import type { JobOptions } from '../../core/options/client-options.ts';
import type { StandardSchema } from '../../util/standard-schema.ts';
import type { ImportProgress, RejectedRow } from '../import-summary.ts';
import type { JobClient } from '../job.ts';
import { maxOutage } from '../outage.ts';

/** One row of an import: an item of `participants` in `POST /participants/import`. */
export interface ParticipantImport {
  /** Unique, and the login name. The participant with this email, if there is one, is updated. */
  readonly email: string;
  /** Full name. */
  readonly name: string;
  /** Login password. */
  readonly password: string;
}

/** What `map` returns for a row. A field may be `undefined`, such as an empty cell: the check of the row says what is missing. */
export interface MappedParticipant {
  /** Unique, and the login name. */
  readonly email: string | undefined;
  /** Full name. */
  readonly name: string | undefined;
  /** Login password. */
  readonly password: string | undefined;
}

/** Rows that the service accepted in one request. */
export interface ImportedBatch {
  /** Index of the first row in the source. */
  readonly from: number;
  /** Index after the last row, as for `slice`. Rows in between that were left out are not part of the batch. */
  readonly to: number;
  /** The service's response; its fields are `null` where it is empty or cannot be read. */
  readonly acknowledgement: Acknowledgement;
}

/**
 * Options of a bulk import of rows of type `Row`. The options of a single call apply to each of its requests. Functions are called one
 * at a time, in the order of the source, and awaited. An error they throw stops the import.
 */
export interface ImportAllOptions<Row = ParticipantImport> extends JobOptions {
  /**
   * Turns a row into `{ email, name, password }`, or into `null` to skip it. `index` is its position in the source, from 0. It must
   * be synchronous: for work that takes time, make the source an async generator.
   * @default the rows as they are
   */
  readonly map?: ((row: Row, index: number) => MappedParticipant | null) | undefined;
  /**
   * Most rows in one request. A request that was too large (413) or too slow (408, 504, a timeout) halves them; each accepted one
   * lets them grow again, up to this number.
   * @default 25
   */
  readonly batchSize?: number | undefined;
  /**
   * Requests in flight at once, at most `maxConcurrency` of the client. Above 1, a batch that gets a server error is sent once more
   * on its own.
   * @default 1
   */
  readonly concurrency?: number | undefined;
  /**
   * What to do with a row that breaks a rule: `stop` imports the rows before it and then stops, `reject` leaves the row out.
   * Unknown or missing columns stop the import in any case.
   * @default 'stop'
   */
  readonly invalidRows?: 'stop' | 'reject' | undefined;
  /**
   * What to do with a batch that the service rejects (409, 422, a 2xx body that reports failure).
   *
   * - `stop` the import.
   * - `reject` all rows of the batch, or a single row that is too large, and go on.
   * - `bisect`: find the rows at fault and reject them alone. Rows that a 422 names in `fieldErrors` are rejected and the rest is sent
   *   again; a batch without names is halved. So is one that gets a server error (a 5xx, a lost connection): a row that gets one
   *   alone, or no response in time, and again after the service accepted others, is rejected.
   *
   * In every mode the import stops when an error concerns every request: 400 (the limit of participants), 401, 403, no connection. With
   * `maxOutage` it waits where that may pass by itself.
   * @default 'stop'
   */
  readonly failedBatches?: 'stop' | 'reject' | 'bisect' | undefined;
  /**
   * What to do with a row whose email the service has: `update` overwrites that person's name and password, `skip` leaves the person
   * alone: such a row needs no name and no password. `skip` first reads the whole list of participants, as `findByEmail` does, and holds
   * the emails in memory; people who register meanwhile are updated.
   * @default 'update'
   */
  readonly existing?: 'update' | 'skip' | undefined;
  /**
   * Rows to skip at the start of the source, such as those that an earlier import settled. Their emails count as taken.
   * @default 0
   */
  readonly resumeFrom?: number | undefined;
  /**
   * For imports that run unattended: how long to wait for a service that is down before the import stops, in milliseconds; `Infinity`
   * for no limit. Meanwhile one request at a time is sent, each after a longer wait, up to a minute, and no row is rejected because of
   * the outage. Use it with `failedBatches: 'bisect'`: otherwise a batch that the service always fails on looks like an outage.
   * @default 0
   */
  readonly maxOutage?: number | undefined;
  /**
   * Whether to do everything but the import requests: rows that would be sent count as `imported`. With `existing: 'skip'`, `known` of
   * the summary says how many people would be overwritten without it.
   * @default false
   */
  readonly dryRun?: boolean | undefined;
  /** Called for every row that is rejected. */
  readonly onRejected?: ((rejection: RejectedRow<Row>) => unknown) | undefined;
  /**
   * Called for every request that the service accepted. It also judges responses that name failed rows or have the status 207, which
   * stop the import otherwise.
   */
  readonly onBatch?: ((batch: ImportedBatch) => unknown) | undefined;
  /** Called after every batch. */
  readonly onProgress?: ((progress: ImportProgress) => unknown) | undefined;
}

/** What an import is given by the resource: its operation, and what it needs to know of the client. */
export interface ImportService extends JobClient {
  /** The documented rules of a row; synchronous. */
  readonly row: StandardSchema<ParticipantImport>;
  /** Sends rows in one request. */
  send(rows: readonly ParticipantImport[], options: JobOptions): ApiPromise<Acknowledgement>;
  /** The emails of everybody, as `emailKey` writes them. */
  knownEmails(options: JobOptions): Promise<ReadonlySet<string>>;
}

/** A function among the options, for rows of any type. */
type RowFunction<Name extends 'map' | 'onRejected' | 'onBatch' | 'onProgress'> = NonNullable<
  ImportAllOptions<unknown>[Name]
>;

/** Every option with its check and its default. */
export const importTable = {
  ...jobTable,
  map: optional(aFunction<RowFunction<'map'>>),
  batchSize: withDefault(aCount(), 25),
  concurrency: withDefault(aCount(), 1),
  invalidRows: withDefault(oneOf(['stop', 'reject']), 'stop'),
  failedBatches: withDefault(oneOf(['stop', 'reject', 'bisect']), 'stop'),
  existing: withDefault(oneOf(['update', 'skip']), 'update'),
  resumeFrom: withDefault(aCount(0), 0),
  maxOutage,
  dryRun: withDefault(aBoolean, false),
  onRejected: optional(aFunction<RowFunction<'onRejected'>>),
  onBatch: optional(aFunction<RowFunction<'onBatch'>>),
  onProgress: optional(aFunction<RowFunction<'onProgress'>>),
} satisfies OptionTable<ImportAllOptions>;

/** The options as read, with every default. */
export type CheckedOptions = Checked<typeof importTable>;
