import { Hono } from 'hono';
import { messageOf } from '../../util/errors.ts';
import type { Emulator } from '../emulator/emulator-api.ts';
import { actions } from './actions.ts';
import { changeEvents } from './changes.ts';
import { guard } from './guard.ts';
import { live } from './live.ts';
import { consolePage } from './page.ts';
import { STYLE_SHEET } from './styles.ts';

/** Whether a path belongs to the console; all others are the service's. */
export function isConsolePath(path: string): boolean {
  return path === '/' || path.startsWith('/console/');
}

/**
 * A page that shows what an emulator holds, as it changes, and does what no operation of the service does.
 *
 * @param host The name or address that the emulator was told to listen on.
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
  for (const [path, action] of Object.entries(actions)) {
    app.post(path, async (c) => {
      const fields = await c.req.parseBody();
      try {
        const message = action(emulator, fields);
        // Without script the browser has left the page, and is sent back to it.
        return c.req.header('accept') === 'text/plain' ? c.text(message) : c.redirect('/', 303);
      } catch (error) {
        return c.text(messageOf(error), 422);
      }
    });
  }
  return app;
}
