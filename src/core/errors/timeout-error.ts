// The error for an attempt or a call that took too long.

import { type RequestContext, RequestError, verdict } from './request-error.ts';

/** Which limit was exceeded: the time of one attempt, or the time of all attempts and waits together. */
export type TimeoutScope = 'attempt' | 'total';

/** The service did not answer in time. `outcome` says whether it may have carried out the request. */
export class TimeoutError extends RequestError {
  override readonly name = 'TimeoutError';
  override readonly code = 'timeout';
  /** Which limit was exceeded. */
  readonly scope: TimeoutScope;
  /** The limit, in milliseconds. */
  readonly timeout: number;

  constructor(context: RequestContext, scope: TimeoutScope, timeout: number) {
    const option = scope === 'attempt' ? 'timeout' : 'totalTimeout';
    const what = scope === 'attempt' ? 'got no complete answer within' : 'could not be completed within';
    super(
      context,
      `${what} ${timeout} ms. Raise \`${option}\` if the service needs longer.`,
      verdict(context, context.outcome),
    );
    this.scope = scope;
    this.timeout = timeout;
  }
}
