// From a source to batches: reads rows, checks them and gathers them.
//
// What is wrong with all rows stops the import, since a program must change; what is wrong with one is that row's fault. A password
// with spaces at its ends is one: a framework that trims what an import brings, and not what a login form sends, would lock the
// participant out.

import { RequestValidationError } from '../../core/errors/request-error.ts';
import { describeColumns } from '../../util/columns.ts';
import { isObject } from '../../util/json.ts';
import {
  describeIssues,
  type SchemaIssue,
  type SchemaResult,
  type StandardSchema,
  toIssues,
} from '../../util/standard-schema.ts';
import { tryOrUndefined } from '../../util/try-or-undefined.ts';
import { LONGEST_LIST } from '../pool.ts';
import { mapRow, type SourceRow } from '../source.ts';
import { Emails, emailKey } from './emails.ts';
import type { CheckedOptions, ImportedBatch, ParticipantImport } from './options.ts';
import type { Rejection } from './summary.ts';

/** A row that was read. */
export interface ReadRow extends SourceRow {
  /** What became of it: the request that brought it, why it was left out, or `null` if it was skipped. */
  result?: RowResult;
}

type RowResult = ImportedBatch | Omit<Rejection, 'index'> | null;

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
  isInDoubt?: boolean;
  onSettled?: () => void;
}

/** A range of the source. */
export class Batch {
  /** The rows to send. */
  readonly rows: ReadyRow[] = [];
  /** The rows that are not counted yet, in the order of the source. */
  readonly pending = new Set<ReadRow>();
}

const columns = ['email', 'name', 'password'];

/** What reads, checks and settles the rows of one import. */
export type Rows = ReturnType<typeof createRows>;

export function createRows(
  { map, invalidRows, resumeFrom }: CheckedOptions,
  schema: StandardSchema<ParticipantImport>,
) {
  const emails = new Emails();
  /** Columns that an earlier row had. */
  const known = new Set<string>();
  /** The last row of an email that is on its way. */
  const underWay = new Map<string, ReadyRow>();

  const rows = {
    /**
     * Gathers the rows of a source into batches.
     *
     * @param size how many rows a batch holds at present
     * @throws {RequestValidationError} for wrong columns, and for a row that breaks a rule unless such rows are to be rejected
     * @throws {JobError} when the source or `map` fails
     */
    async *batches(
      source: AsyncIterable<SourceRow>,
      size: () => number,
    ): AsyncGenerator<Batch, void, undefined> {
      let batch = new Batch();
      try {
        for await (const { index, given } of source) {
          if (index < resumeFrom) {
            // An earlier run settled it: its email counts, what is wrong with it does not.
            const row = tryOrUndefined(() => check(given, index));
            if (isRow(row)) emails.claim(emailKey(row.email), row, index);
            continue;
          }
          const row = read(given, index);
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
    },

    /** Takes the email for a row; otherwise the row is settled. Returns whether it is to be sent. */
    claim(row: ReadyRow): boolean {
      const holder = emails.claim(row.key, row.row, row.index);
      if (holder === 'taken') return true;
      const issue = {
        path: ['email'],
        message: `is that of row ${holder} (counted from 0), whose data it would overwrite`,
      };
      rows.settle(row, holder === null ? null : invalid(row.index, [issue]));
      return false;
    },

    /** Notes what became of a row. */
    settle(row: ReadyRow, result: RowResult): void {
      row.result = result;
      if (underWay.get(row.key) === row) underWay.delete(row.key);
      row.onSettled?.();
    },

    /** Rejects a row that was sent; another row may have its email then. */
    reject(row: ReadyRow, reason: string, outcome: Rejection['outcome']): void {
      emails.release(row.key);
      rows.settle(row, { reason, outcome });
    },
  };

  const read = (given: unknown, index: number): ReadRow | ReadyRow => {
    const row = check(given, index);
    if (!isRow(row)) return { index, given, result: row };
    const key = emailKey(row.email);
    const after = underWay.get(key);
    const ready: ReadyRow = { index, given, row, key, after };
    // What waits itself may not have the email in the end.
    if (after !== undefined && after.after === undefined && isEqual(after.row, row)) ready.result = null;
    else if (after !== undefined || rows.claim(ready)) underWay.set(key, ready);
    return ready;
  };

  /** The row as it is sent, or why it is rejected; `null` when `map` leaves it out. */
  const check = (given: unknown, index: number): ParticipantImport | Omit<Rejection, 'index'> | null => {
    const mapped = map === undefined ? given : mapRow(map, given, index, '{ email, name, password }');
    if (map !== undefined && mapped === null) return null;
    // The schema is one of the package, and synchronous.
    const result = schema['~standard'].validate(mapped) as SchemaResult<ParticipantImport>;
    assertColumns(mapped, given, index, result.issues);
    if (result.issues !== undefined) return invalid(index, result.issues);
    const faults = invisibleIn(result.value);
    return faults.length > 0 ? invalid(index, faults) : result.value;
  };

  /** @throws {RequestValidationError} for a column that is unknown, or that no row has had so far */
  const assertColumns = (
    mapped: unknown,
    given: unknown,
    index: number,
    issues: readonly SchemaIssue[] = [],
  ): void => {
    const row = isObject(mapped) ? mapped : {};
    const names = Object.keys(row);
    const filled = names.filter((name) => row[name] !== undefined);
    for (const name of filled) known.add(name);
    const isKnown = names.every((name) => columns.includes(name));
    if (isKnown && columns.every((name) => known.has(name))) return;
    const whole = issues.find(({ path = [] }) => path.length === 0);
    // A `map` that finds no column gives `undefined` for it: what matters then is what came.
    const found = map === undefined ? filled : Object.keys(Object(given));
    const came = isKnown ? found : names;
    throw invalidRow(index, [{ message: whole?.message ?? describeColumns(came, columns) }]);
  };

  /** @throws {RequestValidationError} where rows that break a rule stop the import */
  const invalid = (index: number, issues: readonly SchemaIssue[]): Omit<Rejection, 'index'> => {
    if (invalidRows === 'stop') throw invalidRow(index, issues);
    return { reason: describeIssues(toIssues(issues)), outcome: 'not_sent' };
  };

  return rows;
}

/** Rows before it may have been sent. */
function invalidRow(index: number, issues: readonly SchemaIssue[]): RequestValidationError {
  return new RequestValidationError(
    'participants.importAll',
    toIssues(issues, [index]),
    'The row was not sent.',
  );
}

function isRow(value: object | null | undefined): value is ParticipantImport {
  return isObject(value) && 'email' in value;
}

function isEqual(one: ParticipantImport, other: ParticipantImport): boolean {
  return one.email === other.email && one.name === other.name && one.password === other.password;
}

/** What nobody sees in a file, and what would keep its person from signing in. */
function invisibleIn(row: ParticipantImport): SchemaIssue[] {
  return (['email', 'password'] as const).flatMap((name) => {
    const [invisible] = /\p{Cf}/u.exec(row[name]) ?? [];
    const code = invisible?.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
    if (code !== undefined) return [{ path: [name], message: `holds the invisible character U+${code}` }];
    return /^\s|\s$/u.test(row[name]) ? [{ path: [name], message: 'has spaces at its ends' }] : [];
  });
}
