// Sends an authorized call to the service, and passes to the page what comes back.

import { ConfigurationError } from '../core/errors/base.ts';
import { readRetryAfter } from '../core/limit-headers.ts';
import type { HttpMethod } from '../core/operation.ts';
import { checkApiKey } from '../core/options/address-and-key.ts';
import { withoutKeys } from '../core/redact.ts';
import { hasJsonType, isServiceWord } from '../core/response/service-word.ts';
import { whenLate, withDeadline } from '../core/time.ts';
import { copyError, innermostMessage } from '../util/errors.ts';
import { findJson } from '../util/json.ts';
import { readText } from '../util/read-stream.ts';
import { ProxyError, type ProxyErrorReason } from './errors.ts';
import type { ProxySettings } from './proxy-options.ts';
import type { ReadCall } from './read-call.ts';
import { isResponse, reply } from './reply.ts';

const JSON_TYPE = 'application/json';
/** Many times the size of a page of a hundred records. */
const MAX_RESPONSE_BYTES = 2 * 1024 * 1024;
/** How long a 429 that does not say pauses the proxy. */
const DEFAULT_PAUSE_SECONDS = 1;
/** Then one request asks again, as the service may have changed its mind. */
const LONGEST_PAUSE_SECONDS = 60;
/** How much of the service's text a message quotes, in characters. */
const LONGEST_QUOTE = 500;

/** What is known of a failure besides its kind. */
interface Failure {
  readonly status?: number;
  readonly body?: string | null;
  readonly cause?: unknown;
  /** For the message to `onError` alone. */
  readonly detail?: string;
  /** For the page. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Reports a failure to `onError`, and gives what the page gets. */
type Fail = (reason: ProxyErrorReason, pageStatus: number, what: string, facts: Failure) => Response;

/** Sends calls. A 429 pauses all that use the same key. */
export class Forwarder {
  readonly #settings: ProxySettings;
  readonly #report: (error: unknown, request: Request) => void;
  #pausedKey: string | undefined;
  #pausedUntil = 0;
  #lastKey: string | undefined;

  constructor(settings: ProxySettings, report: (error: unknown, request: Request) => void) {
    this.#settings = settings;
    this.#report = report;
  }

  /** @throws {Response} what the page gets for a call that failed; the error itself was reported */
  async send(call: ReadCall, request: Request): Promise<Response> {
    const key = await this.#keyFor(call, request);
    const left = key === this.#pausedKey ? (this.#pausedUntil - performance.now()) / 1_000 : 0;
    if (left > 0) throw reply(429, 'The exam service asks to wait.', retryAfter(left));
    const { timeout } = this.#settings;
    const fail = this.#fail.bind(this, call, request);
    try {
      const exchange = (signal: AbortSignal) => this.#exchange(call, key, fail, signal);
      const late = () => fail('service_timeout', 504, 'took too long', { detail: `more than ${timeout} ms` });
      return await withDeadline(request.signal, timeout, exchange).catch(whenLate(late));
    } catch (error) {
      if (isResponse(error) || request.signal?.aborted) throw error;
      // A copy: the error of a custom fetch may hold the request, and so the key.
      const cause = copyError(error, hiding(key));
      const facts = { cause, detail: innermostMessage(cause) };
      throw fail('service_unreachable', 502, 'cannot be reached', facts);
    }
  }

  async #keyFor({ id: operation }: ReadCall, request: Request): Promise<string> {
    const { apiKey, timeout } = this.#settings;
    if (typeof apiKey !== 'function') return apiKey as string;
    const late = () => {
      const message = `The \`apiKey\` function took longer than ${timeout} ms.`;
      return new ProxyError('api_key_timeout', message, { operation, outcome: 'not_sent', retryable: true });
    };
    const asked = async () => {
      try {
        return await apiKey();
      } catch (error) {
        // It may fail to renew the key that it returned before, and quote it.
        const cause = copyError(error, hiding(this.#lastKey));
        throw new ConfigurationError('The `apiKey` function failed; see `cause`.', { cause });
      }
    };
    const key = await withDeadline(request.signal, timeout, asked).catch(whenLate(late));
    this.#lastKey = checkApiKey(key, 'The key returned by the `apiKey` function');
    return this.#lastKey;
  }

  async #exchange(call: ReadCall, key: string, fail: Fail, signal: AbortSignal): Promise<Response> {
    const hide = hiding(key);
    const { baseUrl, fetch } = this.#settings;
    const { url, init } = requestOf(call, baseUrl, key);
    const response = await fetch(url, { ...init, signal });
    const { status, headers } = response;
    // A redirect that was not followed has the status 0 in some runtimes.
    if (status < 200 || (status >= 300 && status < 400)) {
      const detail = hide(headers.get('location') ?? '');
      throw fail('service_redirected', 502, 'redirects', { status, detail });
    }
    const retryAfterMs = readRetryAfter(status, headers);
    const isLimited = status === 429;
    const wait = Number(retryAfterMs) / 1_000 || (isLimited ? DEFAULT_PAUSE_SECONDS : 0);
    if (isLimited) {
      this.#pausedKey = key;
      this.#pausedUntil = performance.now() + Math.min(wait, LONGEST_PAUSE_SECONDS) * 1_000;
    }
    const requestId = headers.get('x-request-id');
    const passed = {
      ...(wait > 0 && retryAfter(wait)),
      ...(requestId && { 'x-request-id': hide(requestId) }),
    };
    const read = { text: '' };
    const isWhole = await readText(response, MAX_RESPONSE_BYTES, read, signal);
    const body = isWhole ? hide(read.text) : null;
    const detail = `${status} ${body?.slice(0, LONGEST_QUOTE) ?? ''}`.trim();
    const facts = { status, body, detail, headers: passed };
    // A 401 or 403 is about the proxy's key; to the page it would mean that its user has to sign in.
    if (status === 401 || status === 403)
      throw fail('key_rejected', 502, 'rejects the key of the proxy', facts);
    // Such a response may hold anything, such as a stack trace with passwords.
    if (status >= 500) {
      // To the page, a 503 says that nothing was done: a reason to repeat everything.
      const isRefusal = retryAfterMs !== null || isServiceWord(findJson(read.text), isWhole, headers);
      const pageStatus = status > 599 || (status === 503 && !isRefusal) ? 502 : status;
      throw fail('service_failed', pageStatus, 'failed', facts);
    }
    if (body === null) throw fail('response_too_large', 502, 'sent too much', facts);
    // What is not JSON is no page either: a browser would run the scripts of one.
    const type = hasJsonType(headers) ? JSON_TYPE : 'text/plain';
    return new Response(body || null, { status, headers: { 'content-type': type, ...passed } });
  }

  /** Reports what went wrong, and gives what the page may know of it. */
  #fail(
    { id: operation, operation: { route } }: ReadCall,
    request: Request,
    reason: ProxyErrorReason,
    pageStatus: number,
    what: string,
    { detail = '', headers = {}, ...facts }: Failure,
  ): Response {
    const outcome = pageStatus === 503 || reason === 'key_rejected' ? 'rejected' : 'unknown';
    // Of the operations that use POST, only the import can be repeated.
    const isHarmless = outcome === 'rejected' || !/^POST (?!.*import)/.test(route);
    const retryable = isHarmless && reason !== 'key_rejected' && reason !== 'service_redirected';
    const message = `The exam service ${what}${detail && `: ${detail}`}`;
    this.#report(new ProxyError(reason, message, { operation, outcome, retryable, ...facts }), request);
    return reply(pageStatus, `The exam service ${what}.`, headers);
  }
}

/** Takes a key out of text. */
const hiding =
  (key = '') =>
  (text: string) =>
    withoutKeys(text, [key]);

/** The request, made of nothing but what was read and checked. */
function requestOf({ operation, path, query, body }: ReadCall, base: string, key: string) {
  const [method, target] = operation.route.replace('{id}', String(path.id)).split(' ');
  const url = new URL(base + target);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
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
