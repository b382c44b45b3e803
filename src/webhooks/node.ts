// The Node listener: puts a receiver into `node:http` or Express.

import { type Answer, type OnHangUp, receiverOf } from './incoming.ts';
import { incomingOf, isStream, type NodeRequest, toWebRequest } from './node-request.ts';

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

/** The part of a response over HTTP/2 in use. */
interface Http2Response extends NodeResponse {
  readonly stream?: { once(event: 'finish', listener: () => void): unknown; close(): void } | undefined;
}

/**
 * Turns a web handler into a request listener for `node:http` and Express. The body must be unread, or raw in `body` or
 * `rawBody`. `request.signal` aborts when the client disconnects. The promise never rejects.
 */
export function toNodeListener(
  handler: (request: Request) => Promise<Response>,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  const receive = receiverOf(handler);
  return async (request, response) => {
    const onHangUp = hangUpOf(response);
    try {
      if (receive && isStream(request))
        writeAnswer(await receive(incomingOf(request, onHangUp)), request, response);
      else await writeResponse(await handler(toWebRequest(request, onHangUp)), request, response);
    } catch (error) {
      console.error(error);
      response.statusCode = 500;
      response.end();
    }
  };
}

function writeAnswer({ status, headers, text }: Answer, request: NodeRequest, response: NodeResponse): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  closeUnread(request, response);
  if (text === null) return void response.end();
  response.setHeader('content-type', 'text/plain;charset=UTF-8');
  response.end(new TextEncoder().encode(text));
}

async function writeResponse(answer: Response, request: NodeRequest, response: NodeResponse): Promise<void> {
  response.statusCode = answer.status;
  answer.headers.forEach((value, name) => {
    response.setHeader(name, value);
  });
  closeUnread(request, response);
  const body = new Uint8Array(await answer.arrayBuffer());
  response.end(body.length > 0 ? body : undefined);
}

/** Otherwise Node would read the rest of a refused upload, however long it is. */
function closeUnread(request: NodeRequest, response: NodeResponse): void {
  if (request.complete !== false) return;
  const { stream } = response as Http2Response;
  // HTTP/2 has no such header, and each exchange has a stream of its own.
  if (stream) stream.once('finish', () => stream.close());
  else response.setHeader('connection', 'close');
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
