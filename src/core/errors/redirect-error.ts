import { type ResponseContext, ResponseError } from './response-error.ts';

/** The request is to be made elsewhere, so that it was not carried out here (RFC 9110, section 15.4). */
const movedStatuses = new Set([301, 307, 308]);

/**
 * The service answered with a redirect. It is never followed, because the API key would travel along; in a
 * browser, where a redirect hides its details, `status` is 0 and `location` is `null`.
 */
export class RedirectError extends ResponseError {
  override readonly name = 'RedirectError';
  override readonly code = 'redirect';
  /** Where the service pointed to, without query and credentials; `null` when the platform does not tell. */
  readonly location: string | null;

  constructor(context: ResponseContext, location: string | null) {
    const safe = location === null ? null : context.call.redact.text(location);
    // A 302 and a 303 are also what follows a form that was taken; a redirect that was followed or is hidden may be any.
    const isRefusal = context.call.method === 'GET' || movedStatuses.has(context.response.status);
    const target = safe === null ? '' : ` to ${safe}`;
    super(
      context,
      `was answered with a redirect${target}, which is not followed, so that the key stays with the service. ` +
        'Check the base URL: a wrong scheme, host or prefix is the usual reason.',
      { outcome: isRefusal && !context.call.mayBeDone ? 'refused' : 'unknown', retryable: false },
    );
    this.location = safe;
  }
}
