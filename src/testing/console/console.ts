// The routes of the console page and of the control interface.

import { Hono } from 'hono';
import { CONTROL_PREFIX, serveControl } from '../control/control.ts';
import type { Emulator } from '../emulator/emulator-api.ts';
import { changeEvents } from './changes.ts';
import { guard } from './guard.ts';
import { live } from './live.ts';
import { consolePage } from './page.ts';
import { STYLE_SHEET } from './styles.ts';

/** Whether a path belongs to the console or the control interface; all others belong to the service. */
export function isConsolePath(path: string): boolean {
  return path === '/' || path.startsWith('/console/') || path.startsWith(`${CONTROL_PREFIX}/`);
}

/**
 * A live page of an emulator's contents, and the control interface, which does what no operation of the service does.
 *
 * @param host The name or address that the emulator listens on.
 */
export function createConsole(emulator: Emulator, host: string): Hono {
  const app = new Hono();
  app.use(guard(host));
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
  serveControl(app, emulator);
  return app;
}
