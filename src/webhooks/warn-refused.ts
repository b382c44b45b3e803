// Warns on the console of refused deliveries when a receiver has no `onRejected`.

import type { WebhookVerificationError, WebhookVerificationErrorCode } from './verification-error.ts';

/** The codes that `onRejected` receives: a body that is not raw goes to `onError`. */
type Refusal = Exclude<WebhookVerificationErrorCode, 'body_not_raw'>;

const headerAdvice = 'Does a proxy drop or rewrite the header, or does something else call this address?';

const advice: Readonly<Record<Refusal, string>> = {
  header_missing: headerAdvice,
  header_malformed: headerAdvice,
  timestamp_too_old: 'Is the clock of this machine right, and does nothing hold deliveries back?',
  timestamp_in_future: 'Is the clock of this machine right?',
  signature_mismatch: 'Is `secret` that of this endpoint, and does nothing rewrite the body?',
  body_too_large: 'Raise `maxBodyBytes` if the service sends so much.',
  body_timeout: 'Raise `readTimeoutMs` if the connection from the service is that slow.',
  body_incomplete: 'The sender or a proxy in between disconnected.',
  payload_invalid: 'Check that the service matches this version of the package and your `schemas`.',
};

const WARN_EVERY_MS = 60_000;

/**
 * The default for `onRejected`: one warning per code, then at most one a minute, which includes a count. It waits for
 * the next refusal and sets no timer, so it never keeps a process alive.
 */
export function createRefusalWarning(now: () => number): (error: WebhookVerificationError) => void {
  const seen = new Map<WebhookVerificationErrorCode, { warnedAt: number; count: number }>();
  return ({ code, message }) => {
    const { warnedAt, count } = seen.get(code) ?? { warnedAt: Number.NEGATIVE_INFINITY, count: 0 };
    // Setting back the clock does not silence it.
    const isDue = Math.abs(now() - warnedAt) >= WARN_EVERY_MS;
    seen.set(code, isDue ? { warnedAt: now(), count: 0 } : { warnedAt, count: count + 1 });
    if (!isDue) return;
    const many = count === 0 ? 'a webhook delivery' : `${count + 1} webhook deliveries`;
    console.warn(
      `exam-service-sdk refused ${many}: ${code}. ${message} ${advice[code as Refusal]} ` +
        'To learn more, set `onRejected` and call explainWebhookFailure(error, { secret }) there.',
    );
  };
}
