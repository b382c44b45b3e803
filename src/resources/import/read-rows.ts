import { ConfigurationError } from '../../core/errors/configuration-error.ts';
import { RequestValidationError } from '../../core/errors/request-validation-error.ts';
import { importRow } from '../../schemas/participant.ts';
import { describeIssues, type SchemaIssue, type SchemaResult, toIssues } from '../../util/standard-schema.ts';
import type { RowReader } from '../row-reader.ts';
import { type ImportContext, reject } from './delivery.ts';
import { ImportFault, throwIfAborted } from './fault.ts';
import type { ImportPlan } from './plan.ts';
import type { NumberedRow, ParticipantImport, RowMapper } from './row.ts';

/**
 * Reads rows from a source and yields those that can be sent.
 *
 * @throws {RequestValidationError} for a row that breaks a rule, unless such rows are to be skipped
 * @throws {ImportFault} when the source or `map` fails
 */
export async function* readRows<Row>(
  reader: RowReader<Row>,
  plan: ImportPlan<Row>,
  context: ImportContext,
): AsyncGenerator<NumberedRow, void, undefined> {
  const { account } = context;
  for (let next = await read(reader); next !== null; next = await read(reader)) {
    throwIfAborted(plan.signal);
    const index = account.open();
    if (index === null) continue;
    const mapped = plan.map === undefined ? next.row : mapRow(plan.map, next.row, index);
    if (plan.map !== undefined && mapped === null) {
      account.countSkipped(index);
      continue;
    }
    // Request schemas are synchronous, although the type of Standard Schemas does not say so.
    const result = importRow['~standard'].validate(mapped) as SchemaResult<ParticipantImport>;
    if (result.issues === undefined) {
      yield { index, row: result.value };
      continue;
    }
    const issues = explain(result.issues);
    if (plan.onInvalid === 'stop') {
      // Rows before it may have been sent.
      throw new RequestValidationError(
        'participants.importAll',
        toIssues(issues, [index]),
        'The row was not sent.',
      );
    }
    await reject(context, { index, reason: describeIssues(toIssues(issues)) });
  }
}

async function read<Row>(reader: RowReader<Row>): Promise<{ readonly row: Row } | null> {
  try {
    return await reader.next();
  } catch (cause) {
    throw new ImportFault('The source failed.', cause);
  }
}

function mapRow<Row>(map: RowMapper<Row>, row: Row, index: number): unknown {
  let mapped: unknown;
  try {
    mapped = map(row, index);
  } catch (cause) {
    throw new ImportFault(`\`map\` failed on row ${index}.`, cause);
  }
  if (!isPromise(mapped)) return mapped;
  // Nobody will await it.
  mapped.then(undefined, () => {});
  throw new ConfigurationError(
    `\`map\` returned a promise for row ${index}; it must return the row or null at once. ` +
      'For work that takes time, make the source an async generator.',
  );
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function';
}

/** Puts first what to do about an extra column, the usual problem of rows from a file. */
function explain(issues: readonly SchemaIssue[]): readonly SchemaIssue[] {
  const isTooMany = (issue: SchemaIssue) => 'code' in issue && issue.code === 'unrecognized_keys';
  return [
    ...issues
      .filter(isTooMany)
      .map(({ message }) => ({ message: `${message}; leave it out with the option \`map\`` })),
    ...issues.filter((issue) => !isTooMany(issue)),
  ];
}
