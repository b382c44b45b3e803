/**
 * msw handlers that respond as an emulator does, in Node and in browsers.
 * @module
 */

import { type HttpHandler, http } from 'msw';
import type { Emulator } from './emulator/emulator-api.ts';
import { isConnectionReset } from './emulator/faults/connection-reset.ts';
import { API_PREFIX } from './emulator/service/operations.ts';
import { rejectUnknown } from './schema/unknown-name.ts';

/** Which requests msw passes to the emulator. */
export interface MswHandlerOptions {
  /** Base URL of the client under test; any path is allowed. @default `/api/v1` of every origin */
  baseUrl?: string | undefined;
  /**
   * Plays the proxy of a page whose client has `apiKey: null`: a request without a key gets the emulator's. Default
   * `false`: it is rejected with 401.
   */
  proxy?: boolean | undefined;
}

/**
 * Request handlers for msw (`setupServer`, `setupWorker`) that respond to everything below the base URL as the
 * emulator does, faults included. In Node, msw ends a body that breaks where it broke, instead of breaking it.
 *
 * ```ts
 * const emulator = createEmulator();
 * const server = setupServer(...createMswHandlers(emulator));
 * ```
 *
 * @throws {TypeError} when the base URL is not absolute
 */
export function createMswHandlers(emulator: Emulator, options: MswHandlerOptions = {}): HttpHandler[] {
  if (typeof emulator?.fetch !== 'function')
    throw new TypeError('createMswHandlers() takes an emulator, and then its options.');
  rejectUnknown('option', options, ['baseUrl', 'proxy']);
  const { baseUrl, proxy = false } = options;
  const base = baseUrl === undefined ? undefined : new URL(baseUrl);
  const prefix = base === undefined ? API_PREFIX : base.pathname.replace(/\/+$/, '');
  return [
    http.all(`${base?.origin ?? '*'}${prefix}/*`, async ({ request }) => {
      // Plain parts, as the `Request` of a test environment may copy only the own properties of its init;
      // and bytes, as not every browser has `request.body`.
      const { method, signal } = request;
      const headers = new Headers([...request.headers]);
      if (proxy) addKey(headers, emulator.apiKey);
      try {
        const bytes = await request.arrayBuffer();
        const body = bytes.byteLength > 0 ? bytes : null;
        return await emulator.fetch(toEmulator(request.url, prefix), { method, headers, body, signal });
      } catch (error) {
        // msw turns an exception into a response with status 500; this reports a broken connection. Nobody waits for the
        // response to an aborted request.
        if (isConnectionReset(error) || signal.aborted) return Response.error();
        throw error;
      }
    }),
  ];
}

/** Both credentials: the operation reads its own. */
function addKey(headers: Headers, apiKey: string): void {
  if (headers.has('x-client-key') || headers.has('authorization')) return;
  headers.set('x-client-key', apiKey);
  headers.set('authorization', `Bearer ${apiKey}`);
}

function toEmulator(address: string, prefix: string): URL {
  const url = new URL(address);
  url.pathname = API_PREFIX + url.pathname.slice(prefix.length);
  return url;
}
