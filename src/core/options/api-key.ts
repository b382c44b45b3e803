// The API key: what it must look like, and how a new one is asked for.

import { ConfigurationError, type Verdict } from '../errors/base.ts';
import { conclude, type RequestFacts } from '../errors/request-error.ts';
import { safeCause } from '../secrets.ts';

/** A key must survive as a header value unchanged: visible ASCII, no spaces, no line breaks. */
const headerSafeKey = /^[\x21-\x7e]+$/;

/** Rejects a key that cannot be sent unchanged. The message never shows the key. */
export function checkApiKey(key: unknown, source: string, verdict?: Verdict): string {
  const refuse = (problem: string): never => {
    throw new ConfigurationError(`${source} ${problem}`, {}, verdict);
  };
  if (typeof key !== 'string' || key === '') return refuse('must be a non-empty string.');
  if (/^bearer\s/i.test(key)) {
    refuse('begins with "Bearer ": pass the key alone, the client adds the scheme.');
  }
  if (!headerSafeKey.test(key)) {
    refuse(
      'contains a space, a line break or a character that a header cannot carry. ' +
        'Remove it: keys read from a file often end with a line break.',
    );
  }
  return key;
}

/**
 * Gets the key for the next attempt from the function passed as `apiKey`.
 *
 * @throws {ConfigurationError} when the function fails or returns no usable key
 */
export async function askForKey(
  provider: () => string | Promise<string>,
  facts: RequestFacts,
): Promise<string> {
  let key: unknown;
  try {
    key = await provider();
  } catch (error) {
    // Such a failure may pass: a vault that is down, a token being renewed.
    throw new ConfigurationError(
      'The function passed as `apiKey` failed, so the request was not sent.',
      { cause: safeCause(error, facts.redact) },
      conclude(facts, 'not_sent', true),
    );
  }
  const source = 'The key returned by the `apiKey` function';
  return checkApiKey(key, source, conclude(facts, 'not_sent', false));
}
