import { ConfigurationError } from '../errors/configuration-error.ts';
import { type Redact, safeCause } from '../redact.ts';

/**
 * How an operation carries the API key: in `X-Client-Key` (participants, assignment, exams, results) or as
 * an `Authorization: Bearer` token (webhook management). Interface document, Authentication.
 */
export type AuthScheme = 'clientKey' | 'bearer';

/** An API key, or a function that gives the current one; it is asked before every attempt. */
export type ApiKey = string | (() => string | Promise<string>);

/** Headers that carry a credential; a caller may not set them by hand. */
export const credentialHeaders: ReadonlyArray<string> = ['x-client-key', 'authorization'];

/** A key must survive as a header value unchanged: visible ASCII, no blanks, no line breaks. */
const headerSafeKey = /^[\x21-\x7e]+$/;

/** Refuses a key that could not be sent as it is. The message never shows the key. */
export function checkApiKey(key: unknown, source: string): string {
  if (typeof key !== 'string' || key === '') {
    throw new ConfigurationError(`${source} must be a non-empty string.`);
  }
  if (!headerSafeKey.test(key)) {
    throw new ConfigurationError(
      `${source} holds a blank, a line break or a character that a header cannot carry. ` +
        'Remove it: keys read from a file often end with a line break.',
    );
  }
  return key;
}

/** The key for the next attempt, or `null` when the client sends none. */
export async function resolveApiKey(apiKey: ApiKey | null, redact: Redact): Promise<string | null> {
  if (typeof apiKey !== 'function') return apiKey;
  let key: unknown;
  try {
    key = await apiKey();
  } catch (error) {
    throw new ConfigurationError('The function given as `apiKey` failed, so the request was not sent.', {
      cause: safeCause(error, redact),
    });
  }
  return checkApiKey(key, 'The key that the function given as `apiKey` returned');
}

/** Headers by their names in lower case. */
export type HeaderRecord = Readonly<Record<string, string>>;

/** A copy of `headers` with the key in the one header that the operation's scheme names, and in no other. */
export function withCredential(headers: HeaderRecord, scheme: AuthScheme, key: string | null): HeaderRecord {
  const others = Object.entries(headers).filter(([name]) => !credentialHeaders.includes(name));
  if (key !== null) {
    others.push(scheme === 'clientKey' ? ['x-client-key', key] : ['authorization', `Bearer ${key}`]);
  }
  return Object.fromEntries(others);
}
