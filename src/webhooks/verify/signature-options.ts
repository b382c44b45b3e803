// The options that everything that verifies a signature shares.

import {
  aFunction,
  aNumber,
  type Checked,
  type OptionTable,
  optional,
  optionOf,
  withDefault,
} from '../../core/check.ts';
import { readSecret, type WebhookSecretProvider } from './secrets.ts';

/** Options of `verifyWebhookSignature`, shared by everything that verifies. */
export interface VerifySignatureOptions {
  /**
   * The endpoint's signing secret, or several while a secret is rotated: a signature by any of them counts. A secret that is
   * empty, padded with whitespace or in quotes, as some env files leave it, is rejected. Pass a function to rotate secrets
   * without a restart; always pass the same function, since its result is cached per function for `secretTtl`. If it throws,
   * takes longer than 10 seconds or returns no usable secret, the delivery fails with a `ConfigurationError`.
   * @default the environment variable EXAM_SERVICE_WEBHOOK_SECRET
   */
  readonly secret?: string | readonly string[] | WebhookSecretProvider | undefined;
  /**
   * How long the result of a `secret` function is cached, in milliseconds; 0 to call it for each delivery.
   * @default 60_000
   */
  readonly secretTtl?: number | undefined;
  /** Maximum difference between `t` and the clock in either direction, in seconds: at most 3,600. @default 300 */
  readonly toleranceSeconds?: number | undefined;
  /** The clock, in milliseconds since 1970. @default Date.now */
  readonly now?: (() => number) | undefined;
  /**
   * Longest accepted body, in bytes.
   * @default 1_048_576 for a `Request`, which has to be read; none for a body that is already in memory
   */
  readonly maxBodyBytes?: number | undefined;
  /** Time limit for receiving the body of a `Request`, in milliseconds. @default 10_000 */
  readonly readTimeout?: number | undefined;
}

/** An hour: an old delivery can be repeated for so long. Anything longer is meant as milliseconds. */
const LONGEST_TOLERANCE_SECONDS = 3_600;

const aTolerance = optionOf<number>(
  `a number of seconds from 0 to ${LONGEST_TOLERANCE_SECONDS}`,
  (value) => typeof value === 'number' && value >= 0 && value <= LONGEST_TOLERANCE_SECONDS,
);

export const signatureOptions = {
  secret: readSecret,
  // How soon a rotation takes effect everywhere, and an old secret is rejected.
  secretTtl: withDefault(aNumber(0), 60_000),
  // The service's own rule for receivers.
  toleranceSeconds: withDefault(aTolerance, 300),
  // Looked up at each reading, as tests replace the clock.
  now: withDefault(aFunction<() => number>, () => Date.now()),
  maxBodyBytes: optional(aNumber(1)),
  // Many times what any documented event needs, and short enough to free the connections of stalled senders.
  readTimeout: withDefault(aNumber(1), 10_000),
} satisfies OptionTable<VerifySignatureOptions>;

export type SignatureSettings = Checked<typeof signatureOptions>;
