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

/** What msw needs for a handler: the requests it is for, and how they are answered. */
export interface MswAnswer {
  readonly path: string;
  readonly resolve: (info: { readonly request: Request }) => Promise<Response>;
}

/** Answers requests below the base URL by the emulator. */
export function answerWith(emulator: Emulator, { baseUrl }: MswHandlerOptions): MswAnswer {
  const base = baseUrl === undefined ? undefined : new URL(baseUrl);
  const prefix = base === undefined ? API_PREFIX : base.pathname.replace(/\/+$/, '');
  return {
    path: `${base?.origin ?? '*'}${prefix}/*`,
    async resolve({ request }) {
      try {
        return await emulator.fetch(new Request(toEmulator(request.url, prefix), request));
      } catch (error) {
        // To msw an exception is an answer with status 500; a broken connection has to be said like this.
        if (isConnectionReset(error)) return Response.error();
        throw error;
      }
    },
  };
}

function toEmulator(address: string, prefix: string): URL {
  const url = new URL(address);
  url.pathname = API_PREFIX + url.pathname.slice(prefix.length);
  return url;
}
