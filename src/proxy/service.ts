// Sends an authorized call to the service, and answers the page with what comes back.

import { ConfigurationError } from '../core/errors/base.ts';
import type { HttpMethod } from '../core/operation.ts';
import { readRetryAfter } from '../core/response/rate-limit.ts';
import { copyError } from '../util/errors.ts';
import { isKey, type ProxySettings } from './options.ts';
import type { Call } from './read-call.ts';
import { inTime, readText } from './read-text.ts';
import { isResponse, refusal } from './refusal.ts';

const JSON_TYPE = 'application/json';
/** Many times the size of a page of a hundred records. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** How long a 429 that does not say pauses the proxy. */
const DEFAULT_PAUSE_SECONDS = 1;
/** Then one request asks again, as the service may have changed its mind. */
const LONGEST_PAUSE_SECONDS = 60;

/** Creates the function that sends calls. A 429 pauses all that use the same key. */
export function createService(
  { baseUrl, apiKey, timeout, fetch }: ProxySettings,
  report: (error: unknown, request: Request) => void,
) {
  const base = String(baseUrl).replace(/\/$/, '');
  let pausedKey: string | undefined;
  let pausedUntil = 0;

  let lastKey: string | undefined;
  const askForKey = async () => (typeof apiKey === 'function' ? apiKey() : apiKey);
  /** The `apiKey` function may fail to renew the key that it gave before, and say which. */
  const hideLast = (text: string) => (lastKey ? hideKey(text, lastKey) : text);

  return async (call: Call, request: Request): Promise<Response> => {
    const key = await askForKey().catch((error) => {
      const cause = copyError(error, hideLast);
      throw new ConfigurationError('The `apiKey` function failed; see `cause`.', { cause });
    });
    if (!isKey(key)) throw new ConfigurationError('The `apiKey` function returned no key.');
    lastKey = key;
    const left = key === pausedKey ? (pausedUntil - performance.now()) / 1_000 : 0;
    if (left > 0) throw refusal(429, 'The exam service asks to wait.', retryAfter(left));

    const fail = (status: number, what: string, detail: unknown = ''): Response => {
      const message = `The exam service ${what}.`;
      // As text: the error of a custom fetch may hold the request, and so the key.
      report(new Error(hideKey(`${message} ${detail}`, key)), request);
      return refusal(status, message);
    };
    const { url, init } = requestOf(call, base, key);
    const exchange = async (signal: AbortSignal): Promise<Response> => {
      const { status, headers, body } = await fetch(url, { ...init, signal });
      // A redirect that was not followed has the status 0 in some runtimes.
      if (status < 200 || (status >= 300 && status < 400)) throw fail(502, 'redirects');
      if (status === 401) fail(status, 'refuses the key');
      const asked = (readRetryAfter(status, headers) ?? 0) / 1_000;
      const wait = asked || (status === 429 ? DEFAULT_PAUSE_SECONDS : 0);
      if (status === 429) {
        pausedKey = key;
        pausedUntil = performance.now() + Math.min(wait, LONGEST_PAUSE_SECONDS) * 1_000;
      }
      const text = await readText(body, MAX_ANSWER_BYTES);
      if (text === null) throw fail(502, 'answers too much');
      const requestId = headers.get('x-request-id');
      const passed = {
        // What is not JSON is no page either: a browser would run the scripts of one.
        'content-type': /\bjson\b/i.test(`${headers.get('content-type')}`) ? JSON_TYPE : 'text/plain',
        ...(wait > 0 && retryAfter(wait)),
        ...(requestId && { 'x-request-id': hideKey(requestId, key) }),
      };
      return new Response(hideKey(text, key) || null, { status, headers: passed });
    };
    try {
      return await inTime(request, timeout, () => fail(504, 'took too long'), exchange);
    } catch (error) {
      if (isResponse(error) || request.signal?.aborted) throw error;
      throw fail(502, 'cannot be reached', `${error} ${Object(error).cause}`);
    }
  };
}

/** The request, made of nothing but what was read and checked. */
function requestOf({ operation, path, query, body }: Call, base: string, key: string) {
  const [method, target] = operation.route.replace('{id}', String(path.id)).split(' ');
  const url = new URL(base + target);
  url.search = String(new URLSearchParams(query as Record<string, string>));
  const init = {
    method: method as HttpMethod,
    headers: {
      accept: JSON_TYPE,
      ...(body && { 'content-type': JSON_TYPE }),
      ...(operation.bearer ? { authorization: `Bearer ${key}` } : { 'x-client-key': key }),
    },
    ...(body && { body: JSON.stringify(body) }),
    redirect: 'manual',
  } as const;
  return { url: url.href, init };
}

const retryAfter = (seconds: number) => ({ 'retry-after': String(Math.ceil(seconds)) });

/** Takes a key out of a text, also where characters of it are escaped for JSON, an address or HTML. */
function hideKey(text: string, key: string): string {
  const pattern = key.replace(/./g, (character) => {
    const code = character.charCodeAt(0);
    const hex = code.toString(16);
    const named = /\w/.test(character) ? '' : '|&\\w+;';
    // Bounded, so that no text takes long to search.
    return `(?:\\\\{0,4}(?:\\x${hex}|u00${hex})|%(?:25)?${hex}|&#0?(?:${code}|x${hex});${named})`;
  });
  return text.replace(new RegExp(pattern, 'gi'), '[redacted]');
}
