// The options that everything that verifies a signature shares.

import { ConfigurationError } from '../core/errors/configuration-error.ts';
import {
  checkSecrets,
  DEFAULT_SECRET_TTL_MS,
  type SecretSettings,
  type WebhookSecretProvider,
} from './secrets.ts';

/** Options of `verifyWebhookSignature`, shared by everything that verifies. */
export interface VerifySignatureOptions {
  /**
   * The endpoint's signing secret, or several while a secret is rotated: a signature by any of them counts. Empty,
   * blank and whitespace-padded secrets are rejected. Pass a function to rotate secrets without a restart; always pass
   * the same function, since its result is cached per function for `secretTtlMs`. If no secret fits, it is called
   * again, at most once a second. If it throws, or takes longer than 10 seconds, the delivery fails with a
   * `ConfigurationError`.
   */
  readonly secret: string | readonly string[] | WebhookSecretProvider;
  /**
   * How long the result of a `secret` function is cached, in milliseconds; 0 to call it for each delivery. @default
   * 60_000
   */
  readonly secretTtlMs?: number | undefined;
  /** Maximum difference between `t` and the clock in either direction, in seconds. @default 300 */
  readonly toleranceSeconds?: number | undefined;
  /** The clock, in milliseconds since 1970. @default Date.now */
  readonly now?: (() => number) | undefined;
  /**
   * Longest accepted body, in bytes. @default 1_048_576 for a `Request`, which has to be read; none for a body that is
   * already in memory
   */
  readonly maxBodyBytes?: number | undefined;
  /** Time limit for receiving the body of a `Request`, in milliseconds. @default 10_000 */
  readonly readTimeoutMs?: number | undefined;
}

/** The checked options with defaults filled in; valid options themselves. */
export interface Settings extends SecretSettings {
  readonly toleranceSeconds: number;
  readonly maxBodyBytes: number | undefined;
  readonly readTimeoutMs: number;
}

/** The service's own rule for receivers: reject deliveries older than this. */
export const DEFAULT_TOLERANCE_SECONDS = 300;
/** Many times what any documented event needs, and short enough to free the connections of stalled senders. */
const DEFAULT_READ_TIMEOUT_MS = 10_000;

/**
 * Checks the options of a verification.
 *
 * @throws {ConfigurationError} when an option is invalid
 */
export function readSettings(options: VerifySignatureOptions): Settings {
  const { secret, toleranceSeconds = DEFAULT_TOLERANCE_SECONDS, now = Date.now } = options;
  const { maxBodyBytes, readTimeoutMs = DEFAULT_READ_TIMEOUT_MS } = options;
  const { secretTtlMs = DEFAULT_SECRET_TTL_MS } = options;
  assertOption(
    Number.isFinite(secretTtlMs) && secretTtlMs >= 0,
    '`secretTtlMs` must be a finite number of milliseconds of at least 0.',
  );
  assertOption(
    Number.isFinite(toleranceSeconds) && toleranceSeconds >= 0,
    '`toleranceSeconds` must be a finite number of at least 0.',
  );
  checkNumbers({ maxBodyBytes: maxBodyBytes ?? 1, readTimeoutMs });
  const resolved = typeof secret === 'function' ? secret : checkSecrets(secret);
  return { secret: resolved, secretTtlMs, toleranceSeconds, now, maxBodyBytes, readTimeoutMs };
}

/** @throws {ConfigurationError} when an option is not `valid`; `message` says what to change */
export function assertOption(valid: unknown, message: string): asserts valid {
  if (!valid) throw new ConfigurationError(message);
}

/** @throws {ConfigurationError} when an option of `values` is not a finite number of at least 1 */
export function checkNumbers(values: Readonly<Record<string, number>>): void {
  for (const name of Object.keys(values)) {
    const value = values[name] as number;
    assertOption(Number.isFinite(value) && value >= 1, `\`${name}\` must be a finite number of at least 1.`);
  }
}
