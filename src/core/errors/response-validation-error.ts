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
    told: readonly Issue[],
    remark: string,
    options?: { readonly cause?: unknown },
  ) {
    const { call, response } = context;
    const described = describeIssues(redactIssues(told, call.redact));
    super(
      context,
      `succeeded with ${response.status}, but its answer has another shape than expected: ${described}. ${remark}`.trimEnd(),
      { outcome: 'done', retryable: false },
      options,
    );
    this.issues = redactIssues(issues, call.redact);
  }
}
