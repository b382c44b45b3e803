// What the client calls and with which key: what both must look like, and how a new key is asked for.

import { copyError } from '../../util/errors.ts';
import { tagOf } from '../../util/json.ts';
import { tryOrUndefined } from '../../util/try-or-undefined.ts';
import { quotesProblem } from '../check.ts';
import { ConfigurationError, type Verdict } from '../errors/base.ts';
import { type RequestFacts, toVerdict } from '../errors/request-error.ts';

/** Checks a base URL and returns it without a trailing slash. */
export function checkBaseUrl(value: unknown, allowInsecureHttp: boolean): string {
  const quotes = quotesProblem(value);
  if (quotes !== undefined) throw new ConfigurationError(`\`baseUrl\` ${quotes}`);
  const url = parseUrl(value);
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    // Without a query and all that follows, which may hold a key.
    const [path] = /^\.{0,2}\/(?!\/)[^?#]*/.exec(String(value)) ?? [];
    const advice = path === undefined ? '' : `; in a page, pass new URL('${path}', location.href)`;
    throw new ConfigurationError(
      `\`baseUrl\` must be an absolute http or https URL, such as https://host/api/v1${advice}.`,
    );
  }
  if (url.username !== '' || url.password !== '')
    throw new ConfigurationError('`baseUrl` must not contain credentials; pass the key as `apiKey`.');
  if (url.href.includes('?') || url.href.includes('#'))
    throw new ConfigurationError('`baseUrl` must not have a query or a fragment: paths are appended to it.');
  if (url.protocol === 'http:' && !allowInsecureHttp && !isLoopback(url.hostname)) {
    throw new ConfigurationError(
      `\`baseUrl\` uses plain http to ${url.hostname}, which would expose the key on the network. ` +
        'Use https, or set `allowInsecureHttp: true` for a network that you trust.',
    );
  }
  return url.href.replace(/\/+$/, '');
}

function parseUrl(value: unknown): URL | undefined {
  // Also a `URL` of another realm, as under Jest.
  const isAddress = typeof value === 'string' || tagOf(value) === 'URL';
  return isAddress ? tryOrUndefined(() => new URL(String(value))) : undefined;
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** A key must survive as a header value unchanged: visible ASCII, no spaces, no line breaks. */
const headerSafeKey = /^[\x21-\x7e]+$/;

/** Rejects a key that cannot be sent unchanged. The message never shows the key. */
export function checkApiKey(key: unknown, source: string, verdict?: Verdict): string {
  const reject = (problem: string): never => {
    throw new ConfigurationError(`${source} ${problem}`, {}, verdict);
  };
  if (typeof key !== 'string' || key === '') return reject('must be a non-empty string.');
  if (/^bearer\s/i.test(key))
    reject('begins with "Bearer ": pass the key alone, the client adds the scheme.');
  const quotes = quotesProblem(key);
  if (quotes !== undefined) reject(quotes);
  if (!headerSafeKey.test(key))
    reject('contains a space, a line break or another character that no header can carry: call trim().');
  return key;
}

/**
 * Gets the key for the next attempt from the function passed as `apiKey`.
 *
 * @throws {ConfigurationError} when the function fails or returns no usable key
 */
export async function askForKey(ask: () => string | Promise<string>, facts: RequestFacts): Promise<string> {
  let key: unknown;
  try {
    key = await ask();
  } catch (error) {
    // Such a failure may pass: a vault that is down, a token being renewed.
    throw new ConfigurationError(
      'The function passed as `apiKey` failed, so the request was not sent.',
      { cause: copyError(error, facts.redact) },
      toVerdict(facts, 'not_sent', true),
    );
  }
  const source = 'The key returned by the `apiKey` function';
  return checkApiKey(key, source, toVerdict(facts, 'not_sent', false));
}
