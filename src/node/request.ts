// Adapts a Node request to a handler, and reads its body.

import { bytesOf } from '../util/bytes.ts';
import type { BodyReader, Incoming, OnDisconnect } from './incoming.ts';

/** The part of a Node stream in use. */
interface NodeStream {
  readonly destroyed?: boolean;
  readonly aborted?: boolean;
  on(event: 'data' | 'end' | 'error' | 'close', listener: (value: unknown) => void): unknown;
  off(event: 'data', listener: (value: unknown) => void): unknown;
  resume(): unknown;
}

/** The part of a Node request in use; `http.IncomingMessage` and Express requests have it. */
export interface NodeRequest extends AsyncIterable<unknown> {
  /** HTTP method. */
  readonly method?: string | undefined;
  /** Path and query. */
  readonly url?: string | undefined;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The result of a body parser in front of the receiver: raw bytes are used, anything else cannot be verified. */
  readonly body?: unknown;
  /** The raw bytes, if a platform keeps them beside a parsed body. */
  readonly rawBody?: unknown;
  /** Whether something has started to read the body. */
  readonly readableDidRead?: boolean | undefined;
  /** Whether the body was read to its end. */
  readonly readableEnded?: boolean | undefined;
  /** Whether the whole request has arrived. */
  readonly complete?: boolean | undefined;
  /** Its connection, which knows whether the server is closing. */
  readonly socket?: object | undefined;
}

export function incomingOf(request: NodeRequest, onDisconnect: OnDisconnect): Incoming {
  const { method = 'GET', headers } = request;
  let webRequest: Request | undefined;
  return {
    method,
    target: request.url,
    onDisconnect,
    get delivery() {
      const body = leftOf(request);
      if (body !== null) return { headers, body };
      // Every Node request emits events; anything that can only be iterated becomes a web request.
      if (!('on' in request)) return this.request;
      const stream = { getReader: () => readerOf(request as NodeRequest & NodeStream) };
      return { headers, body: stream, bodyUsed: false };
    },
    get request() {
      webRequest ??= toWebRequest(request, onDisconnect);
      return webRequest;
    },
  };
}

/**
 * Reads the body of a Node request by its events, which takes a third of the CPU time of iterating over it. The request is never
 * destroyed, since that would destroy the response too.
 */
function readerOf(stream: NodeStream): BodyReader {
  const chunks: unknown[] = [];
  let over: { readonly isWhole: boolean; readonly cause?: unknown } | undefined;
  let wake = () => {};
  const take = (chunk: unknown) => {
    chunks.push(chunk);
    wake();
  };
  const end = (isWhole: boolean, cause?: unknown) => {
    over ??= { isWhole, cause };
    wake();
  };
  stream.on('data', take);
  // HTTP/2 reports the end of a body even when its sender broke off.
  stream.on('end', () => end(!stream.aborted));
  stream.on('error', (cause) => end(false, cause));
  stream.on('close', () => end(false));
  if (stream.destroyed) end(false);
  stream.resume();
  return {
    async read() {
      for (;;) {
        if (chunks.length > 0) return { done: false, value: chunks.shift() };
        if (over?.isWhole) return { done: true, value: undefined };
        if (over) throw over.cause;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    async cancel() {
      // It flows on, and what is rejected is thrown away: a paused stream of HTTP/2 would hold its connection for ever.
      stream.off('data', take);
    },
  };
}

/** The bytes that a parser in front of the receiver has left; undefined where they are lost, null where nothing was read. */
function leftOf({ rawBody, body, readableDidRead, readableEnded }: NodeRequest) {
  return bytesOf(rawBody) ?? bytesOf(body) ?? (readableDidRead || readableEnded ? undefined : null);
}

/** The web request that corresponds to a Node request, as far as possible. */
function toWebRequest(request: NodeRequest, onDisconnect: OnDisconnect): Request {
  const disconnect = new AbortController();
  onDisconnect((reason) => disconnect.abort(reason));
  const { method = 'GET', url } = request;
  const headers = new Headers();
  for (const [sent, value] of Object.entries(request.headers)) {
    // Names with a colon are HTTP/2 pseudo-headers, one of which is the host.
    const name = sent === ':authority' ? 'host' : sent;
    if (value !== undefined && !name.startsWith(':')) headers.set(name, String(value));
  }
  const init: RequestInit & { duplex: 'half' } = { headers, signal: disconnect.signal, duplex: 'half' };
  init.method = method;
  const left = leftOf(request);
  const wasRead = left === undefined;
  if (method !== 'GET' && method !== 'HEAD') {
    init.body = wasRead ? '' : ((left as BodyInit | null) ?? streamOf(request));
  }
  const webRequest = new Request(`http://localhost${url?.startsWith('/') ? url : ''}`, init);
  // A Node request that was read becomes a web request that was read.
  if (wasRead) void webRequest.arrayBuffer();
  return webRequest;
}

/** Never destroys the Node request, since that would destroy the response too. */
function streamOf(request: NodeRequest): ReadableStream<unknown> {
  const chunks = request[Symbol.asyncIterator]();
  const pull = async (controller: ReadableStreamDefaultController<unknown>) => {
    const { done, value } = await chunks.next();
    if (done) controller.close();
    else controller.enqueue(value);
  };
  return new ReadableStream({ pull }, { highWaterMark: 0 });
}
