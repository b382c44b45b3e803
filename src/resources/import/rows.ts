// From a source to batches: reads rows, checks them and gathers them.
//
// Rows are made safe before they are sent: they follow the documented rules, bytes, strings and lists are refused by name, since
// they come from a source without a parser, and text is well formed, because half a character costs the whole batch (PHP answers
// 400). No request holds an email twice: Laravel's `distinct` names both rows, and leaving out both would lose the participant. A
// password with spaces at its ends is refused unless `map` has dealt with it: a framework that trims what an import brings, and not
// what a login form sends, would lock the participant out.

import { ConfigurationError, type ExamServiceError } from '../../core/errors/base.ts';
import { RequestValidationError } from '../../core/errors/request-error.ts';
import { trimmed } from '../../schemas/fields.ts';
import { importRow } from '../../schemas/participant.ts';
import { describeIssues, type SchemaIssue, toIssues } from '../../util/standard-schema.ts';
import { LONGEST_LIST, rowFault } from '../pool.ts';
import type { ImportedBatch, ImportPlan, ParticipantImport, RowMapper } from './options.ts';

/** A row with its position in the source. */
export interface NumberedRow {
  readonly index: number;
  /** Whether it was sent before, so that it is counted once. */
  wasSent?: boolean;
  /** What became of it: the request that brought it, or why it was left out; `null` if `map` did so. */
  fate?: ImportedBatch | string | null | undefined;
}

/** A row that is ready to be sent. */
export interface ReadyRow extends NumberedRow {
  readonly row: ParticipantImport;
  /** How the service failed on it alone, and whether it was up, which counts against the row. */
  crash?: { readonly error: ExamServiceError; readonly wasUp: boolean };
}

/** A range of the source. */
export class Batch {
  /** The rows to send, by their emails as the service compares them. */
  readonly rows = new Map<string, ReadyRow>();
  /** The rows that are not counted yet, in the order of the source. */
  readonly open = new Set<NumberedRow>();
  /** Comes when every row is settled, or rejects with why some are not. */
  done?: Promise<void>;
}

/**
 * Gathers the rows of a source into batches.
 *
 * @param size how many rows a batch holds at present
 * @throws {RequestValidationError} for a row that breaks a rule, unless such rows are to be skipped
 * @throws {JobFault} when the source or `map` fails
 */
export async function* readBatches<Row>(
  source: AsyncIterable<Row>,
  plan: ImportPlan,
  size: () => number,
): AsyncGenerator<Batch, void, undefined> {
  let batch = new Batch();
  let count = 0;
  try {
    for await (const given of source) {
      const index = count++;
      if (index < plan.resumeFrom) continue;
      const row = readRow(given, index, plan);
      const isLeftOut = typeof row !== 'object' || row === null;
      // The email as the service compares it: frameworks trim it, and databases ignore its case.
      const email = isLeftOut ? '' : trimmed(row.email).toLowerCase();
      if (batch.rows.has(email)) {
        yield batch;
        batch = new Batch();
      }
      if (isLeftOut) batch.open.add({ index, fate: row });
      else {
        const ready = { index, row };
        batch.open.add(ready);
        batch.rows.set(email, ready);
      }
      // With nothing to send before it, a rejection is told before further rows are read.
      const isTold = batch.rows.size === 0 && row !== null;
      if (isTold || batch.rows.size >= size() || batch.open.size - batch.rows.size >= LONGEST_LIST) {
        yield batch;
        batch = new Batch();
      }
    }
    if (count < plan.resumeFrom) {
      throw new ConfigurationError(
        `\`resumeFrom\` is ${plan.resumeFrom}, and the source has ${count} rows: pass it from its first row on again.`,
      );
    }
  } finally {
    // A failure comes after the rows before it.
    if (batch.open.size > 0) yield batch;
  }
}

const spacesAtEnds: SchemaIssue = {
  path: ['password'],
  message:
    'has spaces at its ends, and a service that trims them would lock the participant out; decide with the option `map`',
};

/** The row as it is sent, or why it is left out; `null` when `map` leaves it out. */
function readRow(
  given: unknown,
  index: number,
  { map, onInvalid }: ImportPlan,
): ParticipantImport | string | null {
  const mapped = map === undefined ? given : mapRow(map, given, index);
  if (map !== undefined && mapped === null) return null;
  const { success, data, error } = importRow.safeParse(mapped);
  if (success && !(map === undefined && trimmed(data.password) !== data.password)) return data;
  // First of all, what to do about an extra column, the usual problem of rows from a file.
  const rank = ({ code }: { readonly code?: string }) => (code === 'unrecognized_keys' ? 0 : 1);
  const issues = success ? [spacesAtEnds] : [...error.issues].sort((a, b) => rank(a) - rank(b));
  if (onInvalid === 'skip') return describeIssues(toIssues(issues));
  // Rows before it may have been sent.
  const numbered = toIssues(issues, [index]);
  throw new RequestValidationError('participants.importAll', numbered, 'The row was not sent.');
}

function mapRow(map: RowMapper<unknown>, row: unknown, index: number): unknown {
  let mapped: unknown;
  try {
    mapped = map(row, index);
  } catch (cause) {
    throw rowFault(`\`map\` failed on row ${index}`, cause, row);
  }
  const { then }: { readonly then?: unknown } = Object(mapped);
  if (typeof then !== 'function') return mapped;
  // Nobody will await it.
  then.call(mapped, undefined, () => {});
  throw new ConfigurationError(
    `\`map\` returned a promise for row ${index}: for work that takes time, make the source an async generator.`,
  );
}
