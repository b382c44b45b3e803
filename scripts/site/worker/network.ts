// The network of a snippet: what listens in its worker, by port. Nothing else can be reached.

type Listener = (request: Request) => Response | Promise<Response>;

const servers = new Map<number, Listener>();
let nextFreePort = 49_152;

/** @returns the port, a free one for 0 */
export function serve(port: number, listener: Listener): number {
  const taken = port === 0 ? nextFreePort++ : port;
  servers.set(taken, listener);
  return taken;
}

export const hangUp = (port: number): boolean => servers.delete(port);

/** Stands for `fetch`. */
export async function reach(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  const { hostname, port, host } = new URL(request.url);
  const listener = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)
    ? servers.get(Number(port || 80))
    : undefined;
  if (listener === undefined) throw new TypeError(`fetch failed: snippets on this page cannot reach ${host}`);
  const { signal } = request;
  signal.throwIfAborted();
  const abort = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  return Promise.race([listener(request), abort]);
}
