// One attempt of a call: sends the request with its headers and key, and awaits the response.

import { NetworkError } from 'ky';
import type { Call } from '../call.ts';
import { isExamServiceError } from '../errors/base.ts';
import { ConnectionError } from '../errors/connection-error.ts';
import { type AuthScheme, askForKey, credentialHeaders } from './auth.ts';
import type { Fetch } from './fetch.ts';

/** Hooks may delay an attempt by at most half of this. */
const LONGEST_HOOK_MS = 10_000;

/**
 * Thrown for a response that is not a success. Its body is read after the attempt, whose deadline must not hide the
 * status.
 */
export class NotOk {
  readonly response: Response;

  constructor(response: Response) {
    this.response = response;
  }
}

/**
 * Sends the request of a call once and returns its response.
 *
 * @throws {NotOk} for a redirect or any other status outside 2xx
 * @throws {ConnectionError} when no response arrives
 * @throws {ConfigurationError} when there is no key to send
 */
export async function exchange(call: Call, signal: AbortSignal): Promise<Response> {
  const { config, method, options } = call;
  const { auth } = call.descriptor;
  const { body } = call.parts;
  let sentAt = performance.now();
  try {
    const response = await config.http(call.target, {
      method,
      headers: {
        ...options.headers,
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      hooks: {
        beforeRequest: [
          async ({ request: { headers } }) => {
            const key = typeof config.apiKey === 'function' ? await askForKey(call) : config.apiKey;
            signal.throwIfAborted();
            const attemptLeft = (options.timeout || LONGEST_HOOK_MS) + sentAt - performance.now();
            const left = Math.min(attemptLeft, call.timeLeft, LONGEST_HOOK_MS);
            await config.observer.request(call, headers, signal, left);
            if (key === null) hideOwn(call, headers);
            else setCredential(headers, auth, key);
          },
        ],
      },
      // Called with the address and plain options: the fetch of undici or node-fetch does not understand ky's Request,
      // and Node loses its signal when it is garbage-collected before its body has arrived.
      fetch: async (request) => {
        signal.throwIfAborted();
        const { url, headers } = request as Request;
        // Looked up now, so that a replaced global fetch (a mock, a tracer) is used; and not called as a method, since
        // a browser's fetch rejects a foreign `this`.
        const fetch: Fetch = config.fetch ?? globalThis.fetch;
        sentAt = performance.now();
        call.outcome = 'unknown';
        const answered = await fetch(url, {
          ...options.fetchOptions,
          method,
          headers: Object.fromEntries(headers),
          ...(body !== undefined && { body }),
          redirect: 'manual',
          signal,
        });
        return answered as Response;
      },
    });
    signal.throwIfAborted();
    call.status = response.status;
    config.observer.response(call, response, performance.now() - sentAt);
    if (response.ok && !response.redirected) return response;
    throw new NotOk(response);
  } catch (error) {
    if (error instanceof NotOk || isExamServiceError(error)) throw error;
    throw new ConnectionError(call, error instanceof NetworkError ? error.cause : error);
  }
}

/**
 * Without a key, an `Authorization` for a proxy is the caller's own and just as secret; no other header carries a
 * credential.
 */
function hideOwn(call: Call, headers: Headers): void {
  headers.delete('x-client-key');
  const credential = headers.get('authorization')?.replace(/^\S+\s+/, '');
  if (credential) call.hide(credential);
}

/** Puts the key into the one header that the operation uses, and removes it from all others. */
function setCredential(headers: Headers, scheme: AuthScheme, key: string): void {
  for (const name of credentialHeaders) headers.delete(name);
  if (scheme === 'clientKey') headers.set('x-client-key', key);
  else headers.set('authorization', `Bearer ${key}`);
}
