// Sends an authorized call to the service, and passes to the page what comes back.

import { ConfigurationError } from '../core/errors/base.ts';
import type { HttpMethod } from '../core/operation.ts';
import { readRetryAfter } from '../core/response/rate-limit.ts';
import { copyError, innermostMessage } from '../util/errors.ts';
import { ProxyError, type ProxyErrorCode } from './errors.ts';
import { readText, withTimeout } from './limits.ts';
import { isKey, type ProxySettings } from './options.ts';
import type { Call } from './read-call.ts';
import { hideKey } from './redact.ts';
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

/** Creates the function that sends calls. A 429 pauses all that use the same key. */
export function createForwarder(
  { baseUrl, apiKey, timeout, fetch }: ProxySettings,
  report: (error: unknown, request: Request) => void,
) {
  const base = String(baseUrl).replace(/\/$/, '');
  let pausedKey: string | undefined;
  let pausedUntil = 0;

  let lastKey: string | undefined;
  const askForKey = async () => (typeof apiKey === 'function' ? apiKey() : apiKey);
  /** The `apiKey` function may fail to renew the key that it returned before, and quote it. */
  const hideLast = (text: string) => (lastKey ? hideKey(text, lastKey) : text);

  const keyFor = async ({ id: operation }: Call, request: Request): Promise<string> => {
    const onLate = () => {
      const message = `The \`apiKey\` function took longer than ${timeout} ms.`;
      return new ProxyError('api_key_timeout', message, { operation, outcome: 'not_sent', retryable: true });
    };
    const key = await withTimeout(request, timeout, onLate, () =>
      askForKey().catch((error) => {
        const cause = copyError(error, hideLast);
        throw new ConfigurationError('The `apiKey` function failed; see `cause`.', { cause });
      }),
    );
    if (!isKey(key)) throw new ConfigurationError('The `apiKey` function returned no key.');
    lastKey = key;
    return key;
  };

  return async (call: Call, request: Request): Promise<Response> => {
    const key = await keyFor(call, request);
    const left = key === pausedKey ? (pausedUntil - performance.now()) / 1_000 : 0;
    if (left > 0) throw reply(429, 'The exam service asks to wait.', retryAfter(left));

    const hide = (text: string) => hideKey(text, key);
    /** Reports what went wrong, and gives what the page may know of it. */
    const fail = (
      code: ProxyErrorCode,
      pageStatus: number,
      what: string,
      { detail = '', headers = {}, ...facts }: Failure = {},
    ): Response => {
      const {
        id: operation,
        operation: { route },
      } = call;
      const outcome = facts.status === 503 || code === 'key_rejected' ? 'rejected' : 'unknown';
      // Of the operations that use POST, only the import can be repeated.
      const isHarmless = outcome === 'rejected' || !/^POST (?!.*import)/.test(route);
      const retryable = isHarmless && code !== 'key_rejected' && code !== 'service_redirected';
      const message = `The exam service ${what}${detail && `: ${detail}`}`;
      report(new ProxyError(code, message, { operation, outcome, retryable, ...facts }), request);
      return reply(pageStatus, `The exam service ${what}.`, headers);
    };
    const { url, init } = requestOf(call, base, key);
    const exchange = async (signal: AbortSignal): Promise<Response> => {
      const { status, headers, body } = await fetch(url, { ...init, signal });
      // A redirect that was not followed has the status 0 in some runtimes.
      if (status < 200 || (status >= 300 && status < 400)) {
        throw fail('service_redirected', 502, 'redirects', {
          status,
          detail: hide(headers.get('location') ?? ''),
        });
      }
      const asked = (readRetryAfter(status, headers) ?? 0) / 1_000;
      const wait = asked || (status === 429 ? DEFAULT_PAUSE_SECONDS : 0);
      if (status === 429) {
        pausedKey = key;
        pausedUntil = performance.now() + Math.min(wait, LONGEST_PAUSE_SECONDS) * 1_000;
      }
      const requestId = headers.get('x-request-id');
      const passed = {
        ...(wait > 0 && retryAfter(wait)),
        ...(requestId && { 'x-request-id': hide(requestId) }),
      };
      const text = await readText(body, MAX_RESPONSE_BYTES);
      const shown = text === null ? undefined : hide(text);
      const facts = {
        status,
        body: shown,
        detail: `${status} ${shown?.slice(0, LONGEST_QUOTE) ?? ''}`.trim(),
      };
      // A 401 or 403 is about the proxy's key; to the page it would mean that its user has to sign in.
      if (status === 401 || status === 403)
        throw fail('key_rejected', 502, 'rejects the key of the proxy', facts);
      // Such a response may hold anything, such as a stack trace with passwords.
      if (status >= 500) {
        throw fail('service_failed', status > 599 ? 502 : status, 'failed', { ...facts, headers: passed });
      }
      if (shown === undefined) throw fail('response_too_large', 502, 'sent too much', facts);
      // What is not JSON is no page either: a browser would run the scripts of one.
      const isJson = /\bjson\b/i.test(`${headers.get('content-type')}`);
      const type = { 'content-type': isJson ? JSON_TYPE : 'text/plain' };
      return new Response(shown || null, { status, headers: { ...type, ...passed } });
    };
    try {
      return await withTimeout(
        request,
        timeout,
        () => fail('service_timeout', 504, 'took too long', { detail: `more than ${timeout} ms` }),
        exchange,
      );
    } catch (error) {
      if (isResponse(error) || request.signal?.aborted) throw error;
      // A copy: the error of a custom fetch may hold the request, and so the key.
      const cause = copyError(error, hide);
      throw fail('service_unreachable', 502, 'cannot be reached', { cause, detail: innermostMessage(cause) });
    }
  };
}

/** What is known of a failure besides its kind. */
interface Failure {
  readonly status?: number;
  readonly body?: string | undefined;
  readonly cause?: unknown;
  /** For the message to `onError` alone. */
  readonly detail?: string;
  /** For the page. */
  readonly headers?: Readonly<Record<string, string>>;
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
