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

/** What was refused: the headers, and the body when it was read. */
interface RefusedDelivery {
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body?: Uint8Array | undefined;
}

/** Kept apart from the errors, because consoles and loggers print whatever a field holds, private or not. */
const deliveries = new WeakMap<WebhookVerificationError, RefusedDelivery>();

const statuses: { readonly [Code in WebhookVerificationErrorCode]?: 408 | 413 } = {
  body_too_large: 413,
  body_timeout: 408,
};

/**
 * A delivery was refused. Whatever prints the error shows no secret, no computed signature and nothing of the delivery;
 * `headers` and `body` are there for whoever asks, such as `explainWebhookFailure`.
 */
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

  /** Headers of the refused delivery; never printed. */
  get headers(): Headers | Readonly<Record<string, string | readonly string[] | undefined>> | undefined {
    return deliveries.get(this)?.headers;
  }

  /** The bytes of the refused delivery, when they were read; never printed. */
  get body(): Uint8Array | undefined {
    return deliveries.get(this)?.body;
  }
}

/** Notes which delivery was refused, and returns the error. */
export function about(
  error: WebhookVerificationError,
  headers: RefusedDelivery['headers'],
  body?: Uint8Array,
): WebhookVerificationError {
  deliveries.set(error, { headers, body });
  return error;
}
