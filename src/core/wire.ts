// One attempt of a call through ky: adds headers and key, sends the request, and reads the body of a success.

import ky, { NetworkError } from 'ky';
import { tagOf } from '../util/json.ts';
import { readBytes } from '../util/read-stream.ts';
import { ConfigurationError } from './errors/base.ts';
import { toVerdict } from './errors/request-error.ts';
import type { Emitter } from './hook-emitter.ts';
import type { RequestEvent } from './hooks.ts';
import { askForKey } from './options/address-and-key.ts';
import type { Fetch, FetchResponse } from './options/client-options.ts';
import type { Settings } from './options/client-settings.ts';
import type { HeaderRecord } from './options/headers.ts';
import type { CallFacts } from './plan.ts';
import { withDeadline } from './time.ts';

/** How long an attempt waits for the hooks before it. */
const LONGEST_HOOK_MS = 5_000;

/** The call whose request is sent. */
export interface Exchange extends CallFacts {
  readonly requestEvent: RequestEvent;
  readonly queuedMs: number;
  /** A key is about to be sent. */
  addKey(key: string): void;
  /** The request is sent now. */
  onSend(): void;
  /** The headers of a response have arrived, but not its body. */
  onResponse(response: Response): void;
}

/** A response of any status, and the body of a success. */
export interface RawResponse {
  readonly response: Response;
  /** `null` unless the whole body of a success was read: it may exceed `maxResponseBytes`, or the connection may break. */
  readonly body: Uint8Array<ArrayBuffer> | null;
  /** Why the rest of the body could not be read. */
  readonly readError?: { readonly cause: unknown };
}

/** Sends the request of a call once. Rejects with the platform's reason when no response arrives. */
export type Wire = (call: Exchange, signal: AbortSignal) => Promise<RawResponse>;

/**
 * ky checks the address, builds the Request of an attempt and calls `send`: no more. Retries, deadlines and errors depend on
 * the operation, on the limit that calls share, and on whether anything was sent, which ky does not know. Headers and body
 * bypass it, since it would create them three times. Its error for a failed connection is unwrapped below.
 */
const kyFeaturesOff = { retry: 0, timeout: false, throwHttpErrors: false } as const;

/** Creates what sends the requests of a client. */
export function createWire(settings: Settings, emit: Emitter): Wire {
  /** What ky calls in place of the platform's `fetch`. */
  async function send(
    call: Exchange,
    key: string | null,
    signal: AbortSignal,
    url: string,
  ): Promise<Response> {
    const { operation, rules, body } = call.plan;
    signal.throwIfAborted();
    const own = {
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    let headers: HeaderRecord = { ...rules.headers, ...own };
    if (emit.onRequest !== undefined) {
      // A copy: hooks may keep it, and must never see the credential.
      const shown = new Headers(headers);
      const event = { ...call.requestEvent, auth: operation.auth, headers: shown, queuedMs: call.queuedMs };
      // Awaits only asynchronous hooks: a call that is cancelled during the wait leaves a span without a request.
      const pending = emit.onRequest(event);
      if (pending !== undefined) await waitForHooks(pending, signal, emit);
      headers = { ...Object.fromEntries(shown), ...own };
    }
    signal.throwIfAborted();
    call.onSend();
    // Looked up now, so that a replaced global fetch (a mock, a tracer) is used; and not called as a method, since a
    // browser's fetch rejects a foreign `this`. It gets the address and plain options: the fetch of undici or node-fetch
    // does not understand a Request of the platform.
    const fetch: Fetch = settings.fetch ?? globalThis.fetch;
    const response = await fetch(url, {
      ...rules.fetchOptions,
      method: operation.method,
      headers: withCredential(headers, key, call),
      ...(body !== undefined && { body }),
      redirect: 'manual',
      signal,
    });
    assertResponse(response, call);
    return response;
  }

  return async (call, signal) => {
    let key = settings.apiKey;
    if (typeof key === 'function') {
      key = await askForKey(key, call);
      call.addKey(key);
    }
    const credential = key;
    let response: Response;
    try {
      response = await ky(call.plan.url, {
        ...kyFeaturesOff,
        fetch: (request) => send(call, credential, signal, (request as Request).url),
      });
    } catch (error) {
      // Checked by class: an error of another library may have the same name.
      throw error instanceof NetworkError ? error.cause : error;
    }
    signal.throwIfAborted();
    call.onResponse(response);
    if (!response.ok || response.redirected) return { response, body: null };
    return readResponseBody(response, settings, signal);
  };
}

async function waitForHooks(pending: Promise<unknown>, signal: AbortSignal, { log }: Emitter): Promise<void> {
  await withDeadline(signal, LONGEST_HOOK_MS, () => pending).catch(() => {
    if (!signal.aborted) log('warn', 'the hook onRequest takes too long; the call continues');
  });
}

/** Adds the key in the header that the operation uses. No other header carries a credential. */
function withCredential(headers: HeaderRecord, key: string | null, call: Exchange): HeaderRecord {
  const { 'x-client-key': _, authorization, ...others } = headers;
  if (key !== null) {
    return call.plan.operation.auth === 'clientKey'
      ? { ...others, 'x-client-key': key }
      : { ...others, authorization: `Bearer ${key}` };
  }
  if (authorization === undefined) return others;
  // Without a key, an `Authorization` for a proxy is the caller's own and just as secret.
  call.addKey(authorization.replace(/^\S+\s+/, ''));
  return { ...others, authorization };
}

/** Reads a body, and stops where it is longer than `maxResponseBytes`. */
async function readResponseBody(
  response: Response,
  { maxResponseBytes }: Settings,
  signal: AbortSignal,
): Promise<RawResponse> {
  const { headers } = response;
  try {
    // The platform reads a body of known length faster, and shows it in devtools. A compressed length says nothing.
    const length = Number(headers.get('content-length') ?? Number.POSITIVE_INFINITY);
    const isShort = length <= maxResponseBytes && !headers.has('content-encoding');
    // A mock or polyfill may give nothing but its text.
    const body =
      isShort && typeof response.arrayBuffer === 'function'
        ? new Uint8Array(await response.arrayBuffer())
        : await readBytes(response, maxResponseBytes, signal);
    // The stated length may be wrong with a custom `fetch`.
    return { response, body: body !== null && body.length <= maxResponseBytes ? body : null };
  } catch (cause) {
    return { response, body: null, readError: { cause } };
  }
}

/** @throws {ConfigurationError} for a `fetch` that gives something else, as a mock may, or a response that was read */
function assertResponse(result: FetchResponse, call: Exchange): asserts result is Response & FetchResponse {
  const { status, ok, headers, bodyUsed }: Partial<Response> = Object(result);
  const isResponse =
    typeof status === 'number' && typeof ok === 'boolean' && typeof headers?.forEach === 'function';
  if (isResponse && bodyUsed !== true) return;
  // The type and not the value: a wrapper that reads the body returns the response data.
  const given = isResponse ? 'a response whose body was read before' : `no Response (${tagOf(result)})`;
  throw new ConfigurationError(
    `\`fetch\` returned ${given}: return a new Response for each request.`,
    {},
    toVerdict(call, 'unknown', false),
  );
}
