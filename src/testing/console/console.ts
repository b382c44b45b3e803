// What an emulator serves on a port: the service, the console page and the control interface.

import { Hono } from 'hono';
import { CONTROL_PREFIX } from '../control/route.ts';
import { serveControl } from '../control/serve.ts';
import type { Emulator } from '../emulator/emulator-api.ts';
import { changeEvents } from './changes.ts';
import { foreignHost, guard, guardHeaders } from './guard.ts';
import { live } from './live.ts';
import { consolePage } from './page.ts';
import { STYLE_SHEET } from './style-sheet.ts';

/** A live page of an emulator's contents, and the control interface, which does what no operation of the service does. */
function createConsole(emulator: Emulator): Hono {
  const app = new Hono();
  app.use(guard());
  app.get('/', (c) => c.html(consolePage(emulator, new URL(c.req.url))));
  app.get('/console/style.css', (c) =>
    c.body(STYLE_SHEET, 200, { 'content-type': 'text/css; charset=utf-8' }),
  );
  app.get('/console/live.js', (c) =>
    c.body(`(${live})();`, 200, { 'content-type': 'text/javascript; charset=utf-8' }),
  );
  app.get('/console/events', (c) =>
    c.body(changeEvents(emulator), 200, { 'content-type': 'text/event-stream' }),
  );
  app.get('/console/state.json', (c) =>
    c.json(emulator.snapshot(), 200, { 'content-disposition': 'attachment; filename="emulator-state.json"' }),
  );
  serveControl(app, emulator);
  return app;
}

type Handle = (request: Request) => Response | Promise<Response>;

/** @param names Hosts that are served besides `localhost` and numeric addresses. */
export function createFront(emulator: Emulator, service: Handle, names: readonly string[]): Handle {
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
