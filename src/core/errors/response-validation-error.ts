import { describeIssues, type Issue } from '../../util/standard-schema.ts';
import { type ResponseContext, ResponseError } from './response-error.ts';

/**
 * The answer is JSON, but fields are missing or have another type than documented (or than `schemas` requires). The
 * request itself succeeded: do not repeat it just because of this error.
 */
export class ResponseValidationError extends ResponseError {
  override readonly name = 'ResponseValidationError';
  override readonly code = 'response_validation';
  /** Every field that did not match. */
  readonly issues: readonly Issue[];

  /** Neither list may contain a secret: redact text from elsewhere first. */
  constructor(
    context: ResponseContext,
    issues: readonly Issue[],
    told: readonly Issue[],
    remark: string,
    options?: { readonly cause?: unknown },
  ) {
    super(
      context,
      `succeeded with ${context.response.status}, but its answer has an unexpected shape: ${describeIssues(told)}. ${remark}`.trimEnd(),
      { outcome: 'done', retryable: false },
      options,
    );
    this.issues = issues;
  }
}
