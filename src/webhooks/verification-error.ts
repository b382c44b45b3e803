import { ExamServiceError } from '../core/errors/base.ts';

/**
 * Why a delivery was refused.
 *
 * - `body_not_raw`: the body is not the bytes that were received, or was read before (a mistake in the set-up)
 * - `body_too_large`: the body is longer than `maxBodyBytes`
 * - `body_timeout`: the body took longer than `readTimeoutMs` to arrive
 * - `body_incomplete`: the body broke off, most often because the sender gave up; `cause` says why
 * - `header_missing`: there is no `X-Cbt-Signature`
 * - `header_malformed`: the header does not follow the documented format
 * - `timestamp_too_old`, `timestamp_in_future`: signed further from the clock than `toleranceSeconds`
 * - `signature_mismatch`: no signature of the header fits body, timestamp and secret
 * - `payload_invalid`: rightly signed, but not the JSON of an event
 */
export type WebhookVerificationErrorCode =
  | 'body_not_raw'
  | 'body_too_large'
  | 'body_timeout'
  | 'body_incomplete'
  | 'header_missing'
  | 'header_malformed'
  | 'timestamp_too_old'
  | 'timestamp_in_future'
  | 'signature_mismatch'
  | 'payload_invalid';

const statuses: { readonly [Code in WebhookVerificationErrorCode]?: 408 | 413 } = {
  body_too_large: 413,
  body_timeout: 408,
};

/** A delivery was refused. The error holds no secret, no computed signature and no value of the payload. */
export class WebhookVerificationError extends ExamServiceError {
  override readonly name = 'WebhookVerificationError';
  declare readonly code: WebhookVerificationErrorCode;
  /**
   * HTTP status to answer with: 413 for `body_too_large`, 408 for `body_timeout`, else 400 (the service's API, Webhook
   * request signature).
   */
  declare readonly status: 400 | 408 | 413;
  /** The verifier's clock minus `t` in seconds, when the timestamp was the reason: positive for an old delivery. */
  declare readonly skewSeconds: number | undefined;

  constructor(
    code: WebhookVerificationErrorCode,
    message: string,
    skewSeconds?: number,
    options?: { readonly cause?: unknown },
  ) {
    super(message, undefined, options);
    this.code = code;
    this.status = statuses[code] ?? 400;
    this.skewSeconds = skewSeconds;
  }
}
