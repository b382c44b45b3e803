// One attempt of a call through ky: adds headers and key, sends the request, and reads the body of a success.

import ky, { NetworkError } from 'ky';
import { tagOf } from '../util/json.ts';
import { readText } from '../util/read-stream.ts';
import { ConfigurationError } from './errors/base.ts';
import { conclude } from './errors/request-error.ts';
import type { Notify } from './notify.ts';
import { askForKey } from './options/address-and-key.ts';
import type { HeaderRecord } from './options/call-options.ts';
import type { Fetch, FetchResponse } from './options/client-options.ts';
import type { Settings } from './options/settings.ts';
import type { Progress } from './progress.ts';
import { redactHeaders } from './secrets.ts';

/** Hooks may delay an attempt by at most half of this. */
const LONGEST_HOOK_MS = 10_000;

/** What ky takes to `fetch` for an attempt. */
interface Attempt {
  readonly progress: Progress;
  readonly signal: AbortSignal;
  readonly headers: HeaderRecord;
}

/** A response of any status, and the body of a success. */
export interface Received {
  readonly response: Response;
  /** `null` unless a success has come whole: its body may be longer than `maxResponseBytes`, or cut short. */
  readonly body: string | null;
  /** Why the rest of it could not be read. */
  readonly cut?: { readonly cause: unknown };
}

/**
 * Sends the request of a call once; `isRaw` leaves the body of a success unread, for the caller. Rejects with the platform's reason
 * when no response arrives.
 */
export type Wire = (progress: Progress, signal: AbortSignal, isRaw: boolean) => Promise<Received>;

/** Sets ky up for a client. Retries, deadlines and errors follow the rules of the operation, which ky does not know. */
export function createWire(settings: Settings, notify: Notify): Wire {
  const http = ky.create({
    retry: 0,
    timeout: false,
    throwHttpErrors: false,
    async fetch(input, init) {
      const { url } = input as Request;
      // ky passes on whatever is no option of its own. Headers and body go with it: through ky they would be made three times.
      const { progress, signal, headers } = (init as unknown as { readonly attempt: Attempt }).attempt;
      const { operation, rules, body } = progress.plan;
      signal.throwIfAborted();
      progress.leave();
      // Looked up now, so that a replaced global fetch (a mock, a tracer) is used; and not called as a method, since a
      // browser's fetch rejects a foreign `this`. It gets the address and plain options: the fetch of undici or node-fetch
      // does not understand a Request of the platform.
      const send: Fetch = settings.fetch ?? globalThis.fetch;
      const response = await send(url, {
        ...rules.fetchOptions,
        method: operation.method,
        headers,
        ...(body !== undefined && { body }),
        redirect: 'manual',
        signal,
      });
      assertResponse(response, progress);
      return response;
    },
  });

  return async (progress, signal, isRaw) => {
    const { operation, url } = progress.plan;
    const headers = await headersOf(progress, signal, settings, notify);
    const attempt: Attempt = { progress, signal, headers };
    const options = { method: operation.method, attempt };
    let response: Response;
    try {
      response = await http(url, options);
    } catch (error) {
      // By its class: an error of somebody else may have its name.
      throw error instanceof NetworkError ? error.cause : error;
    }
    signal.throwIfAborted();
    const { status } = response;
    progress.status = status;
    notify.onResponse?.(progress, {
      attempt: progress.attempts,
      status,
      get headers() {
        return redactHeaders(response.headers, progress.redact);
      },
      durationMs: performance.now() - progress.sentAt,
    });
    if (response.headers.has('deprecation') || response.headers.has('sunset')) {
      const headers = redactHeaders(response.headers, progress.redact);
      notify.onDeprecation?.(progress, {
        deprecation: headers.get('deprecation'),
        sunset: headers.get('sunset'),
        link: headers.get('link'),
      });
    }
    if (!response.ok || response.redirected) return { response, body: null };
    return isRaw ? { response, body: '' } : readBody(response, settings, signal);
  };
}

/** The headers of an attempt: those of the call, as the hooks leave them, and the key in the one that the operation uses. */
async function headersOf(
  progress: Progress,
  signal: AbortSignal,
  { apiKey }: Settings,
  notify: Notify,
): Promise<HeaderRecord> {
  const { operation, rules, body } = progress.plan;
  const askedAt = performance.now();
  let key = apiKey;
  if (typeof key === 'function') {
    key = await askForKey(key, progress);
    progress.addKey(key);
  }
  let headers: HeaderRecord = {
    ...rules.headers,
    accept: 'application/json',
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  if (notify.onRequest !== undefined) {
    const left = Math.min(
      (rules.timeout || LONGEST_HOOK_MS) + askedAt - performance.now(),
      progress.endsAt - performance.now(),
      LONGEST_HOOK_MS,
    );
    headers = await notify.onRequest(progress, headers, signal, left / 2);
  }
  const { 'x-client-key': _, authorization, ...others } = headers;
  if (key !== null) {
    return operation.auth === 'clientKey'
      ? { ...others, 'x-client-key': key }
      : { ...others, authorization: `Bearer ${key}` };
  }
  if (authorization === undefined) return others;
  // Without a key, an `Authorization` for a proxy is the caller's own and just as secret; no other header carries a
  // credential.
  progress.addKey(authorization.replace(/^\S+\s+/, ''));
  return { ...others, authorization };
}

/** Reads a body, and stops where it is longer than `maxResponseBytes`. */
async function readBody(
  response: Response,
  { maxResponseBytes }: Settings,
  signal: AbortSignal,
): Promise<Received> {
  const { headers } = response;
  const read = { text: '' };
  try {
    // The platform reads a body of known length faster, and tells devtools that it has. Compressed, its length says nothing.
    const length = Number(headers.get('content-length') ?? Number.POSITIVE_INFINITY);
    const isShort = length <= maxResponseBytes && !headers.has('content-encoding');
    if (isShort) read.text = await response.text();
    const isWhole = isShort || (await readText(response, maxResponseBytes, read, signal));
    // What is stated of the length may be wrong where another `fetch` is used.
    return { response, body: isWhole && read.text.length <= maxResponseBytes ? read.text : null };
  } catch (cause) {
    return { response, body: null, cut: { cause } };
  }
}

/** @throws {ConfigurationError} for a `fetch` that gives something else, as a mock may, or a response that was read */
function assertResponse(
  response: FetchResponse,
  progress: Progress,
): asserts response is Response & FetchResponse {
  const { status, ok, headers, bodyUsed }: Partial<Response> = Object(response);
  const isResponse =
    typeof status === 'number' && typeof ok === 'boolean' && typeof headers?.forEach === 'function';
  if (isResponse && bodyUsed !== true) return;
  // Its kind and not the value: that of a wrapper that reads the body is the answer itself.
  const given = isResponse
    ? 'a response whose body was read before'
    : `a value (${tagOf(response)}) and not a Response`;
  throw new ConfigurationError(
    `\`fetch\` gave ${given}. It must give a new Response for every request.`,
    {},
    conclude(progress, 'unknown', false),
  );
}
