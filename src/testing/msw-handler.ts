// Lets msw answer requests from an emulator; shared by both entries with msw handlers.

import type { Emulator } from './emulator/emulator-api.ts';
import { isConnectionReset } from './emulator/faults/connection-reset.ts';
import { API_PREFIX } from './emulator/operations.ts';

/** Which requests msw passes to the emulator. */
export interface MswHandlerOptions {
  /** Base URL of the client under test; any path is allowed. Default: `/api/v1` of every origin. */
  baseUrl?: string;
}

/** What msw needs for a handler: which requests it is for, and how to answer them. */
export interface MswAnswer {
  readonly path: string;
  readonly resolve: (info: { readonly request: Request }) => Promise<Response>;
}

/** Answers requests below the base URL with the emulator. */
export function answerWith(emulator: Emulator, { baseUrl }: MswHandlerOptions): MswAnswer {
  const base = baseUrl === undefined ? undefined : new URL(baseUrl);
  const prefix = base === undefined ? API_PREFIX : base.pathname.replace(/\/+$/, '');
  return {
    path: `${base?.origin ?? '*'}${prefix}/*`,
    async resolve({ request }) {
      try {
        return await emulator.fetch(new Request(toEmulator(request.url, prefix), request));
      } catch (error) {
        // msw turns an exception into an answer with status 500; this is how to report a broken connection.
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
