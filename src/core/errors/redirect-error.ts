// The error for a redirect, which the client never follows.

import { type ResponseContext, ResponseError } from './response-error.ts';

/** These mean that the request was not carried out here (RFC 9110, section 15.4). */
const movedStatuses = new Set([301, 307, 308]);

/**
 * The service answered with a redirect. Redirects are never followed, because the API key would be sent along. In a
 * browser, which hides the details of a redirect, `status` is 0 and `location` is `null`.
 */
export class RedirectError extends ResponseError {
  override readonly name = 'RedirectError';
  override readonly code = 'redirect';
  /** Target of the redirect, without query and credentials; `null` when the platform does not reveal it. */
  readonly location: string | null;

  constructor(context: ResponseContext, location: string | null) {
    const safe = location === null ? null : context.call.redact.text(location);
    // A 302 or 303 can also follow an accepted form; a followed or hidden redirect can be any of these.
    const isRefusal = context.call.method === 'GET' || movedStatuses.has(context.response.status);
    const target = safe === null ? '' : ` to ${safe}`;
    super(
      context,
      `was answered with a redirect${target}, which is not followed, because the API key would be sent along. ` +
        'Check the base URL: a wrong scheme, host or prefix is the usual reason.',
      { outcome: isRefusal && !context.call.mayBeDone ? 'refused' : 'unknown', retryable: false },
    );
    this.location = safe;
  }
}
