import { once } from 'node:events';
import * as http from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  ConfigurationError,
  createWebhookHandler,
  toNodeListener,
  type WebhookContext,
  type WebhookHandlerOptions,
} from '../../src/webhooks/index.ts';
import { createGate } from '../helpers/gate.ts';
import { listen } from '../helpers/server.ts';
import { body, completed, options, signedAt, signed as signedDelivery } from './helpers.ts';

const signed = () => signedDelivery().toNodeParts();

/** The head of a POST over a socket, up to the headers of its body. */
const head = (signature = `t=${signedAt},v1=${'0'.repeat(64)}`) =>
  `POST /webhooks HTTP/1.1\r\nHost: localhost\r\nX-Cbt-Signature: ${signature}\r\n`;

/** What stands in front of the receiver, such as a body parser. */
type Middleware = (
  request: http.IncomingMessage & { body?: unknown; rawBody?: unknown },
) => Promise<void> | void;

async function serve(listener: (request: http.IncomingMessage, response: http.ServerResponse) => unknown) {
  const { port, origin, close } = await listen(listener);
  onTestFinished(close);
  return { url: `${origin}/webhooks`, port };
}

/** A receiver behind `middleware`, with its observers recorded. */
async function start(middleware?: Middleware, more: Partial<WebhookHandlerOptions> = {}) {
  const handler = vi.fn();
  const onError = vi.fn();
  const onRejected = vi.fn();
  const on = { 'exam_result.completed': handler };
  const listener = toNodeListener(createWebhookHandler({ ...options, on, onError, onRejected, ...more }));
  const { url, port } = await serve(async (request, response) => {
    await middleware?.(request);
    await listener(request, response);
  });
  const post = (init: RequestInit = {}, target = url) =>
    fetch(target, { method: 'POST', ...signed(), ...init } as RequestInit);
  /** Sends the delivery over a connection that the test can cut, and does not wait for its response. */
  const send = (headers: http.OutgoingHttpHeaders = signed().headers) => {
    const sent = http.request({ port, host: '127.0.0.1', method: 'POST', headers });
    sent.on('error', () => undefined).end(body);
    return sent;
  };
  return { url, port, handler, onError, onRejected, post, send };
}

/** A body parser that leaves this of the text of a body. */
const parser =
  (parse: (text: string) => object): Middleware =>
  async (request) =>
    void Object.assign(request, parse(await text(request)));

test('a delivery is handled, with method, path, query and headers of the request', async () => {
  const { url, post, handler } = await start();
  expect((await post({}, `${url}?tenant=7`)).status).toBe(204);
  expect(handler).toHaveBeenCalledExactlyOnceWith(completed, expect.anything());
  const { request } = handler.mock.calls[0]?.[1] ?? {};
  expect(new URL(request.url)).toMatchObject({ pathname: '/webhooks', search: '?tenant=7' });
  expect(request).toMatchObject({ method: 'POST' });
  expect(request.headers.get('content-type')).toBe('application/json');
});

test('a response keeps each cookie that it sets, and replaces any other header that is there', async () => {
  const sent = new Response(null, { headers: { 'cache-control': 'no-store' } });
  for (const cookie of ['session=; Max-Age=0', 'seen=1']) sent.headers.append('set-cookie', cookie);
  const listener = toNodeListener(async () => sent);
  const { url } = await serve((request, response) => {
    response.setHeader('cache-control', 'private');
    return listener(request, response);
  });
  const { headers } = await fetch(url);
  expect(headers.getSetCookie()).toEqual(['session=; Max-Age=0', 'seen=1']);
  expect(headers.get('cache-control')).toBe('no-store');
});

test('a handler and the observers get one and the same request, whose body has been read', async () => {
  const { post, handler, onError } = await start();
  const failure = new Error('the database is away');
  const requests: unknown[] = [];
  handler.mockImplementationOnce((_, context) => {
    requests.push(context.request, context.request);
    throw failure;
  });
  expect((await post()).status).toBe(500);
  const [first, second] = requests;
  expect(first).toBeInstanceOf(Request);
  expect(first).toMatchObject({ bodyUsed: true });
  expect(second).toBe(first);
  expect(onError).toHaveBeenCalledExactlyOnceWith(failure, first);
});

test('status, headers and text of the response reach the sender', async () => {
  const { url, post } = await start();
  const rejected = await post({ headers: { 'x-cbt-signature': 'forged' } });
  expect([rejected.status, await rejected.text()]).toEqual([400, 'header_malformed']);
  const wrongMethod = await fetch(url);
  expect([wrongMethod.status, wrongMethod.headers.get('allow')]).toEqual([405, 'POST']);
  expect((await fetch(url, { method: 'HEAD' })).status).toBe(405);
  expect((await fetch(url, { method: 'PUT', body })).status).toBe(405);
});

test('a header that was sent twice is malformed', async () => {
  const { send, handler } = await start();
  const signature = String(signed().headers['x-cbt-signature']);
  const [response] = await once(send({ 'x-cbt-signature': [signature, signature] }), 'response');
  expect(response.resume().statusCode).toBe(400);
  expect(handler).not.toHaveBeenCalled();
});

describe('behind a body parser', () => {
  test.each<[string, Middleware]>([
    ['keeps the bytes in body, as express.raw', parser((sent) => ({ body: Buffer.from(sent) }))],
    ['keeps the text in body, as express.text', parser((sent) => ({ body: sent }))],
    [
      'keeps the bytes in rawBody beside a parsed body',
      parser((sent) => ({ rawBody: Buffer.from(sent), body: JSON.parse(sent) })),
    ],
    ['left the request alone', (request) => void Object.assign(request, { body: {} })],
  ])('that %s, a delivery is handled', async (_, middleware) => {
    const { post, handler } = await start(middleware);
    expect((await post()).status).toBe(204);
    expect(handler).toHaveBeenCalledExactlyOnceWith(completed, expect.anything());
  });

  test.each<[string, Middleware, message?: string]>([
    ['parsed the body, as express.json', parser((sent) => ({ body: JSON.parse(sent) }))],
    ['consumed the body and kept nothing, as Fastify', parser(() => ({}))],
    ['has it decoded', (request) => void request.setEncoding('utf8'), 'The body was decoded.'],
  ])(
    'that %s, the response is 500 and names the fix',
    async (_, middleware, message = 'before express.json()') => {
      const { post, handler, onError } = await start(middleware);
      const response = await post();
      expect([response.status, await response.text()]).toEqual([500, expect.stringContaining(message)]);
      expect(onError.mock.calls[0]?.[0]).toMatchObject({ reason: 'body_not_raw' });
      expect(handler).not.toHaveBeenCalled();
    },
  );
});

test('an endless upload is cut off with 413', async () => {
  const { port, onRejected } = await start(undefined, { maxBodyBytes: 1_000 });
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`${head()}Transfer-Encoding: chunked\r\n\r\n`);
  socket.write(`400\r\n${'x'.repeat(1024)}\r\n`);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 413 .*connection: close.*body_too_large/is);
  expect(onRejected.mock.calls[0]?.[0]).toMatchObject({ reason: 'body_too_large', status: 413 });
});

test('when the sender disconnects, the signals of handler and request abort, and the receiver lives on', async () => {
  const started = createGate<WebhookContext>();
  const aborted = createGate();
  const { send, post, handler } = await start();
  handler.mockImplementationOnce((_, context) => {
    started.open(context);
    context.signal.addEventListener('abort', () => aborted.open());
    return aborted.promise;
  });
  const sent = send();
  const context = await started.promise;
  expect(context.signal.aborted).toBe(false);
  sent.destroy();
  await aborted.promise;
  // However late it is asked for.
  expect(context.request?.signal.aborted).toBe(true);
  expect((await post()).status).toBe(204);
});

test('a sender that gives its upload up is no error, only a rejected delivery', async () => {
  const rejected = createGate<unknown>();
  const arrived = createGate();
  const { port, onError } = await start(() => arrived.open(), { onRejected: rejected.open });
  const socket = connect(port, '127.0.0.1');
  socket.write(`${head()}Content-Length: 1000\r\n\r\n{`);
  await arrived.promise;
  socket.destroy();
  expect(await rejected.promise).toMatchObject({ reason: 'body_incomplete', cause: { code: 'ECONNRESET' } });
  expect(onError).not.toHaveBeenCalled();
});

describe('for any request and handler, the listener responds', () => {
  test.each([undefined, null, {}, 'handler'])(
    '%j is no handler, which throws when the listener is made',
    (wrong) => {
      const make = () => toNodeListener(wrong as never);
      expect(make).toThrow(ConfigurationError);
      expect(make).toThrow('`handler` must be a function.');
    },
  );

  test('a handler that rejects gets the response 500 and is logged', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const failure = new Error('no handler of this package');
    const { url } = await serve(toNodeListener(() => Promise.reject(failure)));
    expect((await fetch(url)).status).toBe(500);
    expect(log).toHaveBeenCalledExactlyOnceWith(failure);
  });
});
