import { vi } from 'vitest';

type Handler = (request: Request) => Promise<Response>;

const handlers = new Map<string, Handler>();
let count = 0;
let restore = () => {};

/** Serves an address in this process: until it is disposed, `fetch` reaches it without a socket. */
export function serve(handle: Handler): { readonly url: string } & AsyncDisposable {
  count += 1;
  const origin = `https://service-${count}.test`;
  if (handlers.size === 0) {
    const { fetch: real } = globalThis;
    const spy = vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
      const { origin } = new URL(input instanceof Request ? input.url : input);
      const handler = handlers.get(origin);
      return handler ? respond(handler, new Request(input, init)) : real(input, init);
    });
    restore = () => spy.mockRestore();
  }
  handlers.set(origin, handle);
  return {
    url: `${origin}/api/v1`,
    async [Symbol.asyncDispose]() {
      handlers.delete(origin);
      if (handlers.size === 0) restore();
    },
  };
}

/** Rejects when the caller gives up, as `fetch` does. */
function respond(handler: Handler, request: Request): Promise<Response> {
  return new Promise((resolve, reject) => {
    const { signal } = request;
    if (signal.aborted) return reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    handler(request).then(resolve, reject);
  });
}
