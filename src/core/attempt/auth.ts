// The API key: checks it, asks for a new one and says which header it goes into.

import type { Verdict } from '../errors/base.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import type { Redact } from '../redact/redact.ts';
import { safeCause } from '../redact/safe.ts';

/**
 * How an operation sends the API key: in `X-Client-Key` (participants, assignment, exams, results) or as an
 * `Authorization: Bearer` token (webhook management).
 */
export type AuthScheme = 'clientKey' | 'bearer';

/** An API key, or a function that returns the current one and is called before every attempt. */
export type ApiKey = string | (() => string | Promise<string>);

/** Headers that carry a credential; callers may not set them. */
export const credentialHeaders: readonly string[] = ['x-client-key', 'authorization'];

/** A key must survive as a header value unchanged: visible ASCII, no spaces, no line breaks. */
const headerSafeKey = /^[\x21-\x7e]+$/;

/** Rejects a key that cannot be sent unchanged. The message never shows the key. */
export function checkApiKey(key: unknown, source: string, verdict?: Verdict): string {
  if (typeof key !== 'string' || key === '') {
    throw new ConfigurationError(`${source} must be a non-empty string.`, {}, verdict);
  }
  if (/^bearer\s/i.test(key)) {
    throw new ConfigurationError(
      `${source} begins with "Bearer ": pass the key alone, the client adds the scheme.`,
      {},
      verdict,
    );
  }
  if (!headerSafeKey.test(key)) {
    throw new ConfigurationError(
      `${source} contains a space, a line break or a character that a header cannot carry. ` +
        'Remove it: keys read from a file often end with a line break.',
      {},
      verdict,
    );
  }
  return key;
}

/** What the key function's errors need to know about the call. */
interface KeyUser {
  readonly config: { readonly apiKey: ApiKey | null };
  /** Whether an earlier attempt may have taken effect; not sending this one does not undo it. */
  readonly mayBeDone: boolean;
  readonly redact: Redact;
  hide(key: string): void;
}

/**
 * Gets the key for the next attempt from the function passed as `apiKey`.
 *
 * @throws {ConfigurationError} when the function fails or returns no usable key
 */
export async function askForKey(user: KeyUser): Promise<string> {
  const apiKey = user.config.apiKey as Exclude<ApiKey, string>;
  const outcome = user.mayBeDone ? 'unknown' : 'not_sent';
  let given: unknown;
  try {
    given = await apiKey();
  } catch (error) {
    // Such a failure may pass: a vault that is down, a token being renewed.
    const verdict = { outcome, retryable: true } as const;
    const options = { cause: safeCause(error, user.redact) };
    throw new ConfigurationError(
      'The function passed as `apiKey` failed, so the request was not sent.',
      options,
      verdict,
    );
  }
  const source = 'The key returned by the `apiKey` function';
  const key = checkApiKey(given, source, { outcome, retryable: false });
  user.hide(key);
  return key;
}

/** Headers by lower-case name. */
export type HeaderRecord = Readonly<Record<string, string>>;
