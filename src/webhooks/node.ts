import { type Answer, type Incoming, receiverOf } from './incoming.ts';
import { type NodeStream, readNodeBody } from './node-body.ts';
import type { Limits } from './read-body.ts';

/** The part of a Node request in use; `http.IncomingMessage` and Express requests have it. */
export interface NodeRequest extends AsyncIterable<unknown> {
  /** HTTP method. */
  readonly method?: string | undefined;
  /** Path and query. */
  readonly url?: string | undefined;
  /** Headers by name in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** What a body parser in front left: the raw bytes are taken, anything else cannot be verified. */
  readonly body?: unknown;
  /** The raw bytes, where a platform keeps them beside a parsed body. */
  readonly rawBody?: unknown;
  /** Whether something has begun to read the body. */
  readonly readableDidRead?: boolean | undefined;
  /** Whether the body was read to its end. */
  readonly readableEnded?: boolean | undefined;
  /** Whether the whole request has arrived. */
  readonly complete?: boolean | undefined;
}

/** The part of a Node response in use; `http.ServerResponse` and Express responses have it. */
export interface NodeResponse {
  /** HTTP status to answer with. */
  statusCode: number;
  /** Whether the answer has been sent. */
  readonly writableFinished: boolean;
  /** Sets a header of the answer. */
  setHeader(name: string, value: string): unknown;
  /** Sends the answer. */
  end(body?: Uint8Array): unknown;
  /** Tells when the connection closes. */
  once(event: 'close', listener: () => void): unknown;
}

/**
 * Makes a request listener for `node:http` and Express of a web handler. The body must be unread, or raw in `body` or
 * `rawBody`. `request.signal` aborts when the client disconnects. The promise never rejects.
 */
export function toNodeListener(
  handler: (request: Request) => Promise<Response>,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  const receive = receiverOf(handler);
  return async (request, response) => {
    const disconnect = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) disconnect.abort();
    });
    try {
      const { signal } = disconnect;
      if (receive && isStream(request))
        writeAnswer(await receive(incomingOf(request, signal)), request, response);
      else await writeResponse(await handler(toWebRequest(request, signal)), request, response);
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
  if (text !== null) response.setHeader('content-type', 'text/plain;charset=UTF-8');
  response.end(text === null ? undefined : new TextEncoder().encode(text));
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

/** Otherwise Node would read the rest of a refused upload, however long. */
function closeUnread(request: NodeRequest, response: NodeResponse): void {
  if (request.complete === false) response.setHeader('connection', 'close');
}

function incomingOf(request: NodeRequest & NodeStream, signal: AbortSignal): Incoming {
  const { method = 'GET', headers } = request;
  const raw = rawBodyOf(request);
  const delivery =
    raw === undefined && !isConsumed(request)
      ? { read: (limits: Limits) => readNodeBody(request, headers['content-length'], limits), headers }
      : { body: raw, headers };
  let webRequest: Request | undefined;
  return {
    method,
    headers,
    delivery,
    signal,
    get request() {
      webRequest ??= toWebRequest(request, signal);
      return webRequest;
    },
  };
}

/** Every request of Node has these events; what only iterates goes by way of a web request. */
function isStream(request: NodeRequest): request is NodeRequest & NodeStream {
  return 'on' in request && 'off' in request && 'resume' in request;
}

/** What a body parser in front left of the raw body. */
function rawBodyOf({ rawBody, body }: NodeRequest): string | Uint8Array | undefined {
  return [rawBody, body].find((one) => typeof one === 'string' || one instanceof Uint8Array) as
    | string
    | Uint8Array
    | undefined;
}

function isConsumed(request: NodeRequest): boolean {
  return Boolean(request.readableDidRead || request.readableEnded);
}

function toWebRequest(request: NodeRequest, signal: AbortSignal): Request {
  const { method = 'GET', url = '/' } = request;
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    // Names with a colon are HTTP/2's own.
    if (value !== undefined && !name.startsWith(':')) headers.set(name, String(value));
  }
  const init: RequestInit & { duplex: 'half' } = { headers, signal, duplex: 'half' };
  // No web request can have these methods; to a receiver of POST another one is as wrong.
  init.method = /^(?:CONNECT|TRACE|TRACK)$/i.test(method) ? 'GET' : method;
  const raw = rawBodyOf(request);
  const wasRead = raw === undefined && isConsumed(request);
  if (init.method !== 'GET' && init.method !== 'HEAD') {
    init.body = wasRead ? '' : ((raw as BodyInit | undefined) ?? streamOf(request));
  }
  const webRequest = new Request(`http://localhost${url.startsWith('/') ? url : '/'}`, init);
  // What something has read of the Node request is read of the web request, too.
  if (wasRead) void webRequest.arrayBuffer();
  return webRequest;
}

/** Never destroys the Node request, as that would take the response with it. */
function streamOf(request: NodeRequest): ReadableStream<unknown> {
  const chunks = request[Symbol.asyncIterator]();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
}
