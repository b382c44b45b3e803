import type { Incoming, OnHangUp } from './incoming.ts';
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

/** A Node request as the receiver takes it. */
export function incomingOf(request: NodeRequest & NodeStream, onHangUp: OnHangUp): Incoming {
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
    onHangUp,
    get request() {
      webRequest ??= toWebRequest(request, onHangUp);
      return webRequest;
    },
  };
}

/** Every request of Node has these events; what only iterates goes by way of a web request. */
export function isStream(request: NodeRequest): request is NodeRequest & NodeStream {
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

/** The web request that a Node request stands for, as far as there is one. */
export function toWebRequest(request: NodeRequest, onHangUp: OnHangUp): Request {
  const disconnect = new AbortController();
  onHangUp((reason) => disconnect.abort(reason));
  const { method = 'GET', url = '/' } = request;
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    // Names with a colon are HTTP/2's own.
    if (value !== undefined && !name.startsWith(':')) headers.set(name, String(value));
  }
  const init: RequestInit & { duplex: 'half' } = {
    headers,
    signal: disconnect.signal,
    duplex: 'half',
  };
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
