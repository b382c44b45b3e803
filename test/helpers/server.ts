import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { FetchInit } from '../../src/index.ts';
import { createGate, type Gate } from './gate.ts';

const prefix = '/api/v1';

/** A request as it arrived. */
export interface ReceivedRequest {
  readonly method: string;
  /** The request target as it stood on the wire, prefix and query included. */
  readonly target: string;
  /** Path below the prefix of the service, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** The body as it arrived; empty when there was none. */
  readonly text: string;
  /** The body as JSON; `undefined` when there was none. */
  readonly body: unknown;
}

/** What a service responds with. */
export interface ServiceResponse {
  /** @default 200 */
  readonly status?: number;
  readonly statusText?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /**
   * A text or bytes are sent as they are, anything else as JSON; `undefined` sends no body, or with an error `{}`, since the service
   * sends errors as JSON.
   */
  readonly body?: unknown;
}

/** Control of one exchange, for what a response cannot express. A handler may return what these functions do. */
export interface Exchange {
  /** Which request of this service it is; 1 is the first. */
  readonly number: number;
  /** Cuts the connection with a reset. */
  reset(): undefined;
  /** Sends the head and the beginning of a body that never ends. */
  begin(answer: ServiceResponse, part: string): undefined;
  /** Comes when the client has given up. */
  readonly left: Promise<void>;
}

/** An exchange over a socket. */
export interface WireExchange extends Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Responds to a request. `undefined` means that the handler deals with `exchange` itself, or never responds. */
export type Handler<Given extends Exchange = Exchange> = (
  request: ReceivedRequest,
  exchange: Given,
) => ServiceResponse | undefined | Promise<ServiceResponse | undefined>;

type ServiceResponses<Given extends Exchange> =
  | Handler<Given>
  | ServiceResponse
  | ReadonlyArray<ServiceResponse>;

/** A service that a test controls. */
export interface TestService extends AsyncDisposable {
  /** The base URL for a client, with the version prefix. */
  readonly url: string;
  readonly origin: string;
  /** Every request, in the order of arrival. */
  readonly requests: ReceivedRequest[];
  /** The only request; throws when there were none or several. */
  readonly request: ReceivedRequest;
  /** Comes when request number `number` (1 is the first) has arrived. */
  arrival(number: number): Promise<ReceivedRequest>;
  /** Cuts all connections and stops. Throws what the handler threw, so that no mistake in a test is lost. */
  close(): Promise<void>;
}

/** One that is a function in place of `fetch`. */
export interface FetchService extends TestService {
  readonly fetch: (url: string, init: FetchInit) => Promise<Response>;
}

/** A service without a socket, for `fetch` of a client. A list of responses is given one by one, the last one for ever. */
export function startService(responses: ServiceResponses<Exchange>): FetchService {
  const { service, take } = createService('https://service.test:8443', responses);
  return Object.assign(service, {
    fetch: (url: string, { signal, headers, method, body = '' }: FetchInit) => {
      const response = createGate<Response>();
      const left = createGate();
      let rest: ReadableStreamDefaultController<Uint8Array> | undefined;
      const cut = (reason: unknown) => {
        response.fail(reason);
        rest?.error(reason);
      };
      const leave = () => {
        cut(signal?.reason);
        left.open();
      };
      const reset = (): undefined => {
        cut(connectionReset());
      };
      const begin = (answer: ServiceResponse, part: string): undefined => {
        const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
          rest = controller;
          controller.enqueue(new TextEncoder().encode(part));
        };
        response.open(toResponse(url, answer, new ReadableStream({ start, cancel: () => left.open() })));
      };
      if (signal?.aborted) leave();
      else {
        signal?.addEventListener('abort', leave);
        const { pathname, search } = new URL(url);
        take({ method, target: pathname + search, headers }, body, { left: left.promise, reset, begin }).then(
          (answer) => answer && response.open(toResponse(url, answer, bytesOf(answer))),
          reset,
        );
      }
      return response.promise;
    },
  });
}

/** A server of Node on a free loopback port. */
export async function listen(listener?: RequestListener) {
  const server = createServer(listener);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    if (!server.listening) return server.closeAllConnections();
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { server, port, origin: `http://127.0.0.1:${port}`, close, [Symbol.asyncDispose]: close };
}

/** Starts a service on a free loopback port, for tests of what happens on the wire. */
export async function startServer(responses: ServiceResponses<WireExchange>): Promise<TestService> {
  const { server, origin, close } = await listen();
  const { service, take } = createService(origin, responses, close);
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url: target = '' } = request;
    const answer = await take({ method, target, headers: request.headers }, await text(request), {
      request,
      response,
      left: new Promise((resolve) => response.once('close', resolve)),
      reset: (): undefined => {
        request.socket.resetAndDestroy();
      },
      begin: (head, part): undefined => {
        writeHead(response, head);
        response.write(part);
      },
    });
    if (answer === undefined) return;
    writeHead(response, answer);
    response.end(bytesOf(answer));
  };
  // A client that gives up while it sends is no mistake of the test; what its handler throws is kept.
  server.on('request', (request, response) => {
    receive(request, response).catch(() => response.destroy());
  });
  return service;
}

/** A base URL on which nothing listens. */
export async function unusedUrl(): Promise<string> {
  const server = await startServer({});
  await server.close();
  return server.url;
}

/** What both have: the requests, and how a handler is asked. */
function createService<Given extends Exchange>(
  origin: string,
  responses: ServiceResponses<Given>,
  stop: () => Promise<void> = async () => {},
) {
  const handler = typeof responses === 'function' ? responses : inTurn(responses);
  const requests: ReceivedRequest[] = [];
  const arrivals: Gate<ReceivedRequest>[] = [];
  const arrivalAt = (number: number) => (arrivals[number] ??= createGate());
  const mistakes: unknown[] = [];
  const close = async () => {
    await stop();
    if (mistakes.length > 0) throw mistakes[0];
  };
  const service: TestService = {
    url: origin + prefix,
    origin,
    requests,
    get request() {
      const [only, ...others] = requests;
      if (only === undefined || others.length > 0) {
        throw new Error(`The service got ${requests.length} requests instead of one.`);
      }
      return only;
    },
    arrival: (number) => arrivalAt(number).promise,
    close,
    [Symbol.asyncDispose]: close,
  };
  const take = async (
    head: Pick<ReceivedRequest, 'method' | 'target' | 'headers'>,
    sent: string,
    exchange: Omit<Given, 'number'>,
  ): Promise<ServiceResponse | undefined> => {
    try {
      const [path = '', query = ''] = head.target.split('?');
      const request = {
        ...head,
        path: path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path,
        query: new URLSearchParams(query),
        text: sent,
        body: sent === '' ? undefined : JSON.parse(sent),
      };
      const number = requests.push(request);
      arrivalAt(number).open(request);
      return await handler(request, { ...exchange, number } as Given);
    } catch (mistake) {
      mistakes.push(mistake);
      throw mistake;
    }
  };
  return { service, take };
}

function inTurn(responses: ServiceResponse | ReadonlyArray<ServiceResponse>): Handler {
  const list = Array.isArray(responses) ? responses : [responses];
  return (_, { number }) => list[Math.min(number, list.length) - 1] ?? {};
}

/** What fetch throws where a connection is reset. */
function connectionReset(): TypeError {
  const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  return new TypeError('fetch failed', { cause });
}

function bytesOf({ status = 200, body = status >= 400 ? {} : '' }: ServiceResponse): Uint8Array<ArrayBuffer> {
  if (body instanceof Uint8Array) return new Uint8Array(body);
  return new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
}

/** The headers that a response has; JSON says that it is JSON. */
function headersOf({ status = 200, headers = {}, body = status >= 400 ? {} : undefined }: ServiceResponse) {
  const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
  return [...(isRaw ? [] : [['Content-Type', 'application/json'] as const]), ...Object.entries(headers)];
}

function toResponse(
  url: string,
  answer: ServiceResponse,
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
): Response {
  const { status = 200, statusText = STATUS_CODES[status] ?? '' } = answer;
  const headers = new Headers();
  for (const [name, value] of headersOf(answer)) {
    headers.delete(name);
    for (const each of [value].flat()) headers.append(name, each);
  }
  const response = new Response([204, 205, 304].includes(status) ? null : body, {
    status,
    statusText,
    headers,
  });
  return Object.defineProperty(response, 'url', { value: url });
}

function writeHead(response: ServerResponse, answer: ServiceResponse): void {
  const { status = 200, statusText } = answer;
  response.statusCode = status;
  if (statusText !== undefined) response.statusMessage = statusText;
  for (const [name, value] of headersOf(answer)) response.setHeader(name, value);
}
