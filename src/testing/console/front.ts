// What an emulator serves on a port: the service, the console page and the control interface.

import { CONTROL_PREFIX } from '../control/control.ts';
import type { Emulator } from '../emulator/emulator-api.ts';
import { createConsole } from './console.ts';
import { foreignHost, guardHeaders } from './guard.ts';

type Answer = (request: Request) => Response | Promise<Response>;

/** @param names Hosts that are served besides `localhost` and numeric addresses. */
export function createFront(emulator: Emulator, service: Answer, names: readonly string[]): Answer {
  const page = createConsole(emulator);
  return (request) => {
    const { pathname } = new URL(request.url);
    const isPage = pathname === '/' || pathname.startsWith('/console/');
    const message = foreignHost(request, names);
    if (message !== undefined) {
      const init = { status: 403, headers: guardHeaders };
      return isPage ? new Response(message, init) : Response.json({ message }, init);
    }
    return isPage || pathname.startsWith(`${CONTROL_PREFIX}/`) ? page.fetch(request) : service(request);
  };
}
