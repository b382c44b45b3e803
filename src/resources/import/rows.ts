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
import { hasSpacesAtEnds } from '../../schemas/fields.ts';
import { importRow } from '../../schemas/participant.ts';
import { describeIssues, type SchemaIssue, type SchemaResult, toIssues } from '../../util/standard-schema.ts';
import { JobFault } from '../pool.ts';
import type { ImportedBatch, ImportPlan, ParticipantImport, RowMapper } from './options.ts';

/** A row with its position in the source. */
export interface NumberedRow {
  readonly index: number;
  /** Whether it was sent before, so that it is counted once. */
  wasSent?: boolean;
  /** What became of it: the request with which the service accepted it, or why it was left out, `null` for `map`'s own reason. */
  fate?: { readonly accepted: ImportedBatch } | { readonly reason: string | null };
}

/** A row that is ready to be sent. */
export interface ReadyRow extends NumberedRow {
  readonly row: ParticipantImport;
}

/** Rows left out in a row that are told together, so that a source of nothing else takes no memory. */
const MOST_LEFT_OUT = 1_000;

/** A range of the source. */
export class Batch {
  /** The rows to send. */
  readonly rows: ReadyRow[] = [];
  /** Their emails, as the service compares them. */
  readonly emails = new Set<string>();
  /** The rows that are not counted yet, in the order of the source. */
  readonly open = new Set<NumberedRow>();
  /** Comes when every row that can be is settled. */
  done?: Promise<void>;
  /** Why the rest of the rows was not settled. */
  failure?: { readonly cause: unknown };
}

/**
 * Gathers the rows of a source into batches. The rows before a failure come first.
 *
 * @param size how many rows a batch holds at present
 * @throws {RequestValidationError} for a row that breaks a rule, unless such rows are to be skipped
 * @throws {JobFault} when the source or `map` fails
 */
export async function* readBatches<Row>(
  source: AsyncIterable<Row>,
  { map, onInvalid, resumeFrom }: ImportPlan,
  size: () => number,
): AsyncGenerator<Batch, void, undefined> {
  let batch = new Batch();
  let failure: { readonly cause: unknown } | undefined;
  let count = 0;
  try {
    for await (const given of source) {
      const index = count++;
      if (index < resumeFrom) continue;
      const row = readRow(given, index, map, onInvalid);
      const isLeftOut = typeof row !== 'object' || row === null;
      // The email as the service compares it: frameworks trim it, and databases ignore its case.
      const email = isLeftOut ? '' : row.email.trim().toLowerCase();
      if (batch.emails.has(email)) {
        yield batch;
        batch = new Batch();
      }
      if (isLeftOut) batch.open.add({ index, fate: { reason: row } });
      else {
        const ready = { index, row };
        batch.open.add(ready);
        batch.rows.push(ready);
        batch.emails.add(email);
      }
      // With nothing to send before it, a rejection is told before further rows are read.
      const isTold = batch.rows.length === 0 && row !== null;
      if (isTold || batch.rows.length >= size() || batch.open.size - batch.rows.length >= MOST_LEFT_OUT) {
        yield batch;
        batch = new Batch();
      }
    }
  } catch (cause) {
    failure = { cause };
  }
  if (batch.open.size > 0) yield batch;
  if (failure !== undefined) throw failure.cause;
}

/** The row as it is sent, or why it is left out; `null` when `map` leaves it out. */
function readRow(
  given: unknown,
  index: number,
  map: RowMapper<unknown> | undefined,
  onInvalid: ImportPlan['onInvalid'],
): ParticipantImport | string | null {
  const mapped = map === undefined ? given : mapRow(map, given, index);
  if (map !== undefined && mapped === null) return null;
  const checked = checkRow(mapped, map !== undefined);
  if (checked.issues === undefined) return checked.value;
  if (onInvalid === 'skip') return describeIssues(toIssues(checked.issues));
  // Rows before it may have been sent.
  const issues = toIssues(checked.issues, [index]);
  throw new RequestValidationError('participants.importAll', issues, 'The row was not sent.');
}

function mapRow(map: RowMapper<unknown>, row: unknown, index: number): unknown {
  let mapped: unknown;
  try {
    mapped = map(row, index);
  } catch (cause) {
    throw new JobFault(`\`map\` failed on row ${index}.`, cause);
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
