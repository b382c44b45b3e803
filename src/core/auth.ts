import { ConfigurationError } from './errors/configuration-error.ts';

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
export async function resolveApiKey(apiKey: ApiKey | null): Promise<string | null> {
  if (typeof apiKey !== 'function') return apiKey;
  let key: unknown;
  try {
    key = await apiKey();
  } catch (cause) {
    throw new ConfigurationError('The function given as `apiKey` failed, so the request was not sent.', {
      cause,
    });
  }
  return checkApiKey(key, 'The key that the function given as `apiKey` returned');
}

/** Puts the key into the one header that the operation's scheme names, and into no other. */
export function setCredential(headers: Headers, scheme: AuthScheme, key: string | null): void {
  for (const name of credentialHeaders) headers.delete(name);
  if (key === null) return;
  if (scheme === 'clientKey') headers.set('X-Client-Key', key);
  else headers.set('Authorization', `Bearer ${key}`);
}
