// Serves an emulator on a port of this machine, in Node.

import { createServer, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { messageOf } from '../../../util/errors.ts';
import { isConnectionReset } from '../faults/connection-reset.ts';
import { API_PREFIX } from '../service/operations.ts';

/** Where an emulator listens. */
export interface ListenOptions {
  /** Port to listen on. @default 0, a free one */
  port?: number | undefined;
  /** Address to listen on; `0.0.0.0` and `::` mean all. @default '127.0.0.1', which cannot be reached from other machines */
  host?: string | undefined;
  /**
   * Further names under which the emulator is reached, such as that of its container, and the hosts of web pages that
   * call it. All others get a 403, apart from requests to `localhost` and to numeric addresses, and from pages of
   * `localhost`, of a loopback address and of the emulator itself.
   * @default none
   */
  allowHosts?: readonly string[] | undefined;
}

/** A listening emulator. */
export interface EmulatorServer {
  /** Base URL for a client: `http://127.0.0.1:<port>/api/v1`. */
  readonly url: string;
  /** Port that it listens on. */
  readonly port: number;
  /** Stops listening and breaks open connections. */
  close(): Promise<void>;
  /** Like `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

type Handle = (request: Request) => Response | Promise<Response>;

/** @throws {Error} when it cannot listen on the address */
export async function startServer(
  handle: Handle,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<EmulatorServer> {
  // Node would listen on every address.
  if (host === '') throw new TypeError('The host of an emulator is empty.');
  const server = createServer(createListener(handle));
  const bound = await bind(server, port, host);
  const close = () => stop(server);
  return {
    url: `http://${addressOf(host)}:${bound}${API_PREFIX}`,
    port: bound,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The host for a URL. On some platforms, the addresses that mean "all" cannot be connected to. */
function addressOf(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

function bind(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const reason =
        cause.code === 'EADDRINUSE' ? 'it is in use; choose another, or 0 for a free one' : cause.message;
      reject(new Error(`The emulator cannot listen on port ${port} of ${host}: ${reason}.`, { cause }));
    });
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function createListener(handle: Handle): RequestListener {
  return getRequestListener(
    async (request, { outgoing }) => {
      try {
        return breakable(await handle(request), outgoing.socket);
      } catch (error) {
        if (isConnectionReset(error)) outgoing.socket?.resetAndDestroy();
        else if (!outgoing.destroyed) return mistake(error);
        return RESPONSE_ALREADY_SENT;
      }
    },
    { overrideGlobalObjects: false },
  );
}

/**
 * The same response, with a body that breaks the connection when it breaks, after everything before has been sent. The
 * adapter would report a broken stream on the console; it does not read ahead in a chunked body.
 */
function breakable(response: Response, socket: Socket | null): Response {
  const reader = response.body?.getReader();
  if (reader === undefined) return response;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch {
        socket?.destroySoon();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
  const headers = new Headers(response.headers);
  headers.set('transfer-encoding', 'chunked');
  return new Response(body, { status: response.status, headers });
}

/** An error that is not a response of the service is a bug in the emulator, and is reported as such. */
function mistake(error: unknown): Response {
  const message = `The emulator failed: ${messageOf(error)}`;
  return Response.json({ message }, { status: 500 });
}
