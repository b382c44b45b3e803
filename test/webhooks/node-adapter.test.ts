import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import { signedWebhook } from '../../src/testing/index.ts';
import {
  createWebhookHandler,
  type NodeRequest,
  toNodeListener,
  type WebhookContext,
  type WebhookHandlerOptions,
} from '../../src/webhooks/index.ts';
import { nextTurn } from '../helpers/gate.ts';
import { completed, options, secret, signedAt } from './helpers.ts';

const body = Buffer.from(JSON.stringify(completed));
const { headers } = signedWebhook({ body: body.toString(), secret, timestamp: signedAt }).toNodeParts();

type Fields = Partial<Omit<NodeRequest, typeof Symbol.asyncIterator>>;

/** A Node request whose body arrives in `chunks`, and has not ended if one of them is null. */
function requestOf(chunks: readonly (Uint8Array | null)[], fields: Fields = {}) {
  const stream = new PassThrough();
  for (const chunk of chunks) if (chunk) stream.write(chunk);
  if (!chunks.includes(null)) stream.end();
  return Object.assign(stream, { method: 'POST', url: '/webhooks', headers, ...fields });
}

/** A request that can only be iterated. */
const iterable = (...chunks: readonly Uint8Array[]): NodeRequest => ({
  ...{ method: 'POST', headers },
  async *[Symbol.asyncIterator]() {
    yield* chunks;
  },
});

/** A Node response that records what is sent. */
function responseOf() {
  const sent: { headers: Record<string, string>; body?: string | undefined } = { headers: {} };
  const response = Object.assign(new EventEmitter(), {
    sent,
    statusCode: 0,
    writableFinished: false,
    setHeader: (name: string, value: string) => void Object.assign(sent.headers, { [name]: value }),
    end(bytes?: Uint8Array) {
      sent.body = bytes && Buffer.from(bytes).toString();
      response.writableFinished = true;
      response.emit('close');
    },
  });
  return response;
}

function receiver(more: Partial<WebhookHandlerOptions> = {}) {
  const handler = vi.fn<(event: unknown, context: WebhookContext) => void>();
  const onRejected = vi.fn();
  const on = { 'exam_result.completed': handler };
  const listener = toNodeListener(createWebhookHandler({ ...options, on, onRejected, ...more }));
  const respond = async (request: NodeRequest) => {
    const response = responseOf();
    await listener(request, response);
    return { status: response.statusCode, ...response.sent };
  };
  return { handler, onRejected, respond };
}

/** What a handler of another package sees of a Node request, and how its response arrives. */
async function foreign(request: NodeRequest, handle = async (_: Request) => new Response()) {
  const response = responseOf();
  const handler = vi.fn(handle);
  await toNodeListener(handler)(request, response);
  const [[seen] = []] = handler.mock.calls;
  return { status: response.statusCode, ...response.sent, request: seen as Request, handler };
}

describe('a receiver reads the body of a Node request', () => {
  test.each([
    ['in one chunk', [body]],
    ['in two chunks', [body.subarray(0, 10), body.subarray(10)]],
    ['with a chunk that is empty', [Buffer.alloc(0), body]],
  ])('%s', async (_, chunks) => {
    const { handler, respond } = receiver();
    expect(await respond(requestOf(chunks))).toEqual({ status: 204, headers: {}, body: undefined });
    expect(handler).toHaveBeenCalledExactlyOnceWith(completed, expect.anything());
  });

  test('that is empty', async () => {
    const { respond } = receiver();
    expect(await respond(requestOf([]))).toMatchObject({ status: 400, body: 'signature_mismatch' });
  });

  test.each([
    ['declared', { ...headers, 'content-length': String(body.length) }],
    ['not declared', headers],
  ])('up to the limit, if its length is %s', async (_, withLength) => {
    const exact = receiver({ maxBodyBytes: body.length });
    expect(await exact.respond(requestOf([body], { headers: withLength }))).toMatchObject({ status: 204 });
    const short = receiver({ maxBodyBytes: body.length - 1 });
    const request = requestOf([body, null], { headers: withLength });
    expect(await short.respond(request)).toMatchObject({ status: 413, body: 'body_too_large' });
    // Nothing keeps what still comes, and nothing holds it back.
    expect([request.listenerCount('data'), request.isPaused()]).toEqual([0, false]);
  });

  test('within readTimeout, and leaves no timer behind', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { respond } = receiver({ timeout: false });
    await respond(requestOf([body]));
    expect(vi.getTimerCount()).toBe(0);
    const late = respond(requestOf([body.subarray(1), null]));
    await vi.advanceTimersByTimeAsync(10_001);
    expect(await late).toMatchObject({ status: 408, body: 'body_timeout' });
  });

  test('unless it breaks off, before or while it is read', async () => {
    const { respond, onRejected } = receiver();
    const gone = requestOf([null]);
    gone.destroy();
    await nextTurn();
    expect(await respond(gone)).toMatchObject({ status: 400, body: 'body_incomplete' });
    const going = requestOf([body.subarray(1), null]);
    const responded = respond(going);
    await nextTurn();
    going.destroy();
    expect(await responded).toMatchObject({ status: 400, body: 'body_incomplete' });
    expect(onRejected).toHaveBeenCalledTimes(2);
  });

  test('unless a platform kept the raw bytes: then not the stream, which may never end', async () => {
    const { respond } = receiver();
    expect(await respond(requestOf([null], { rawBody: body }))).toMatchObject({ status: 204 });
  });

  test.each(['readableDidRead', 'readableEnded'] as const)('unless %s', async (flag) => {
    const { respond } = receiver({ onError: () => {} });
    const request = { ...iterable(), [flag]: true, on: vi.fn() };
    const body = expect.stringContaining('before express.json()');
    expect(await respond(request)).toMatchObject({ status: 500, body });
  });

  test('from a request that shows by events alone that its body has ended, or broken off', async () => {
    const { respond, onRejected } = receiver();
    const eventful = () => Object.assign(new EventEmitter(), { ...iterable(), pause() {}, resume() {} });
    const whole = eventful();
    const responded = respond(whole);
    whole.emit('data', body);
    whole.emit('end');
    expect(await responded).toMatchObject({ status: 204 });
    const broken = eventful();
    const rejected = respond(broken);
    const cause = new Error('reset');
    broken.emit('data', body.subarray(1));
    broken.emit('error', cause);
    expect(await rejected).toMatchObject({ status: 400, body: 'body_incomplete' });
    expect(onRejected.mock.calls[0]?.[0]).toMatchObject({ cause });
  });

  test('from a request that can only be iterated', async () => {
    const { respond } = receiver();
    expect(await respond(iterable(body.subarray(0, 10), body.subarray(10)))).toMatchObject({ status: 204 });
  });
});

test('a rejection is sent as plain text, and a method that is missing is not POST', async () => {
  const { respond } = receiver();
  expect(await respond(requestOf([body], { method: undefined }))).toEqual({
    status: 405,
    headers: { allow: 'POST', 'content-type': 'text/plain;charset=UTF-8' },
    body: 'Deliveries are sent with POST.',
  });
});

test.each([{}, undefined, null])(
  '%j is no response of Node, and the rejection says what to pass',
  async (none) => {
    const listener = toNodeListener(async () => new Response());
    await expect(listener(requestOf([body]), none as never)).rejects.toMatchObject({
      code: 'configuration',
      message: "Pass Node's request and response: on Fastify, their `raw`.",
    });
  },
);

test('a connection is closed only where the rest of an upload is not read', async () => {
  const { respond } = receiver();
  const rejected = { headers: {}, complete: false };
  expect((await respond(requestOf([null], rejected))).headers).toMatchObject({ connection: 'close' });
  expect((await respond(requestOf([body], { complete: true }))).headers).not.toHaveProperty('connection');
});

test.each([
  ['its session is closed only while its server closes', { complete: true, listening: false }, [0, 1]],
  ['it is drained where the rest of an upload is not read', { complete: false, listening: true }, [1, 0]],
  ['it is left alone otherwise', { complete: true, listening: true }, [0, 0]],
])('of a stream of HTTP/2: %s', async (_, { complete, listening }, [drained, closed]) => {
  const session = { close: vi.fn() };
  const stream = { once: vi.fn(), on: () => {}, close: () => {}, session };
  const request = requestOf([body], { complete, socket: { server: { listening } } });
  await toNodeListener(async () => new Response())(request, Object.assign(responseOf(), { stream }));
  expect(stream.once).toHaveBeenCalledTimes(drained ?? 0);
  expect(session.close).toHaveBeenCalledTimes(closed ?? 0);
});

describe('a handler of another package', () => {
  test('is called itself, also where it wraps a receiver and takes over its properties', async () => {
    const handle = createWebhookHandler({ ...options, on: { 'exam_result.completed': () => {} } });
    const wrapped = Object.assign(async () => new Response('mine'), handle);
    expect(await foreign(requestOf([body]), wrapped)).toMatchObject({ body: 'mine' });
  });

  test('gets the request with its body, and its response is sent whole', async () => {
    const request = requestOf([body.subarray(0, 10), body.subarray(10)], {
      headers: { 'x-list': ['a', 'b'], 'x-none': undefined, ':path': '/webhooks' },
    });
    const responded = await foreign(request, async (webRequest) => {
      const sent = new Response(`${await webRequest.text()}!`, { status: 201, headers: { 'x-a': '1' } });
      sent.headers.delete('content-type');
      return sent;
    });
    expect(responded).toMatchObject({ status: 201, headers: { 'x-a': '1' }, body: `${body}!` });
    expect([...responded.request.headers]).toEqual([['x-list', 'a,b']]);
    expect(responded.request.signal.aborted).toBe(false);
  });

  test('that does not read the body leaves it unread, and the connection is closed if more would come', async () => {
    const request = requestOf([body, null], { complete: false });
    expect(await foreign(request)).toMatchObject({ status: 200, headers: { connection: 'close' } });
    expect(request.readableDidRead).toBe(false);
  });

  test('gets the raw bytes that a body parser has left, also of a body that it read', async () => {
    const echo = async (webRequest: Request) => new Response(await webRequest.text());
    const read = requestOf([body], { rawBody: body }).resume();
    await nextTurn();
    for (const request of [requestOf([null], { rawBody: body }), read])
      expect(await foreign(request, echo)).toMatchObject({ body: body.toString() });
  });

  test('gets a body that was consumed as one that was consumed, and any other as unread', async () => {
    const consumed = requestOf([body]).resume();
    await nextTurn();
    expect((await foreign(consumed)).request.bodyUsed).toBe(true);
    expect((await foreign(requestOf([body]))).request.bodyUsed).toBe(false);
    expect((await foreign(requestOf([body], { rawBody: body }))).request.bodyUsed).toBe(false);
  });

  test.each(['GET', 'HEAD', undefined, 'BACKTRACK', 'TRACER'])('gets the method %s', async (method) => {
    expect((await foreign(requestOf([body], { method }))).request.method).toBe(method ?? 'GET');
  });

  test.each([
    ['TRACE', '/api/exams'],
    ['track', '/api/exams'],
    ['CONNECT', 'receiver.test:443'],
    ['GET', '/api/exams/../participants'],
    ['GET', '/api/exams/%2e%2E/participants?page=1'],
    ['GET', '/api/exams/.'],
    ['GET', '/..?page=1'],
    ['GET', '/api\\participants'],
  ])('does not get %s %s, which a web request would change', async (method, url) => {
    const { status, handler } = await foreign(requestOf([], { method, url }));
    expect(status).toBe(400);
    expect(handler).not.toHaveBeenCalled();
  });

  const kept = [
    '/api/..exams',
    '/api/exams...',
    '/api/%2eexams',
    '/api/exams?from=/../&name=a\\b',
    '//double',
  ];
  test.each<[url: string | undefined, seen: string]>([
    ...kept.map((url): [string, string] => [url, url]),
    ['*', '/'],
    ['http://elsewhere.test/path', '/'],
    [undefined, '/'],
  ])('gets the target %s as %s', async (url, seen) => {
    const { request } = await foreign(requestOf([], { method: 'GET', url }));
    expect(request.url).toBe(`http://localhost${seen}`);
  });
});
