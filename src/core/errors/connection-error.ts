import { isError } from '../../util/errors.ts';
import { safeCause } from '../redact/safe.ts';
import { neverConnected } from './never-connected.ts';
import { type RequestContext, RequestError, verdict } from './request-error.ts';

/**
 * No response arrived: the connection was refused, reset or cut off, or the name was not resolved. In a browser, a
 * response without CORS headers looks the same. `cause` is the platform's error.
 */
export class ConnectionError extends RequestError {
  override readonly name = 'ConnectionError';
  override readonly code = 'connection';

  constructor(context: RequestContext, cause: unknown) {
    const safe = safeCause(cause, context.redact);
    const isUnsent = context.outcome === 'not_sent' || (!context.mayBeDone && neverConnected(cause));
    super(
      context,
      `got no response: ${describeCause(safe)}. Check the base URL and the network.`,
      verdict(context, isUnsent ? 'not_sent' : 'unknown'),
      { cause: safe },
    );
  }
}

/** The platform says only "fetch failed"; the innermost cause says what happened. */
function describeCause(cause: unknown): string {
  let innermost = cause;
  for (let depth = 0; depth < 5 && isError(innermost) && isError(innermost.cause); depth += 1) {
    innermost = innermost.cause;
  }
  if (!isError(innermost)) return String(innermost);
  const code: unknown = Reflect.get(innermost, 'code');
  return innermost.message || (typeof code === 'string' ? code : innermost.name);
}
