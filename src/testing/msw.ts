import { type HttpHandler, http } from 'msw';
import type { Emulator } from './emulator/emulator-api.ts';
import { isConnectionReset } from './emulator/faults/connection-reset.ts';
import { API_PREFIX } from './emulator/operations.ts';

/** Which requests msw hands to the emulator. */
export interface MswHandlerOptions {
  /**
   * Base URL that the client under test was given; its path may be any. Default: `/api/v1` of every origin.
   */
  baseUrl?: string;
}

/**
 * Request handlers for msw (`setupServer`, `setupWorker`) that answer everything below the base URL as the
 * emulator does, faults included. In Node, msw ends a body that breaks where it broke, instead of breaking it.
 *
 * ```ts
 * const emulator = createEmulator();
 * const server = setupServer(...createMswHandlers(emulator));
 * ```
 *
 * @throws TypeError for a base URL that is no absolute address
 */
export function createMswHandlers(emulator: Emulator, { baseUrl }: MswHandlerOptions = {}): HttpHandler[] {
  const base = baseUrl === undefined ? undefined : new URL(baseUrl);
  const prefix = base === undefined ? API_PREFIX : base.pathname.replace(/\/+$/, '');
  return [
    http.all(`${base?.origin ?? '*'}${prefix}/*`, async ({ request }) => {
      try {
        return await emulator.fetch(new Request(toEmulator(request.url, prefix), request));
      } catch (error) {
        // To msw an exception is an answer with status 500; a broken connection has to be said like this.
        if (isConnectionReset(error)) return Response.error();
        throw error;
      }
    }),
  ];
}

function toEmulator(address: string, prefix: string): URL {
  const url = new URL(address);
  url.pathname = API_PREFIX + url.pathname.slice(prefix.length);
  return url;
}
