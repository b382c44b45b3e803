// The routes of the console page and of the control interface.

import { Hono } from 'hono';
import { serveControl } from '../control/control.ts';
import type { Emulator } from '../emulator/emulator-api.ts';
import { changeEvents } from './changes.ts';
import { guard } from './guard.ts';
import { live } from './live.ts';
import { consolePage } from './page.ts';
import { STYLE_SHEET } from './styles.ts';

/** A live page of an emulator's contents, and the control interface, which does what no operation of the service does. */
export function createConsole(emulator: Emulator): Hono {
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
  serveControl(app, emulator);
  return app;
}
