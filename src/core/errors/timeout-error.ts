import { type RequestContext, RequestError } from './request-error.ts';

/** Which limit ran out: the time of one attempt, or that of all attempts and waits together. */
export type TimeoutScope = 'attempt' | 'total';

/** The service did not answer in time. Whether it carried the request out is not known. */
export class TimeoutError extends RequestError {
  override readonly name = 'TimeoutError';
  override readonly code = 'timeout';
  /** Which limit ran out. */
  readonly scope: TimeoutScope;
  /** The limit, in milliseconds. */
  readonly timeout: number;

  constructor(context: RequestContext, scope: TimeoutScope, timeout: number, cause?: unknown) {
    const option = scope === 'attempt' ? 'timeout' : 'totalTimeout';
    const what = scope === 'attempt' ? 'got no complete answer within' : 'could not be completed within';
    super(
      context,
      `${what} ${timeout} ms. Raise \`${option}\` if the service needs longer.`,
      cause === undefined ? undefined : { cause },
    );
    this.scope = scope;
    this.timeout = timeout;
  }
}
