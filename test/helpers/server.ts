import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
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

/** What the server answers with. */
export interface Answer {
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

/** Control of one exchange, for what an answer cannot express. */
export interface Exchange {
  /** Which request of this server it is; 1 is the first. */
  readonly number: number;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Cuts the connection with a reset. */
  reset(): void;
  /** Sends the head and the beginning of a body that `rest` completes; without it, the body never ends. */
  begin(answer: Answer, part: string): void;
}

/** Answers a request. `undefined` means that the handler deals with `exchange` itself, or never answers. */
export type Handler = (
  request: ReceivedRequest,
  exchange: Exchange,
) => Answer | undefined | Promise<Answer | undefined>;

/** A service on loopback that a test controls. */
export interface TestServer extends AsyncDisposable {
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

/** Starts a server on a free loopback port. A list of answers is given one by one, the last one for ever. */
export async function startServer(answers: Handler | Answer | ReadonlyArray<Answer>): Promise<TestServer> {
  const handler = typeof answers === 'function' ? answers : inTurn(answers);
  const requests: ReceivedRequest[] = [];
  const arrivals: Gate<ReceivedRequest>[] = [];
  const arrivalAt = (number: number) => (arrivals[number] ??= createGate());
  const mistakes: unknown[] = [];
  const server = createServer((request, response) => {
    receive(request)
      .then(async (received) => {
        const exchange = createExchange(requests.push(received), request, response);
        arrivalAt(exchange.number).open(received);
        const answer = await handler(received, exchange);
        if (answer !== undefined) send(response, answer);
      })
      .catch((error: unknown) => {
        // A client that gives up while it sends is no mistake of the test.
        if (!request.destroyed || request.complete) mistakes.push(error);
        response.destroy();
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
    if (mistakes.length > 0) throw mistakes[0];
  };
  return {
    url: origin + prefix,
    origin,
    requests,
    get request() {
      const [only, ...others] = requests;
      if (only === undefined || others.length > 0) {
        throw new Error(`The server got ${requests.length} requests instead of one.`);
      }
      return only;
    },
    arrival: (number) => arrivalAt(number).promise,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** A base URL on which nothing listens. */
export async function unusedUrl(): Promise<string> {
  const server = await startServer({});
  await server.close();
  return server.url;
}

function inTurn(answers: Answer | ReadonlyArray<Answer>): Handler {
  const list = Array.isArray(answers) ? answers : [answers];
  return (_, { number }) => list[Math.min(number, list.length) - 1] ?? {};
}

async function receive(request: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const target = request.url ?? '';
  const [path = '', query = ''] = target.split('?');
  return {
    method: request.method ?? '',
    target,
    path: path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path,
    query: new URLSearchParams(query),
    headers: request.headers,
    text,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

function createExchange(number: number, request: IncomingMessage, response: ServerResponse): Exchange {
  return {
    number,
    request,
    response,
    reset: () => request.socket.resetAndDestroy(),
    begin: (answer, part) => {
      writeHead(response, answer);
      response.write(part);
    },
  };
}

function send(response: ServerResponse, answer: Answer): void {
  const { status = 200, body = status >= 400 ? {} : undefined } = answer;
  writeHead(response, { ...answer, body });
  if (body === undefined) response.end();
  else response.end(isRaw(body) ? body : JSON.stringify(body));
}

function writeHead(response: ServerResponse, { status = 200, statusText, headers = {}, body }: Answer): void {
  response.statusCode = status;
  if (statusText !== undefined) response.statusMessage = statusText;
  if (body !== undefined && !isRaw(body)) response.setHeader('Content-Type', 'application/json');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

function isRaw(body: unknown): body is string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array;
}
