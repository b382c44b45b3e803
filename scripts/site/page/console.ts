// The emulator's own console page in a frame: a port to the worker of the snippet stands for its network.
import { live } from '../../../src/testing/console/live.ts';
import type { FromConsolePort } from './messages.ts';
import { applyTheme } from './theme.ts';

/** Forms and links of the console lead to the emulator; this is the path there. */
const pathOf = (url: string | URL) => {
  const { pathname, search } = new URL(url, location.href);
  return pathname === location.pathname ? `/${search}` : pathname + search;
};

function connect(port: MessagePort): void {
  const waiting = new Map<number, (response: Response) => void>();
  const events = new EventTarget();
  const changed = () => events.dispatchEvent(new Event('message'));
  let id = 0;
  port.onmessage = ({ data }: MessageEvent<FromConsolePort>) => {
    if (data === 'changed') changed();
    else waiting.get(data.id)?.(new Response(data.text, { status: data.status }));
  };
  const ask = (url: string | URL, { method = 'GET', body }: RequestInit = {}) =>
    new Promise<Response>((resolve) => {
      id += 1;
      waiting.set(id, resolve);
      port.postMessage({ id, path: pathOf(url), method, body: body?.toString() });
    });
  Object.assign(window, { fetch: ask, EventSource: new Proxy(EventTarget, { construct: () => events }) });
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href^="/?"]') : null;
    if (link === null) return;
    event.preventDefault();
    history.replaceState(null, '', link.getAttribute('href')?.slice(1));
    changed();
  });
  live();
  events.dispatchEvent(new Event('open'));
}

applyTheme();
addEventListener('message', ({ source, ports: [port] }) => {
  if (source === parent && port !== undefined) connect(port);
});
