import { describeIssues, type Issue } from '../../util/standard-schema.ts';
import { ExamServiceError } from './base.ts';

/** The parameters of a call break a documented rule. Nothing was sent; correct the named fields and call again. */
export class RequestValidationError extends ExamServiceError {
  override readonly name = 'RequestValidationError';
  override readonly code = 'request_validation';
  /** The operation that was called, such as `participants.import`. */
  readonly operation: string;
  /** Every rejected field. */
  readonly issues: readonly Issue[];

  constructor(operation: string, issues: readonly Issue[], ending = 'Nothing was sent.') {
    super(`${operation}: ${describeIssues(issues)}. ${ending}`);
    this.operation = operation;
    this.issues = issues;
  }
}
