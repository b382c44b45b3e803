// Lets msw answer requests from an emulator; shared by both entries with msw handlers.

import type { Emulator } from './emulator/emulator-api.ts';
import { isConnectionReset } from './emulator/faults/connection-reset.ts';
import { API_PREFIX } from './emulator/operations.ts';
import { rejectUnknown } from './unknown.ts';

/** Which requests msw passes to the emulator. */
export interface MswHandlerOptions {
  /** Base URL of the client under test; any path is allowed. Default: `/api/v1` of every origin. */
  baseUrl?: string | undefined;
  /**
   * Plays the proxy of a page whose client has `apiKey: null`: a request without a key gets the emulator's. Default
   * `false`: it is answered 401.
   */
  proxy?: boolean | undefined;
}

/** What msw needs for a handler: which requests it is for, and how to answer them. */
export interface MswAnswer {
  readonly path: string;
  readonly resolve: (info: { readonly request: Request }) => Promise<Response>;
}

/** Answers requests below the base URL with the emulator. */
export function answerWith(emulator: Emulator, options: MswHandlerOptions): MswAnswer {
  if (typeof emulator?.fetch !== 'function')
    throw new TypeError('createMswHandlers() takes an emulator, and then its options.');
  rejectUnknown('option', options, ['baseUrl', 'proxy']);
  const { baseUrl, proxy = false } = options;
  const base = baseUrl === undefined ? undefined : new URL(baseUrl);
  const prefix = base === undefined ? API_PREFIX : base.pathname.replace(/\/+$/, '');
  return {
    path: `${base?.origin ?? '*'}${prefix}/*`,
    async resolve({ request }) {
      // Plain parts, as a test environment may have a `Request` of its own, which copies only the own properties of its init;
      // and bytes, as not every browser has `request.body`.
      const { method, signal } = request;
      const headers = new Headers([...request.headers]);
      if (proxy) addKey(headers, emulator.apiKey);
      try {
        const bytes = await request.arrayBuffer();
        const body = bytes.byteLength > 0 ? bytes : null;
        return await emulator.fetch(toEmulator(request.url, prefix), { method, headers, body, signal });
      } catch (error) {
        // msw turns an exception into an answer with status 500; this is how to report a broken connection. Nobody waits
        // for the answer to a request that was aborted.
        if (isConnectionReset(error) || request.signal.aborted) return Response.error();
        throw error;
      }
    },
  };
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
