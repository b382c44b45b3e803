// `node:http` for snippets: a server in the network of the worker.
import type { NodeResponse } from '../../../../src/node/listener.ts';
import type { NodeRequest } from '../../../../src/node/request.ts';
import { hangUp, serve } from '../network.ts';

type Listener = (request: NodeRequest, response: NodeResponse) => unknown;

export function createServer(listener: Listener) {
  let port = 0;
  const server = {
    listen(wanted = 0, ...rest: unknown[]) {
      port = serve(wanted, (request) => respond(request, listener));
      const listening = rest.at(-1);
      if (typeof listening === 'function') queueMicrotask(() => listening());
      return server;
    },
    address: () => ({ address: '127.0.0.1', family: 'IPv4', port }),
    close: () => void hangUp(port),
  };
  return server;
}

async function respond(request: Request, listener: Listener): Promise<Response> {
  const body = new Uint8Array(await request.arrayBuffer());
  const { pathname, search } = new URL(request.url);
  const incoming: NodeRequest = {
    method: request.method,
    url: pathname + search,
    headers: Object.fromEntries(request.headers),
    complete: true,
    async *[Symbol.asyncIterator]() {
      yield body;
    },
  };
  return new Promise((resolve) => {
    const headers = new Headers();
    const outgoing = {
      statusCode: 200,
      writableFinished: false,
      setHeader: (name: string, value: string) => headers.set(name, value),
      end(text?: Uint8Array | string) {
        const { statusCode: status } = outgoing;
        resolve(new Response(status === 204 ? null : (text as BodyInit | undefined), { status, headers }));
      },
      once() {},
    };
    listener(incoming, outgoing);
  });
}
