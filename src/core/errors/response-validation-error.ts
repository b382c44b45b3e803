import { describeIssues, type Issue } from '../standard-schema.ts';
import { type ResponseContext, ResponseError } from './response-error.ts';

/**
 * The answer is JSON, but fields are missing or of another type than documented (or than `schemas` says).
 * The request itself succeeded: do not repeat it just because of this error.
 */
export class ResponseValidationError extends ResponseError {
  override readonly name = 'ResponseValidationError';
  override readonly code = 'response_validation';
  /** Every field that did not match. */
  readonly issues: ReadonlyArray<Issue>;

  constructor(context: ResponseContext, issues: ReadonlyArray<Issue>, seen: string) {
    const safe = issues.map(({ path, message }) => ({ path, message: context.redact(message) }));
    super(
      context,
      `succeeded with ${context.status}, but its answer has another shape than expected: ${describeIssues(safe)}. ` +
        `What came is ${seen}. Use \`validation: 'report'\` to be told of such answers instead.`,
    );
    this.issues = safe;
  }
}
