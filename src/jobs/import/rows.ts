// From a source to batches: reads rows, lets them be checked, gathers them, and keeps who has which email.

import { tryOrUndefined } from '../../util/try-or-undefined.ts';
import type { Rejection } from '../import-summary.ts';
import { LONGEST_LIST } from '../pool.ts';
import type { SourceRow } from '../source.ts';
import { Emails, emailKey } from './emails.ts';
import type { ImportedBatch, ParticipantImport } from './import-all-options.ts';
import type { RowCheck, RowRejection } from './row-check.ts';

/** A row that was read. */
export interface ReadRow extends SourceRow {
  /** What became of it: the request that brought it, why it was left out, or `null` if it was skipped. */
  result?: ImportedBatch | RowRejection | null;
  /** Whether it was skipped because the service has its email. */
  readonly isKnown?: boolean;
  /** What the service may have done with it, if it was sent. */
  outcome?: Rejection['outcome'] | undefined;
}

/** A row that is ready to be sent. */
export interface ReadyRow extends ReadRow {
  readonly row: ParticipantImport;
}

/** A range of the source. */
export class Batch {
  /** The rows to send. */
  readonly rows: ReadyRow[] = [];
  /** The rows that are not counted yet, in the order of the source. */
  readonly pending = new Set<ReadRow>();
  /** What is left to send, in order. */
  readonly parts: (readonly ReadyRow[])[] = [this.rows];
  /** What is sent again when it is due. */
  readonly later: (readonly ReadyRow[])[] = [];
}

/** Reads the rows of one import. */
export class Rows {
  readonly #check: RowCheck;
  readonly #resumeFrom: number;
  readonly #emails = new Emails();

  constructor(check: RowCheck, resumeFrom: number) {
    this.#check = check;
    this.#resumeFrom = resumeFrom;
  }

  /**
   * Gathers the rows of a source into batches.
   *
   * @param size how many rows a batch holds at present
   * @param existingEmails emails whose rows are skipped
   * @throws {JobError} when the source or `map` fails, for wrong columns, and for a row that breaks a rule unless such rows are to be
   * rejected
   */
  async *batches(
    source: AsyncIterable<SourceRow>,
    size: () => number,
    existingEmails: ReadonlySet<string>,
  ): AsyncGenerator<Batch, void, undefined> {
    let batch = new Batch();
    try {
      for await (const { index, given } of source) {
        if (index < this.#resumeFrom) {
          this.#skipSettled(given, index);
          continue;
        }
        const row = this.#read(given, index, existingEmails);
        batch.pending.add(row);
        if ('row' in row && row.result === undefined) batch.rows.push(row);
        // With nothing to send before it, a rejection is reported before further rows are read.
        const isReported = batch.rows.length === 0 && row.result !== null;
        const isLong = batch.pending.size - batch.rows.length >= LONGEST_LIST;
        if (isReported || batch.rows.length >= size() || isLong) {
          yield batch;
          batch = new Batch();
        }
      }
    } finally {
      // A failure comes after the rows before it.
      if (batch.pending.size > 0) yield batch;
    }
  }

  /** An earlier run settled this row: its email counts, what is wrong with it does not. */
  #skipSettled(given: unknown, index: number): void {
    const checked = tryOrUndefined(() => this.#check.check(given, index));
    if (checked && checked !== 'known' && 'row' in checked)
      this.#emails.register(emailKey(checked.row.email), checked.row, index);
  }

  #read(given: unknown, index: number, existingEmails: ReadonlySet<string>): ReadRow | ReadyRow {
    const checked = this.#check.check(given, index, existingEmails);
    if (checked === 'known') return { index, given, result: null, isKnown: true };
    if (checked === null || !('row' in checked)) return { index, given, result: checked };
    const { row } = checked;
    const holder = this.#emails.register(emailKey(row.email), row, index);
    if (holder === 'first') return { index, given, row };
    const issues = [{ path: ['email'], message: `is that of row ${holder}` }];
    return { index, given, result: holder === null ? null : this.#check.reject(index, issues, holder) };
  }
}
