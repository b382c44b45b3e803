// From a source to batches: reads rows, checks them and gathers them.
//
// Rows are made safe before they are sent. A row is checked against the documented rules; bytes, strings and lists are refused by
// name, since they come from a source without a parser; text must be well formed, because half a character costs the whole batch
// (PHP answers 400). No request holds an email twice: Laravel's `distinct` names both rows, and leaving out both would lose the
// participant. So a batch ends before a repetition. A password with spaces at its ends is refused unless `map` has dealt with it:
// a framework that trims what an import brings, and not what an update or a login form sends, would lock the participant out.
// A batch is a range of the source: what is left out within it is told together with its answers, so that all comes in order.

import { ConfigurationError } from '../../core/errors/base.ts';
import { RequestValidationError } from '../../core/errors/request-error.ts';
import type { Acknowledgement } from '../../core/operation.ts';
import { hasSpacesAtEnds } from '../../schemas/fields.ts';
import { importRow } from '../../schemas/participant.ts';
import { describeIssues, type SchemaIssue, type SchemaResult, toIssues } from '../../util/standard-schema.ts';
import type { RowReader } from '../pool.ts';
import type { ImportPlan, ParticipantImport, RowMapper } from './options.ts';
import { ImportFault } from './summary.ts';

/** A row that is ready to be sent, with its position in the source. */
export interface NumberedRow {
  readonly index: number;
  readonly row: ParticipantImport;
  /** Whether it was sent, so that it is counted once. */
  isSent?: boolean;
}

/** What became of rows, with the position of the first of them. */
export type Settled =
  | {
      readonly index: number;
      /** Rows that the service accepted in one request. */
      readonly rows: readonly NumberedRow[];
      readonly acknowledgement: Acknowledgement;
    }
  | {
      readonly index: number;
      readonly rows?: undefined;
      /** Why the row was left out; `null` when `map` left it out. */
      readonly reason: string | null;
    };

/** Rows left out in a row that are told together, so that a source of nothing else takes no memory. */
const MOST_LEFT_OUT = 1_000;

/** A range of the source: the rows to send, and what became of every row in it. */
export interface Batch {
  readonly rows: NumberedRow[];
  /** The emails of the rows, as the service compares them. */
  readonly emails: Set<string>;
  readonly settled: Settled[];
  /** Indexes of the rows that are not counted yet, in ascending order. */
  readonly open: Set<number>;
  /** Index after the last row. */
  end: number;
  /** Comes when every row that can be is settled. */
  done?: Promise<Batch>;
  /** Why the rest of the rows was not settled. */
  failure?: { readonly cause: unknown };
}

/** The email as the service compares it: frameworks trim it, and databases ignore its case. */
export function emailOf({ row }: NumberedRow): string {
  return row.email.trim().toLowerCase();
}

/**
 * Reads batches from a source, one after the other. The function gives the next one, `null` at the end. The rows before a failure
 * come first. It throws a `RequestValidationError` for a row that breaks a rule, unless such rows are to be skipped, and an
 * `ImportFault` when the source or `map` fails.
 *
 * @param size how many rows a batch holds at present
 */
export function readBatches<Row>(
  reader: RowReader<Row>,
  { map, onInvalid, resumeFrom, signal }: ImportPlan,
  size: () => number,
): () => Promise<Batch | null> {
  /** The row that began the next batch because its email stands in this one. */
  let held: NumberedRow | null = null;
  let failure: { readonly cause: unknown } | undefined;
  let count = 0;

  const fill = async (batch: Batch): Promise<void> => {
    while (batch.rows.length < size() && batch.settled.length < MOST_LEFT_OUT) {
      if (signal?.aborted) throw signal.reason;
      let row = held;
      held = null;
      if (row === null) {
        const next = await reader.next().catch((cause: unknown) => {
          throw new ImportFault('The source failed.', cause);
        });
        if (next === null) return;
        const index = count++;
        if (index < resumeFrom) continue;
        const read = readRow(index, next.row);
        if (typeof read !== 'object' || read === null) {
          batch.settled.push({ index, reason: read });
          batch.open.add(index);
          batch.end = index + 1;
          // With nothing to send before it, a rejection is told before further rows are read.
          if (batch.rows.length === 0 && read !== null) return;
          continue;
        }
        row = { index, row: read };
      }
      const email = emailOf(row);
      if (batch.emails.has(email)) {
        held = row;
        return;
      }
      batch.rows.push(row);
      batch.emails.add(email);
      batch.open.add(row.index);
      batch.end = row.index + 1;
    }
  };
  /** The row as it is sent, or why it is left out. */
  const readRow = (index: number, row: Row): ParticipantImport | string | null => {
    const mapped = map === undefined ? row : mapRow(map, row, index);
    if (map !== undefined && mapped === null) return null;
    const checked = checkRow(mapped, map !== undefined);
    if (checked.issues === undefined) return checked.value;
    if (onInvalid === 'skip') return describeIssues(toIssues(checked.issues));
    // Rows before it may have been sent.
    throw new RequestValidationError(
      'participants.importAll',
      toIssues(checked.issues, [index]),
      'The row was not sent.',
    );
  };
  return async () => {
    if (failure !== undefined) throw failure.cause;
    const batch: Batch = { rows: [], emails: new Set(), settled: [], open: new Set(), end: 0 };
    try {
      await fill(batch);
    } catch (cause) {
      failure = { cause };
      if (batch.open.size === 0) throw cause;
    }
    return batch.open.size === 0 ? null : batch;
  };
}

function mapRow(map: RowMapper<unknown>, row: unknown, index: number): unknown {
  let mapped: unknown;
  try {
    mapped = map(row, index);
  } catch (cause) {
    throw new ImportFault(`\`map\` failed on row ${index}.`, cause);
  }
  const { then }: { readonly then?: unknown } = Object(mapped);
  if (typeof then !== 'function') return mapped;
  // Nobody will await it.
  then.call(mapped, undefined, () => {});
  throw new ConfigurationError(
    `\`map\` returned a promise for row ${index}: for work that takes time, make the source an async generator.`,
  );
}

function checkRow(value: unknown, isMapped: boolean): SchemaResult<ParticipantImport> {
  // Request schemas are synchronous, although the type of Standard Schemas does not say so.
  const result = importRow['~standard'].validate(value) as SchemaResult<ParticipantImport>;
  if (result.issues !== undefined) return { issues: explain(result.issues) };
  if (isMapped || !hasSpacesAtEnds(result.value.password)) return result;
  const message =
    'has spaces at its ends, and a service that trims them would lock the participant out; decide with the option `map`';
  return { issues: [{ path: ['password'], message }] };
}

/** Puts first what to do about an extra column, the usual problem of rows from a file. */
function explain(issues: readonly SchemaIssue[]): readonly SchemaIssue[] {
  const [extra = [], others = []] = [true, false].map((isExtra) =>
    issues.filter((issue) => ('code' in issue && issue.code === 'unrecognized_keys') === isExtra),
  );
  const hint = ({ message }: SchemaIssue) =>
    message.startsWith('does not take') ? `${message}; leave it out with the option \`map\`` : message;
  return [...extra.map((issue) => ({ message: hint(issue) })), ...others];
}
