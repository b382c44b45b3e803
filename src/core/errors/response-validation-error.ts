import { describeIssues, type Issue } from '../../util/standard-schema.ts';
import { redactIssues } from '../redact/safe.ts';
import { type ResponseContext, ResponseError } from './response-error.ts';

/**
 * The answer is JSON, but fields are missing or of another type than documented (or than `schemas` says).
 * The request itself succeeded: do not repeat it just because of this error.
 */
export class ResponseValidationError extends ResponseError {
  override readonly name = 'ResponseValidationError';
  override readonly code = 'response_validation';
  /** Every field that did not match. */
  readonly issues: readonly Issue[];

  constructor(
    context: ResponseContext,
    issues: readonly Issue[],
    seen: string,
    advice = '',
    options?: { readonly cause?: unknown },
  ) {
    const safe = redactIssues(issues, context.call.redact);
    super(
      context,
      `succeeded with ${context.response.status}, but its answer has another shape than expected: ${describeIssues(safe)}. ` +
        `What came is ${seen}.${advice}`,
      { outcome: 'done', retryable: false },
      options,
    );
    this.issues = safe;
  }
}
