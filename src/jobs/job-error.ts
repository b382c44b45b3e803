// Why a job stops, other than the error of a request.

import type { Outcome } from '../core/errors/base.ts';
import { RequestValidationError } from '../core/errors/request-error.ts';
import type { OperationName } from '../core/operation.ts';
import { createRedact, leavesOf } from '../core/redact.ts';
import { copyError } from '../util/errors.ts';
import { describeIssues, type SchemaIssue, toIssues } from '../util/standard-schema.ts';
import { tryOrUndefined } from '../util/try-or-undefined.ts';

/** Something other than the error of a request stopped a job. The message says what; that of the cause may quote a row. */
export class JobError extends Error {
  /** What became of the rows that are not settled, unless one of them may have been stored. */
  readonly outcome: Outcome = 'not_sent';
  /** Whether going on later can help. */
  readonly retryable: boolean = false;
  /** The row that the message is about. */
  readonly row?: number | undefined;
  /** Where to go on to leave out what is at fault. */
  readonly past?: number | undefined;
  /** Whether the source is another one, so that there is nothing to resume. */
  readonly isOtherSource: boolean = false;

  constructor(message: string, { cause, ...facts }: Facts = {}) {
    super(message, { cause });
    Object.assign(this, facts);
  }
}

type Facts = Partial<Pick<JobError, 'cause' | 'outcome' | 'retryable' | 'row' | 'past' | 'isOtherSource'>>;

/**
 * The failure of what reads rows. The error of a parser or a database may hold the row itself, so the cause is a copy without it.
 * Its message loses the texts of the `row`; where that is not known, all that follows a quotation mark, which may be a cell.
 */
export function rowError(what: string, cause: unknown, row?: unknown): JobError {
  const { code } = Object(cause);
  const name = /^[A-Z]\w{1,60}$/.test(String(code)) ? ` (${code})` : '';
  const hide = (text: string) => (row === undefined ? text.replace(/".*/g, '"…') : hiding(row)(text));
  return new JobError(`${what}${name}: see \`error.cause\`.`, { cause: copyError(cause, hide) });
}

/**
 * Why a job stops at a row that breaks a rule: a fault of the program, or of the row. Rows before it may have been sent.
 *
 * @param ending what became of the row
 * @param past where to go on without it
 */
export function invalidRow(
  method: OperationName,
  row: number,
  issues: readonly SchemaIssue[],
  ending: string,
  past?: number,
): JobError {
  const cause = new RequestValidationError(method, toIssues(issues, [row]), ending);
  return new JobError(`${describeIssues(toIssues(issues))}. ${ending}`, { cause, row, past });
}

/** Removes every text of a row from other text. */
export function hiding(row: unknown): (text: string) => string {
  // A row may have getters that throw, or be nested without end.
  return createRedact(() => tryOrUndefined(() => leavesOf(row)) ?? []);
}
