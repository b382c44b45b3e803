import type { Verdict } from '../errors/base.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import type { Redact } from '../redact/redact.ts';
import { safeCause } from '../redact/safe.ts';

/**
 * How an operation carries the API key: in `X-Client-Key` (participants, assignment, exams, results) or as
 * an `Authorization: Bearer` token (webhook management). Interface document, Authentication.
 */
export type AuthScheme = 'clientKey' | 'bearer';

/** An API key, or a function that gives the current one; it is asked before every attempt. */
export type ApiKey = string | (() => string | Promise<string>);

/** Headers that carry a credential; a caller may not set them by hand. */
export const credentialHeaders: readonly string[] = ['x-client-key', 'authorization'];

/** A key must survive as a header value unchanged: visible ASCII, no blanks, no line breaks. */
const headerSafeKey = /^[\x21-\x7e]+$/;

/** Refuses a key that could not be sent as it is. The message never shows the key. */
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
      `${source} holds a blank, a line break or a character that a header cannot carry. ` +
        'Remove it: keys read from a file often end with a line break.',
      {},
      verdict,
    );
  }
  return key;
}

/** What is told of a key that is about to be sent. */
interface KeyUser {
  readonly config: { readonly apiKey: ApiKey | null };
  /** Whether an earlier attempt may have taken effect; that this one is not sent does not undo it. */
  readonly mayBeDone: boolean;
  readonly redact: Redact;
  hide(key: string): void;
}

/**
 * The key for the next attempt, from the function that was given as `apiKey`.
 *
 * @throws {ConfigurationError} when the function fails or gives no key that could be sent
 */
export async function askForKey(user: KeyUser): Promise<string> {
  const apiKey = user.config.apiKey as Exclude<ApiKey, string>;
  const outcome = user.mayBeDone ? 'unknown' : 'not_sent';
  let given: unknown;
  try {
    given = await apiKey();
  } catch (error) {
    // What fails here may work later: a vault that is down, a token that is being renewed.
    const verdict = { outcome, retryable: true } as const;
    const options = { cause: safeCause(error, user.redact) };
    throw new ConfigurationError(
      'The function given as `apiKey` failed, so the request was not sent.',
      options,
      verdict,
    );
  }
  const source = 'The key that the function given as `apiKey` returned';
  const key = checkApiKey(given, source, { outcome, retryable: false });
  user.hide(key);
  return key;
}

/** Headers by their names in lower case. */
export type HeaderRecord = Readonly<Record<string, string>>;
