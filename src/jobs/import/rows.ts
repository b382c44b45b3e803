// From a source to batches: reads rows, lets them be checked, gathers them, and keeps who has which email.

import { tryOrUndefined } from '../../util/try-or-undefined.ts';
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
}

/** A row that is ready to be sent. */
export interface ReadyRow extends ReadRow {
  readonly row: ParticipantImport;
  /** Its email as the service compares it. */
  readonly key: string;
  /** An earlier row with the same email, which has to be settled first. */
  readonly after?: ReadyRow | undefined;
  /** Whether it was sent before, so that it is counted once. */
  wasSent?: boolean;
  /** Whether the service may have stored it. */
  mayBeStored?: boolean;
  onSettled?: () => void;
}

/** A range of the source. */
export class Batch {
  /** The rows to send. */
  readonly rows: ReadyRow[] = [];
  /** The rows that are not counted yet, in the order of the source. */
  readonly pending = new Set<ReadRow>();
}

/** Reads and settles the rows of one import. */
export class Rows {
  readonly #check: RowCheck;
  readonly #resumeFrom: number;
  readonly #emails = new Emails();
  /** The last row under way for each email. */
  readonly #underWay = new Map<string, ReadyRow>();

  constructor(check: RowCheck, resumeFrom: number) {
    this.#check = check;
    this.#resumeFrom = resumeFrom;
  }

  /**
   * Gathers the rows of a source into batches.
   *
   * @param size how many rows a batch holds at present
   * @param known emails whose rows are skipped
   * @throws {RequestValidationError} for wrong columns, and for a row that breaks a rule unless such rows are to be rejected
   * @throws {JobError} when the source or `map` fails
   */
  async *batches(
    source: AsyncIterable<SourceRow>,
    size: () => number,
    known: ReadonlySet<string>,
  ): AsyncGenerator<Batch, void, undefined> {
    let batch = new Batch();
    try {
      for await (const { index, given } of source) {
        if (index < this.#resumeFrom) {
          this.#passOver(given, index);
          continue;
        }
        const row = this.#read(given, index, known);
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

  /** Takes the email for a row; otherwise the row is settled. Returns whether it is to be sent. */
  claim(row: ReadyRow): boolean {
    const holder = this.#emails.claim(row.key, row.row, row.index);
    if (holder === 'taken') return true;
    const issues = [{ path: ['email'], message: `is that of row ${holder}` }];
    this.settle(row, holder === null ? null : this.#check.reject(row.index, issues, holder));
    return false;
  }

  /** Notes what became of a row. */
  settle(row: ReadyRow, result: ImportedBatch | RowRejection | null): void {
    row.result = result;
    if (this.#underWay.get(row.key) === row) this.#underWay.delete(row.key);
    row.onSettled?.();
  }

  /** Rejects a row that was sent; another row may have its email then. */
  reject(row: ReadyRow, message: string, outcome: RowRejection['outcome']): void {
    this.#emails.release(row.key);
    this.settle(row, { message, outcome, duplicateOf: null });
  }

  /** An earlier run settled this row: its email counts, what is wrong with it does not. */
  #passOver(given: unknown, index: number): void {
    const checked = tryOrUndefined(() => this.#check.check(given, index));
    if (checked && 'row' in checked) this.#emails.claim(emailKey(checked.row.email), checked.row, index);
  }

  #read(given: unknown, index: number, known: ReadonlySet<string>): ReadRow | ReadyRow {
    const checked = this.#check.check(given, index);
    if (checked === null || !('row' in checked)) return { index, given, result: checked };
    const { row } = checked;
    const key = emailKey(row.email);
    if (known.has(key)) return { index, given, result: null, isKnown: true };
    const after = this.#underWay.get(key);
    const ready: ReadyRow = { index, given, row, key, after };
    // An equal row need not be sent, unless the row before it waits: that one has not claimed the email, and may fail to.
    if (after !== undefined && after.after === undefined && isEqual(after.row, row)) ready.result = null;
    else if (after !== undefined || this.claim(ready)) this.#underWay.set(key, ready);
    return ready;
  }
}

function isEqual(one: ParticipantImport, other: ParticipantImport): boolean {
  return one.email === other.email && one.name === other.name && one.password === other.password;
}
