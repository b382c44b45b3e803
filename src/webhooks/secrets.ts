// The option `secret`: one secret, several, or a function that provides them.

import { ConfigurationError } from '../core/errors/configuration-error.ts';

/** Returns the signing secret, or several while a secret is rotated. */
export type WebhookSecretProvider = () => string | readonly string[] | Promise<string | readonly string[]>;

type Secrets = readonly string[];

/** Source of the secrets for a verification. */
export interface SecretSettings {
  readonly secret: readonly string[] | WebhookSecretProvider;
  readonly secretTtlMs: number;
  readonly now: () => number;
}

/** How soon a rotation takes effect everywhere, and an old secret is rejected. */
export const DEFAULT_SECRET_TTL_MS = 60_000;
/**
 * If no secret fits, or the provider failed, it is called again after this time: soon enough for a rotation, and no
 * more often however many forged deliveries arrive.
 */
const ASK_AGAIN_MS = 1_000;
/** All deliveries wait for one answer, which must not hang forever. */
const LONGEST_ANSWER_MS = 10_000;

interface Answers {
  given?: { readonly secrets: Secrets; readonly at: number };
  /** The pending call, or one that failed. */
  asking?: { readonly secrets: Promise<Secrets>; readonly at: number; isOver: boolean };
}

/** By provider, since `verifyWebhook` receives its options with every delivery. */
const answers = new WeakMap<WebhookSecretProvider, Answers>();

/** The secrets to try first. */
export function knownSecrets({ secret, secretTtlMs, now }: SecretSettings): Secrets | Promise<Secrets> {
  return typeof secret === 'function' ? within(secret, secretTtlMs, now()) : secret;
}

/** The secrets to try when no known one fits: a provider is called again, since they may just have been rotated. */
export function newSecrets({ secret, now }: SecretSettings): Secrets | Promise<Secrets> {
  return typeof secret === 'function' ? within(secret, ASK_AGAIN_MS, now()) : [];
}

/** The provider's answer within the last `maxAgeMs`, or a new one. */
function within(provider: WebhookSecretProvider, maxAgeMs: number, now: number): Secrets | Promise<Secrets> {
  const state = answers.get(provider) ?? {};
  answers.set(provider, state);
  // Setting back the clock must not extend anything.
  const isRecent = (at: number, ms: number) => Math.abs(now - at) < ms;
  if (state.given && isRecent(state.given.at, maxAgeMs)) return state.given.secrets;
  if (state.asking && (!state.asking.isOver || isRecent(state.asking.at, ASK_AGAIN_MS))) {
    return state.asking.secrets;
  }
  const asking = { secrets: ask(provider), at: now, isOver: false };
  state.asking = asking;
  asking.secrets.then(
    (secrets) => {
      state.given = { secrets, at: now };
      delete state.asking;
    },
    () => {
      asking.isOver = true;
    },
  );
  return asking.secrets;
}

/** @throws {ConfigurationError} when the provider throws, hangs or returns no secret */
async function ask(provider: WebhookSecretProvider): Promise<Secrets> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<never>((_, reject) => {
    const late = () => reject(new Error(`No answer within ${LONGEST_ANSWER_MS} ms.`));
    timer = setTimeout(late, LONGEST_ANSWER_MS);
  });
  try {
    return checkSecrets(await Promise.race([provider(), limit]));
  } catch (cause) {
    if (cause instanceof ConfigurationError) throw cause;
    throw new ConfigurationError('The `secret` function failed; see `cause`.', { cause });
  } finally {
    clearTimeout(timer);
  }
}

/** @throws {ConfigurationError} unless there is at least one secret and all are valid */
export function checkSecrets(secret: string | readonly string[]): readonly string[] {
  // A copy, so that what is used stays what was checked.
  const secrets = Array.isArray(secret) ? [...secret] : [secret];
  const isValid = secrets[0] && secrets.every((one) => one && one.trim?.() === one);
  if (isValid) return secrets;
  throw new ConfigurationError('`secret` is missing, empty or padded with whitespace.');
}
