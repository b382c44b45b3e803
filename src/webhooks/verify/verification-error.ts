// The error for a delivery that is rejected, and its reasons.

import { ExamServiceError } from '../../core/errors/base.ts';
import type { Delivery } from '../../node/incoming.ts';
import { copyError } from '../../util/errors.ts';

/**
 * Why a delivery was rejected.
 *
 * - `body_not_raw`: the body is not the received bytes, or was already read (a mistake in the setup)
 * - `body_too_large`: the body is longer than `maxBodyBytes`
 * - `body_timeout`: the body took longer than `readTimeout` to arrive
 * - `body_incomplete`: the body broke off, usually because the sender disconnected; `cause` says why
 * - `header_missing`: there is no `X-Cbt-Signature`
 * - `header_malformed`: the header does not have the documented format
 * - `timestamp_too_old`, `timestamp_in_future`: `t` differs from the clock by more than `toleranceSeconds`
 * - `signature_mismatch`: no signature in the header fits body, timestamp and secret
 * - `payload_invalid`: the signature is valid, but the body is not the JSON of an event
 */
export type WebhookRejectionReason =
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

/**
 * What was rejected, and its bytes if they were read. Kept outside the errors: consoles and loggers print fields, even hidden ones.
 */
const deliveries = new WeakMap<object, { readonly input: Delivery; readonly body: Uint8Array | null }>();

/**
 * A delivery was rejected. Printing the error never shows a secret, a computed signature or any part of the delivery;
 * read `headers` and `body` explicitly, as `explainWebhookFailure` does.
 */
export class WebhookVerificationError extends ExamServiceError {
  /** @internal */
  static override readonly kind: string = 'webhook_verification';
  override readonly name = 'WebhookVerificationError';
  override readonly code = 'webhook_verification';
  /** Why the delivery was rejected. */
  declare readonly reason: WebhookRejectionReason;
  /** HTTP status to respond with: 413 for `body_too_large`, 408 for `body_timeout`, otherwise 400. */
  declare readonly status: 400 | 408 | 413;
  /** The verifier's clock minus `t` in seconds, if the timestamp was the reason: positive for an old delivery. Otherwise `null`. */
  declare readonly skewSeconds: number | null;

  constructor(
    reason: WebhookRejectionReason,
    message: string,
    skewSeconds: number | null = null,
    options?: { readonly cause?: unknown },
  ) {
    super(message, undefined, options && { cause: copyError(options.cause) });
    this.reason = reason;
    this.status = reason === 'body_too_large' ? 413 : reason === 'body_timeout' ? 408 : 400;
    this.skewSeconds = skewSeconds;
  }

  /** Headers of the rejected delivery, if it had any; never printed. */
  get headers(): Headers | Readonly<Record<string, string | readonly string[] | undefined>> | null {
    return deliveries.get(this)?.input.headers ?? null;
  }

  /** The bytes of the rejected delivery, if they were read; never printed. */
  get body(): Uint8Array | null {
    return deliveries.get(this)?.body ?? null;
  }
}

/** Records which delivery was rejected, and returns the error. */
export function attachDelivery(
  error: WebhookVerificationError,
  input: Delivery,
  body: Uint8Array | null = null,
): WebhookVerificationError {
  deliveries.set(error, { input, body });
  return error;
}

/** The delivery that was rejected, in the form in which it was passed; undefined for an error that was made elsewhere. */
export function rejectedDelivery(error: WebhookVerificationError): Delivery | undefined {
  return deliveries.get(error)?.input;
}
