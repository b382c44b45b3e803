import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { signedWebhook } from '../../src/testing/index.ts';
import {
  ConfigurationError,
  createMemoryStore,
  createWebhookHandler,
  type NodeRequest,
  toNodeListener,
  type WebhookContext,
  type WebhookHandlerOptions,
} from '../../src/webhooks/index.ts';
import { createGate } from '../helpers/gate.ts';
import { completed, options, secret, signedAt } from './helpers.ts';

const body = JSON.stringify(completed);
const signed = () => signedWebhook({ body, secret, timestamp: signedAt }).toNodeParts();

const signatureLine = `X-Cbt-Signature: t=${signedAt},v1=${'0'.repeat(64)}\r\n`;

type Listener = (
  request: IncomingMessage & { body?: unknown; rawBody?: unknown },
  response: ServerResponse,
) => unknown;
/** What stands in front of the receiver, such as a body parser. */
type Middleware = (request: IncomingMessage & { body?: unknown; rawBody?: unknown }) => Promise<void> | void;

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  vi.restoreAllMocks();
});

async function listen(listener: Listener): Promise<{ url: string; port: number }> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/webhooks`, port };
}

/** A receiver behind `middleware`, with its observers recorded. */
async function start(middleware?: Middleware, more: Partial<WebhookHandlerOptions> = {}) {
  const handler = vi.fn();
  const onError = vi.fn();
  const onRejected = vi.fn();
  const on = { 'exam_result.completed': handler };
  const listener = toNodeListener(createWebhookHandler({ ...options, on, onError, onRejected, ...more }));
  const { url, port } = await listen(async (request, response) => {
    await middleware?.(request);
    await listener(request, response);
  });
  const post = (init: RequestInit = {}) =>
    fetch(url, { method: 'POST', ...signed(), ...init } as RequestInit);
  return { url, port, handler, onError, onRejected, post };
}

const json: Middleware = async (request) => {
  request.body = JSON.parse(await text(request));
};
const raw: Middleware = async (request) => {
  request.body = Buffer.from(await text(request));
};

test('a delivery is handled, with method, path, query and headers of the request', async () => {
  const { url, handler } = await start();
  const response = await fetch(`${url}?tenant=7`, { method: 'POST', ...signed() } as RequestInit);
  expect(response.status).toBe(204);
  expect(handler).toHaveBeenCalledExactlyOnceWith(completed, expect.anything());
  const { request } = handler.mock.calls[0]?.[1] ?? {};
  expect(new URL(request.url)).toMatchObject({ pathname: '/webhooks', search: '?tenant=7' });
  expect(request).toMatchObject({ method: 'POST' });
  expect(request.headers.get('content-type')).toBe('application/json');
});

test('an answer keeps each cookie that it sets, and replaces any other header that is there', async () => {
  const answer = new Response(null, { headers: { 'cache-control': 'no-store' } });
  for (const cookie of ['session=; Max-Age=0', 'seen=1']) answer.headers.append('set-cookie', cookie);
  const listener = toNodeListener(async () => answer);
  const { url } = await listen((request, response) => {
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

test('its request aborts when the sender disconnects, however late it is asked for', async () => {
  const started = createGate<{ readonly request: Request; readonly signal: AbortSignal }>();
  const aborted = createGate();
  const { port, handler } = await start();
  handler.mockImplementationOnce((_, context) => {
    context.signal.addEventListener('abort', () => aborted.open());
    started.open(context);
    return aborted.promise;
  });
  const sent = httpRequest({ port, host: '127.0.0.1', method: 'POST', headers: signed().headers });
  sent.on('error', () => undefined).end(body);
  const context = await started.promise;
  sent.destroy();
  await aborted.promise;
  expect(context.request.signal.aborted).toBe(true);
});

test('status, headers and text of the answer reach the sender', async () => {
  const { url, post } = await start();
  const refused = await post({ headers: { 'x-cbt-signature': 'forged' } });
  expect([refused.status, await refused.text()]).toEqual([400, 'header_malformed']);
  const wrongMethod = await fetch(url);
  expect([wrongMethod.status, wrongMethod.headers.get('allow')]).toEqual([405, 'POST']);
  expect((await fetch(url, { method: 'HEAD' })).status).toBe(405);
  expect((await fetch(url, { method: 'PUT', body })).status).toBe(405);
});

test('a header that was sent twice is malformed', async () => {
  const { port, handler } = await start();
  const { headers } = signed();
  const signature = headers['x-cbt-signature'] ?? '';
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const sent = httpRequest({
      port,
      host: '127.0.0.1',
      method: 'POST',
      headers: { 'x-cbt-signature': [signature, signature] },
    });
    sent.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
    sent.end(body);
  });
  expect(status).toBe(400);
  expect(handler).not.toHaveBeenCalled();
});

describe('behind a body parser', () => {
  test.each<[string, Middleware]>([
    ['that keeps the bytes in body, as express.raw', raw],
    [
      'that keeps the text in body, as express.text',
      async (request) => {
        request.body = await text(request);
      },
    ],
    [
      'that keeps the bytes in rawBody beside a parsed body',
      async (request) => {
        request.rawBody = Buffer.from(await text(request));
        request.body = JSON.parse(String(request.rawBody));
      },
    ],
    [
      'that left the request alone',
      (request) => {
        request.body = {};
      },
    ],
  ])('%s, a delivery is handled', async (_, middleware) => {
    const { post, handler } = await start(middleware);
    expect((await post()).status).toBe(204);
    expect(handler).toHaveBeenCalledExactlyOnceWith(completed, expect.anything());
  });

  test.each<[string, Middleware]>([
    ['parsed the body, as express.json', json],
    [
      'consumed the body and kept nothing, as Fastify',
      async (request) => {
        await text(request);
      },
    ],
  ])('that %s, the answer is 500 and names the fix', async (_, middleware) => {
    const { post, handler, onError } = await start(middleware);
    const response = await post();
    expect([response.status, await response.text()]).toEqual([500, expect.stringContaining('express.raw()')]);
    expect(onError.mock.calls[0]?.[0]).toMatchObject({ code: 'body_not_raw' });
    expect(handler).not.toHaveBeenCalled();
  });

  test('bytes beyond the limit are refused, too', async () => {
    const { post } = await start(raw, { maxBodyBytes: 10 });
    expect((await post()).status).toBe(413);
  });
});

test('an endless upload is cut off with 413', async () => {
  const { port, onRejected } = await start(undefined, { maxBodyBytes: 1_000 });
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    `POST /webhooks HTTP/1.1\r\nHost: localhost\r\n${signatureLine}Transfer-Encoding: chunked\r\n\r\n`,
  );
  socket.write(`400\r\n${'x'.repeat(1024)}\r\n`);
  const answer = await text(socket);
  expect(answer).toMatch(/^HTTP\/1\.1 413 .*connection: close.*body_too_large/is);
  expect(onRejected.mock.calls[0]?.[0]).toMatchObject({ code: 'body_too_large', status: 413 });
});

test('a declared length beyond the limit is answered before the body comes', async () => {
  const { port } = await start(undefined, { maxBodyBytes: 1_000 });
  const socket = connect(port, '127.0.0.1');
  socket.write(`POST /webhooks HTTP/1.1\r\nHost: localhost\r\n${signatureLine}Content-Length: 1001\r\n\r\n`);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 413 /);
});

test('when the sender disconnects, the handler hears of it, and the receiver lives on', async () => {
  const started = createGate<AbortSignal>();
  const aborted = createGate();
  const { port, post, handler } = await start();
  handler.mockImplementationOnce((_, { signal }) => {
    started.open(signal);
    signal.addEventListener('abort', () => aborted.open());
    return aborted.promise;
  });
  const sent = httpRequest({ port, host: '127.0.0.1', method: 'POST', headers: signed().headers });
  sent.on('error', () => undefined).end(body);
  const signal = await started.promise;
  expect(signal.aborted).toBe(false);
  sent.destroy();
  await aborted.promise;
  expect((await post()).status).toBe(204);
});

test('with deduplication a sender that hangs up leaves the handler running, and its retry is answered by it', async () => {
  const started = createGate<AbortSignal>();
  const left = createGate();
  const end = createGate();
  const handler = vi.fn((_: unknown, { signal }: WebhookContext) => {
    started.open(signal);
    return end.promise;
  });
  const { port, post } = await start(undefined, {
    on: { 'exam_result.completed': handler },
    deduplication: { store: createMemoryStore(), ttlSeconds: 600 },
  });
  const socket = connect(port, '127.0.0.1').on('close', () => left.open());
  const { headers } = signed();
  const length = Buffer.byteLength(body);
  socket.write(
    `POST /webhooks HTTP/1.1\r\nHost: localhost\r\nX-Cbt-Signature: ${headers['x-cbt-signature']}\r\nContent-Length: ${length}\r\n\r\n${body}`,
  );
  const signal = await started.promise;
  socket.destroy();
  await left.promise;
  const retry = post();
  end.open();
  expect((await retry).status).toBe(204);
  expect((await post()).status).toBe(204);
  expect(signal.aborted).toBe(false);
  expect(handler).toHaveBeenCalledOnce();
});

test('a sender that gives its upload up is no error, only a refused delivery', async () => {
  const told = createGate<unknown>();
  const arrived = createGate();
  const { port, onError } = await start(() => arrived.open(), { onRejected: told.open });
  const socket = connect(port, '127.0.0.1');
  socket.write(`POST /webhooks HTTP/1.1\r\nHost: localhost\r\n${signatureLine}Content-Length: 1000\r\n\r\n{`);
  await arrived.promise;
  socket.destroy();
  expect(await told.promise).toMatchObject({ code: 'body_incomplete', cause: { code: 'ECONNRESET' } });
  expect(onError).not.toHaveBeenCalled();
});

test('a Node request that decodes its body is not raw, and the answer names the fix', async () => {
  const { post, onError } = await start((request) => void request.setEncoding('utf8'));
  const response = await post();
  expect([response.status, await response.text()]).toEqual([500, expect.stringContaining('setEncoding()')]);
  expect(onError.mock.calls[0]?.[0]).toMatchObject({ code: 'body_not_raw' });
});

describe('whatever the request and the handler do, the listener answers', () => {
  test.each(['TRACE', 'PROPFIND', 'QUERY', 'PATCH'])('%s is answered with 405', async (method) => {
    const { port, onError } = await start();
    const socket = connect(port, '127.0.0.1');
    socket.write(`${method} / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 405 .*\r\nallow: POST\r\n/is);
    expect(onError).not.toHaveBeenCalled();
  });

  test.each([undefined, null, {}, 'handler'])(
    '%j is no handler, which is told when the listener is made',
    (wrong) => {
      const make = () => toNodeListener(wrong as never);
      expect(make).toThrow(ConfigurationError);
      expect(make).toThrow('`handler` must be a function.');
    },
  );

  test('a handler that rejects is answered with 500 and logged', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const failure = new Error('no handler of this package');
    const { url } = await listen(toNodeListener(() => Promise.reject(failure)));
    expect((await fetch(url)).status).toBe(500);
    expect(log).toHaveBeenCalledExactlyOnceWith(failure);
  });

  test.each([
    ['*', '/'],
    ['http://elsewhere.test/path', '/'],
    ['//double', '//double'],
    [undefined, '/'],
  ])('the target %s becomes the path %s', async (url, pathname) => {
    const seen: string[] = [];
    const handler = async (request: Request) => {
      seen.push(new URL(request.url).pathname);
      return new Response(null, { status: 204 });
    };
    const response = {
      statusCode: 0,
      writableFinished: true,
      setHeader: vi.fn(),
      end: vi.fn(),
      once: (_: 'close', close: () => void) => close(),
    };
    const request: NodeRequest = {
      url,
      headers: { ':authority': 'receiver.test', 'x-empty': undefined, 'x-list': ['a', 'b'] },
      async *[Symbol.asyncIterator]() {},
    };
    await toNodeListener(handler)(request, response);
    expect(seen).toEqual([pathname]);
    expect(response.statusCode).toBe(204);
    expect(response.end).toHaveBeenCalledExactlyOnceWith(undefined);
  });
});
