// The option `secret`: one secret, several, or a function that provides them.

import { ConfigurationError } from '../../core/errors/base.ts';
import { within } from '../../core/time.ts';
import { copyError } from '../../util/errors.ts';
import { lookUp } from '../../util/platform.ts';

/** Returns the signing secret, or several while a secret is rotated. */
export type WebhookSecretProvider = () => string | readonly string[] | Promise<string | readonly string[]>;

type Secrets = readonly string[];

/**
 * If no secret fits, or the provider failed, it is called again after this time: soon enough for a rotation, and no
 * more often however many forged deliveries arrive.
 */
const ASK_AGAIN_MS = 1_000;
/** All deliveries share one answer, and each waits for it so long: a worker ends the timers of a request with it. */
const LONGEST_ANSWER_MS = 10_000;

/** A call of a provider, and for how long its outcome counts: as long as the caller says where it succeeded. */
interface Call {
  readonly secrets: Promise<Secrets>;
  readonly at: number;
  countsMs?: number | undefined;
}

/** The last call that succeeded, and the last of all, by provider: `verifyWebhook` gets its options with every delivery. */
const calls = new WeakMap<WebhookSecretProvider, [succeeded?: Call, last?: Call]>();

/** The secrets to try; when no known one fits, a provider is called again, since they may just have been rotated. */
export function* secretsToTry(secret: Secrets | WebhookSecretProvider, ttlMs: number, now: () => number) {
  if (typeof secret !== 'function') yield secret;
  else
    for (const maxAgeMs of [ttlMs, ASK_AGAIN_MS])
      yield within(LONGEST_ANSWER_MS, providedWithin(secret, maxAgeMs, now()), late);
}

/** The secrets as they are given, to find the mistake in them. The failure of a provider is returned. */
export async function uncheckedSecrets(secret: unknown): Promise<readonly unknown[] | ConfigurationError> {
  if (typeof secret !== 'function') return toList(secret);
  const answer = within(LONGEST_ANSWER_MS, ask(secret as WebhookSecretProvider), late);
  return answer.then(toList, (failure) => failure);
}

/** The provider's answer within the last `maxAgeMs`, or a new one. */
function providedWithin(provider: WebhookSecretProvider, maxAgeMs: number, now: number): Promise<Secrets> {
  const known = calls.get(provider) ?? [];
  for (const call of known) {
    // Setting back the clock must not extend anything.
    if (call && Math.abs(now - call.at) < (call.countsMs ?? maxAgeMs)) return call.secrets;
  }
  const call: Call = { secrets: ask(provider).then(checkSecrets), at: now, countsMs: LONGEST_ANSWER_MS };
  known[1] = call;
  calls.set(provider, known);
  call.secrets.then(
    () => {
      call.countsMs = undefined;
      // One that comes late must not replace what is known since.
      if (known[1] === call) known[0] = call;
    },
    () => {
      call.countsMs = ASK_AGAIN_MS;
    },
  );
  return call.secrets;
}

/** @throws {ConfigurationError} when the provider throws */
async function ask(provider: WebhookSecretProvider): Promise<unknown> {
  try {
    return await provider();
  } catch (error) {
    // It may fail to renew the secrets that it gave before, and say which.
    const known = (await calls.get(provider)?.[0]?.secrets) ?? [];
    return fail(
      copyError(error, (text) => known.reduce((rest, one) => rest.replaceAll(one, '[redacted]'), text)),
    );
  }
}

const late = () => fail(new Error(`It took longer than ${LONGEST_ANSWER_MS} ms.`));

/** @param cause a copy, or an error of our own */
function fail(cause: unknown): never {
  throw new ConfigurationError('The `secret` function failed; see `cause`.', { cause });
}

/**
 * Reads the option `secret`.
 *
 * @throws {ConfigurationError} when there is no secret, or one is invalid
 */
export function readSecret(given: unknown): Secrets | WebhookSecretProvider {
  if (typeof given === 'function') return given as WebhookSecretProvider;
  return checkSecrets(given ?? environmentSecret());
}

export function environmentSecret(): string | undefined {
  return lookUp(({ env }) => env['EXAM_SERVICE_WEBHOOK_SECRET']);
}

/** A copy, so that what is used stays what was checked. */
function toList(given: unknown): unknown[] {
  return Array.isArray(given) ? [...given] : [given];
}

function checkSecrets(given: unknown): Secrets {
  const secrets = toList(given);
  const mistake = mistakeIn(secrets);
  if (mistake) throw mistake;
  return secrets as string[];
}

/** What is wrong with the secrets, if anything. */
export function mistakeIn(secrets: readonly unknown[]): ConfigurationError | undefined {
  const isValid = secrets[0] && secrets.every((one) => typeof one === 'string' && one && one.trim() === one);
  if (isValid) return undefined;
  return new ConfigurationError(
    '`secret` is missing, empty or padded with whitespace: set EXAM_SERVICE_WEBHOOK_SECRET.',
  );
}
