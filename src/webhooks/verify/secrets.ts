// The option `secret`: one secret, several, or a function that provides them.

import { quotesProblem } from '../../core/check.ts';
import { ConfigurationError } from '../../core/errors/base.ts';
import { withTimeout } from '../../core/time.ts';
import { copyError } from '../../util/errors.ts';
import { lookUp } from '../../util/platform.ts';

/** Returns the signing secret, or several while a secret is rotated. */
export type WebhookSecretProvider = () => string | readonly string[] | Promise<string | readonly string[]>;

type Secrets = readonly string[];

/** All deliveries share one call, and each waits for it so long: a worker ends the timers of a request with it. */
const LONGEST_CALL_MS = 10_000;

/** A call of a provider; one that failed or was late has no time, and is not used again. */
interface SecretCall {
  readonly secrets: Promise<Secrets>;
  at: number;
  /** What the provider returned last: its error may quote it. */
  known: Secrets | undefined;
}

/** The last call of each provider: `verifyWebhook` gets its options with every delivery. */
const calls = new WeakMap<WebhookSecretProvider, SecretCall>();

/** The secrets to try. A provider is called again when `ttlMs` have passed. */
export async function readSecrets(
  secret: Secrets | WebhookSecretProvider,
  ttlMs: number,
  now: number,
): Promise<Secrets> {
  if (typeof secret !== 'function') return secret;
  let call = calls.get(secret);
  // Setting back the clock must not extend anything.
  if (!call || !(Math.abs(now - call.at) < ttlMs)) {
    const known = call?.known;
    call = { secrets: ask(secret, known).then(checkSecrets), at: now, known };
    calls.set(secret, call);
  }
  try {
    call.known = await withTimeout(LONGEST_CALL_MS, call.secrets, late);
    return call.known;
  } catch (error) {
    call.at = Number.NaN;
    throw error;
  }
}

/** The secrets as they are given, to find the mistake in them. The failure of a provider is returned. */
export async function uncheckedSecrets(secret: unknown): Promise<readonly unknown[] | ConfigurationError> {
  if (typeof secret !== 'function') return toList(secret);
  const given = withTimeout(LONGEST_CALL_MS, ask(secret as WebhookSecretProvider), late);
  return given.then(toList, (failure) => failure);
}

/** @throws {ConfigurationError} when the provider throws */
async function ask(provider: WebhookSecretProvider, known: Secrets = []): Promise<unknown> {
  try {
    return await provider();
  } catch (error) {
    // It may fail to renew the secrets that it returned before, and quote them.
    const hide = (text: string) => known.reduce((rest, one) => rest.replaceAll(one, '[redacted]'), text);
    throw new ConfigurationError('The `secret` function failed; see `cause`.', {
      cause: copyError(error, hide),
    });
  }
}

function late(): never {
  throw new ConfigurationError(`The \`secret\` function took longer than ${LONGEST_CALL_MS} ms.`);
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
const toList = (given: unknown) => (Array.isArray(given) ? [...given] : [given]);

function checkSecrets(given: unknown): Secrets {
  const secrets = toList(given);
  const mistake = mistakeIn(secrets);
  if (mistake) throw mistake;
  return secrets as string[];
}

/** What is wrong with the secrets, if anything. */
export function mistakeIn(secrets: readonly unknown[]): ConfigurationError | undefined {
  const mistake = (secrets.length > 0 ? secrets : ['']).map(faultOf).find(Boolean);
  return mistake ? new ConfigurationError(`\`secret\` ${mistake}`) : undefined;
}

/** What is wrong with one secret, if anything. */
function faultOf(secret: unknown): string | undefined {
  if (String(secret ?? '').trim() === '') return 'is missing or empty: set EXAM_SERVICE_WEBHOOK_SECRET.';
  if (typeof secret !== 'string') return 'must be a string.';
  return secret.trim() === secret ? quotesProblem(secret) : 'has spaces around it.';
}
