// The Node listener: puts a web handler into `node:http` or Express.

import { aFunction } from '../core/check.ts';
import { ConfigurationError } from '../core/errors/base.ts';
import { isRewritten } from '../util/path.ts';
import { type OnDisconnect, type Receive, receivers } from './incoming.ts';
import { incomingOf, type NodeRequest } from './request.ts';

/** The part of a Node response in use; `http.ServerResponse` and Express responses have it. */
export interface NodeResponse {
  /** HTTP status of the response. */
  statusCode: number;
  /** Whether the response has been sent. */
  readonly writableFinished: boolean;
  /** Sets a header of the response. */
  setHeader(name: string, value: string): unknown;
  /** Sends the response. */
  end(body?: Uint8Array): unknown;
  /** Notifies when the connection closes. */
  once(event: 'close', listener: () => void): unknown;
}

type SetHeader = NodeResponse['setHeader'];

/** The part in use of the stream that a response over HTTP/2 has. */
interface Http2Stream {
  once(event: 'close', listener: () => void): unknown;
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
  close(): void;
  readonly session?: { close(): void } | undefined;
}

/**
 * Turns a web handler into a request listener for `node:http` and Express. The body must be unread, or raw in `body` or `rawBody`.
 * `request.signal` aborts when the client disconnects. While the server closes, it ends each connection after the response. It
 * responds with 400 to what a web `Request` would change: TRACE, CONNECT, and a path with dot segments or a backslash. The promise
 * rejects only for what is not a request and response of Node.
 *
 * @throws {ConfigurationError} when `handler` is not a function
 */
export function toNodeListener(
  handler: (request: Request) => Promise<Response>,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  aFunction(handler, 'handler');
  const receive = receivers.get(handler) ?? adapt(handler);
  return async (request, response) => {
    if (!response?.once) {
      throw new ConfigurationError("Pass Node's request and response: on Fastify, their `raw`.");
    }
    const onDisconnect = disconnectOf(response);
    try {
      const { status, headers, body } = await receive(incomingOf(request, onDisconnect));
      response.statusCode = status;
      const { setHeader, appendHeader = setHeader } = response as { appendHeader?: SetHeader } & NodeResponse;
      // Each cookie needs a separate header.
      for (const [name, value] of headers)
        (name === 'set-cookie' ? appendHeader : setHeader).call(response, name, value);
      endConnection(request, response);
      response.end(body);
    } catch (error) {
      console.error(error);
      response.statusCode = 500;
      response.end();
    }
  };
}

/** Calls a handler that this package did not make. */
function adapt(handler: (request: Request) => Promise<Response>): Receive {
  return async (incoming) => {
    const { method, target = '' } = incoming;
    // A web request cannot have these methods, and would pass for one of another path.
    if (/^(?:CONNECT|TRACE|TRACK)$/i.test(method) || isRewritten(target)) return { status: 400, headers: [] };
    const response = await handler(incoming.request);
    const { status, headers } = response;
    const body = new Uint8Array(await response.arrayBuffer());
    return { status, headers, body: body.length > 0 ? body : undefined };
  };
}

/**
 * Ends the connection after a response to an unread request, since Node would read the rest of a rejected upload, however
 * long it is; and while the server closes, since a busy sender would keep its connection open for ever.
 */
function endConnection(request: NodeRequest, response: NodeResponse): void {
  const isUnread = request.complete === false;
  const { server } = (request.socket ?? {}) as { readonly server?: { readonly listening?: boolean } };
  const isClosing = server?.listening === false;
  const { stream } = response as { readonly stream?: Http2Stream };
  // HTTP/2 has no such header, and each exchange has its own stream.
  if (stream) {
    if (isUnread) drain(stream);
    if (isClosing) stream.session?.close();
  } else if (isUnread || isClosing) response.setHeader('connection', 'close');
}

/** Many times what any event needs: an upload that is longer, or slower, is cut off. */
const MOST_DRAINED_BYTES = 16_777_216;
const LONGEST_DRAIN_MS = 10_000;

/** Drains the rest of an upload: frames for a closed stream count against its connection, which other requests share. */
function drain(stream: Http2Stream): void {
  const timer = setTimeout(() => stream.close(), LONGEST_DRAIN_MS);
  let left = MOST_DRAINED_BYTES;
  stream.on('data', ({ length }) => {
    left -= length;
    if (left < 0) stream.close();
  });
  stream.once('close', () => clearTimeout(timer));
}

/** Notifies listeners when the connection closes before the response is sent. */
function disconnectOf(response: NodeResponse): OnDisconnect {
  const listeners: ((reason?: unknown) => void)[] = [];
  let isGone = false;
  response.once('close', () => {
    isGone = !response.writableFinished;
    if (isGone) for (const listener of listeners) listener();
  });
  return (listener) => {
    if (isGone) listener();
    else listeners.push(listener);
  };
}
