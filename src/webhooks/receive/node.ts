// The Node listener: puts a receiver into `node:http` or Express.

import { ConfigurationError } from '../../core/errors/base.ts';
import { aFunction } from '../../core/options/check.ts';
import { type Reply, receivers } from './handler.ts';
import { incomingOf, type NodeRequest } from './node-request.ts';
import type { OnHangUp } from './run.ts';

/** The part of a Node response in use; `http.ServerResponse` and Express responses have it. */
export interface NodeResponse {
  /** HTTP status of the answer. */
  statusCode: number;
  /** Whether the answer has been sent. */
  readonly writableFinished: boolean;
  /** Sets a header of the answer. */
  setHeader(name: string, value: string): unknown;
  /** Sends the answer. */
  end(body?: Uint8Array): unknown;
  /** Notifies when the connection closes. */
  once(event: 'close', listener: () => void): unknown;
}

type SetHeader = NodeResponse['setHeader'];

/** The part in use of the stream that a response over HTTP/2 has. */
interface Http2Stream {
  once(event: 'finish', listener: () => void): unknown;
  close(): void;
  readonly session?: { close(): void } | undefined;
}

/**
 * Turns a web handler into a request listener for `node:http` and Express. The body must be unread, or raw in `body` or
 * `rawBody`. `request.signal` aborts when the client disconnects. While its server closes, it ends each connection with
 * the answer. The promise rejects only for what is no request and response of Node.
 *
 * @throws {ConfigurationError} when `handler` is no function
 */
export function toNodeListener(
  handler: (request: Request) => Promise<Response>,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  aFunction(handler, 'handler');
  const receive = receivers.get(handler) ?? (async ({ request }) => replyOf(await handler(request)));
  return async (request, response) => {
    if (!response?.once) {
      throw new ConfigurationError(
        'Pass the request and response of Node; on Fastify, pass `request.raw` and `reply.raw`.',
      );
    }
    const onHangUp = hangUpOf(response);
    try {
      const { status, headers, body } = await receive(incomingOf(request, onHangUp));
      response.statusCode = status;
      const { setHeader, appendHeader = setHeader } = response as { appendHeader?: SetHeader } & NodeResponse;
      // Each cookie is a header of its own.
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

/** The answer of a handler that this package did not make. */
async function replyOf(answer: Response): Promise<Reply> {
  const body = new Uint8Array(await answer.arrayBuffer());
  return { status: answer.status, headers: answer.headers, body: body.length > 0 ? body : undefined };
}

/**
 * Ends the connection after an answer to an unread request, since Node would read the rest of a refused upload, however
 * long it is; and while the server closes, since a busy sender would keep its connection open for ever.
 */
function endConnection(request: NodeRequest, response: NodeResponse): void {
  const isUnread = request.complete === false;
  const { server } = (request.socket ?? {}) as { readonly server?: { readonly listening?: boolean } };
  const isClosing = server?.listening === false;
  const { stream } = response as { readonly stream?: Http2Stream };
  // HTTP/2 has no such header, and each exchange has a stream of its own.
  if (stream) {
    if (isUnread) stream.once('finish', () => stream.close());
    if (isClosing) stream.session?.close();
  } else if (isUnread || isClosing) response.setHeader('connection', 'close');
}

/** Notifies listeners when the connection closes before the answer is sent. */
function hangUpOf(response: NodeResponse): OnHangUp {
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
