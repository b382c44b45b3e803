import { type ResponseContext, ResponseError } from './response-error.ts';

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
    const target = safe === null ? '' : ` to ${safe}`;
    super(
      context,
      `was answered with a redirect${target}, which is not followed, so that the key stays with the service. ` +
        'Check the base URL: a wrong scheme, host or prefix is the usual reason.',
      { outcome: context.call.mayBeDone ? 'unknown' : 'refused', retryable: false },
    );
    this.location = safe;
  }
}
