import { once } from 'node:events';
import * as http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { createProxyHandler } from '../../src/proxy/index.ts';
import {
  createWebhookHandler,
  type NodeResponse,
  toNodeListener,
  type WebhookHandlerOptions,
} from '../../src/webhooks/index.ts';
import { completed, options, signed } from './helpers.ts';

const { headers, body } = signed().toNodeParts();

/** A receiver on an HTTP/2 server, and a client of it. */
async function start(more: Partial<WebhookHandlerOptions> = {}) {
  const handler = vi.fn();
  const on = { 'exam_result.completed': handler };
  const receiver = createWebhookHandler({ ...options, on, onRejected: () => {}, ...more });
  return { handler, ...(await serve(receiver)) };
}

/** A web handler on an HTTP/2 server, and a client of it. */
async function serve(webHandler: (request: Request) => Promise<Response>) {
  const listener = toNodeListener(webHandler);
  // Its `end` has overloads in an order of their own.
  const server = http2.createServer((request, response) =>
    listener(request, response as object as NodeResponse),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sessions: http2.ServerHttp2Session[] = [];
  server.on('session', (session) => sessions.push(session));
  const client = http2.connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return {
    client,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: once(server, 'request'),
    request: (fields: object) => client.request({ ':method': 'POST', ':path': '/webhooks', ...fields }),
    async [Symbol.asyncDispose]() {
      client.destroy();
      for (const session of sessions) session.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Comes when the stream has closed, or when the response has come where Node's client would still wait to write. */
async function responseTo(stream: http2.ClientHttp2Stream, last = 'close') {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk) => chunks.push(chunk));
  const over = once(stream, last);
  const [fields] = await once(stream, 'response');
  await over;
  return [fields[':status'], Buffer.concat(chunks).toString()];
}

/** A genuine delivery over the same connection is handled. */
async function expectHandled({ request, handler }: Awaited<ReturnType<typeof start>>): Promise<void> {
  const stream = request(headers);
  stream.end(body);
  expect(await responseTo(stream)).toEqual([204, '']);
  expect(handler).toHaveBeenCalledExactlyOnceWith(completed, expect.anything());
}

test('an upload over HTTP/2 that its sender breaks off is incomplete, not wrongly signed', async () => {
  const onRejected = vi.fn();
  await using receiver = await start({ onRejected });
  const stream = receiver.request({ ...headers, 'content-length': body.length });
  stream.write(body.slice(0, 10));
  stream.on('error', () => {});
  const [sent] = await receiver.received;
  const arrived = once(sent, 'data');
  await arrived;
  stream.close(http2.constants.NGHTTP2_CANCEL);
  await expect.poll(() => onRejected).toHaveBeenCalledOnce();
  expect(onRejected.mock.calls[0]?.[0]).toMatchObject({ reason: 'body_incomplete' });
});

test.each<[string, object, Partial<WebhookHandlerOptions>, number, string]>([
  ['has no signature', {}, {}, 400, 'header_missing'],
  ['is too large', headers, { maxBodyBytes: 100 }, 413, 'body_too_large'],
  ['stalls', headers, { readTimeout: 20 }, 408, 'body_timeout'],
])(
  'an upload over HTTP/2 that %s and never ends is cut off ten seconds after its response, so that it holds nothing',
  async (_, fields, more, status, text) => {
    const warned = vi.spyOn(process, 'emitWarning');
    await using receiver = await start(more);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const stream = receiver.request(fields);
    stream.write(body);
    const [sent] = await receiver.received;
    const sending = responseTo(stream, 'end');
    // Until the receiver has given up waiting for the body.
    await expect.poll(() => vi.advanceTimersByTime(20) && sent.stream.headersSent).toBe(true);
    expect(await sending).toEqual([status, text]);
    expect(stream.closed).toBe(false);
    const closed = once(stream, 'close');
    vi.advanceTimersByTime(10_000);
    await closed;
    expect(warned).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  },
);

test('an upload of many frames that is too large gets its response, and leaves its connection to others', async () => {
  await using receiver = await start({ maxBodyBytes: body.length });
  const large = receiver.request(headers);
  large.end(Buffer.alloc(300_000));
  expect(await responseTo(large, 'end')).toEqual([413, 'body_too_large']);
  await expectHandled(receiver);
});

test('eleven unsigned uploads of 1 MB leave their connection to a genuine delivery', async () => {
  await using receiver = await start();
  for (let count = 0; count < 11; count += 1) {
    const upload = receiver.request({});
    upload.end(Buffer.alloc(1_048_576));
    expect(await responseTo(upload)).toEqual([400, 'header_missing']);
  }
  await expectHandled(receiver);
});

test('an upload that does not end is cut off when 16 MB of it were thrown away', async () => {
  await using receiver = await start();
  const upload = receiver.request({});
  upload.on('error', () => {});
  const closed = once(upload, 'close');
  let sentBytes = 0;
  const chunk = Buffer.alloc(1_048_576);
  const send = () => {
    if (upload.closed) return;
    sentBytes += chunk.length;
    upload.write(chunk, send);
  };
  send();
  upload.resume();
  await closed;
  expect(sentBytes).toBeGreaterThan(16 * 1_048_576);
  expect(sentBytes).toBeLessThan(24 * 1_048_576);
});

describe('over HTTP/2, the host of a request is its :authority', () => {
  test('for a handler', async () => {
    await using served = await serve(async ({ headers }) => new Response(headers.get('host')));
    const stream = served.request({ ':authority': 'exams.example.test:8443' });
    stream.end();
    expect(await responseTo(stream)).toEqual([200, 'exams.example.test:8443']);
  });

  test('for the proxy, which takes a write of its own page', async () => {
    const proxy = createProxyHandler({
      baseUrl: 'https://exams.example.test/api/v1',
      apiKey: 'test-key',
      allow: ['participants.update'],
      authorize: () => true,
      fetch: async () => Response.json({ success: true, message: null, data: null }),
    });
    await using served = await serve(proxy);
    const put = { ':method': 'PUT', ':path': '/api/v1/participants/1', 'content-type': 'application/json' };
    const statuses: unknown[] = [];
    for (const origin of [served.origin, 'https://elsewhere.example']) {
      const stream = served.request({ ...put, origin });
      stream.end('{"name":"Ana"}');
      const [status] = await responseTo(stream);
      statuses.push(status);
    }
    expect(statuses).toEqual([200, 403]);
  });
});
