import type { Outcome, Verdict } from './base.ts';
import { verdict } from './request-error.ts';
import { type ResponseContext, ResponseError } from './response-error.ts';

/**
 * A successful status came with a body that cannot be read as the operation's answer: an HTML page, a truncated body,
 * or a body of a different kind. `outcome` says what became of the request.
 */
export class ResponseFormatError extends ResponseError {
  override readonly name = 'ResponseFormatError';
  override readonly code = 'response_format';

  constructor(
    context: ResponseContext,
    problem: string,
    outcome: Outcome = 'done',
    options?: { readonly cause?: unknown },
  ) {
    const { call, response } = context;
    const refusal: Verdict = { outcome: call.mayBeDone ? 'unknown' : 'refused', retryable: false };
    super(
      context,
      `was answered with ${response.status}, but ${problem}.`,
      outcome === 'refused' ? refusal : verdict(call, outcome),
      options,
    );
  }
}
