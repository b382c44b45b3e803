import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { isConnectionReset } from './faults/connection-reset.ts';
import { API_PREFIX } from './operations.ts';

/** Where an emulator listens. */
export interface ListenOptions {
  /** Default 0: a free port. */
  port?: number;
  /** Default `127.0.0.1`, which nothing outside the machine reaches. */
  host?: string;
}

/** An emulator that listens. */
export interface EmulatorServer {
  /** Base URL for a client: `http://127.0.0.1:<port>/api/v1`. */
  readonly url: string;
  readonly port: number;
  /** Stops listening and breaks the connections that are open. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

type Answer = (request: Request) => Promise<Response>;

/** @throws Error where the address cannot be listened on */
export async function startServer(
  answer: Answer,
  { port = 0, host = '127.0.0.1' }: ListenOptions = {},
): Promise<EmulatorServer> {
  const server = createServer((incoming, outgoing) => void serve(answer, incoming, outgoing));
  const bound = await bind(server, port, host);
  const close = () => stop(server);
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}${API_PREFIX}`,
    port: bound,
    close,
    [Symbol.asyncDispose]: close,
  };
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

async function serve(answer: Answer, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const gone = new AbortController();
  outgoing.once('close', () => gone.abort());
  try {
    const response = await answer(await readRequest(incoming, gone.signal));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    for await (const chunk of response.body ?? []) outgoing.write(chunk);
    outgoing.end();
  } catch (error) {
    if (gone.signal.aborted) return;
    if (isConnectionReset(error)) breakConnection(outgoing);
    else reportMistake(outgoing, error);
  }
}

async function readRequest(incoming: IncomingMessage, signal: AbortSignal): Promise<Request> {
  const { method = 'GET', url = '/', headers } = incoming;
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const sent = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  );
  const body = method === 'GET' || method === 'HEAD' ? null : Buffer.concat(chunks);
  return new Request(`http://${headers.host ?? '127.0.0.1'}${url}`, { method, headers: sent, body, signal });
}

/**
 * Before the response a reset; in its middle what has been written is delivered first, so that it arrives.
 */
function breakConnection({ socket, headersSent }: ServerResponse): void {
  if (headersSent) socket?.destroySoon();
  else socket?.resetAndDestroy();
}

/** An error that is no answer of the service is the emulator's own, and is said to be. */
function reportMistake(outgoing: ServerResponse, error: unknown): void {
  const message = `The emulator failed: ${error instanceof Error ? error.message : String(error)}`;
  if (outgoing.headersSent) outgoing.destroy();
  else outgoing.writeHead(500, { 'content-type': 'application/json' }).end(JSON.stringify({ message }));
}
