import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, type IncomingMessage, type RequestListener, request } from 'node:http';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import express, { type ErrorRequestHandler } from 'express';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { signWebhook } from '../../src/testing/index.ts';
import { ConfigurationError, createWebhookHandler, toNodeListener } from '../../src/webhooks/index.ts';
import { failure } from '../helpers/client.ts';
import { listen } from '../helpers/server.ts';
import { body, secret } from './helpers.ts';

interface Sent {
  readonly status: number | undefined;
  readonly connection: string | undefined;
  readonly text: string;
}

/** Sends one delivery; `null` where it did not reach the receiver. */
async function send(port: number, agent?: Agent, content = body): Promise<Sent | null> {
  const headers = { 'x-cbt-signature': signWebhook({ body: content, secret }) };
  const sent = request({ port, host: '127.0.0.1', method: 'POST', headers, ...(agent && { agent }) });
  try {
    sent.end(content);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    return { status: response.statusCode, connection: response.headers.connection, text };
  } catch {
    return null;
  }
}

test('while its server closes, a listener ends each connection with its response, and only then', async () => {
  const on = { 'exam_result.completed': () => void server.close() };
  await using receiver = await listen(toNodeListener(createWebhookHandler({ secret, on })));
  const { server, port } = receiver;
  const agent = new Agent({ keepAlive: true });
  expect(await send(port, agent, '{}')).toMatchObject({ status: 400, connection: 'keep-alive' });
  expect(await send(port, agent)).toMatchObject({ status: 204, connection: 'close' });
  agent.destroy();
});

test('a process under 200 deliveries a second from kept-alive senders ends on SIGTERM: none failed, none handled twice', async () => {
  const program = fileURLToPath(new URL('draining-receiver.ts', import.meta.url));
  const child = spawn(process.execPath, ['--no-warnings', program], {
    env: { ...process.env, EXAM_SERVICE_WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let lastAnswerAt = 0;
  const ended = once(child, 'exit').then(([code, signal]) => ({ code, signal, at: performance.now() }));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const port = Number((await lines.next()).value);
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const answered: string[] = [];
  const statuses = new Set<number | undefined>();
  const sending: Promise<void>[] = [];
  const send200th = async () => {
    const event = `load.${sending.length}`;
    const created_at = '2025-03-01T08:00:00+07:00';
    const sent = await send(port, agent, JSON.stringify({ event, created_at, data: {} }));
    // It did not reach the receiver: a sender repeats it later.
    if (sent === null) return;
    lastAnswerAt = performance.now();
    statuses.add(sent.status);
    if (answered.push(event) === 200) child.kill('SIGTERM');
  };
  // Goes on until the process has ended, as senders know nothing of the signal; no longer than half a minute.
  const pace = setInterval(() => sending.length < 6_000 && sending.push(send200th()), 5);
  const { code, signal, at } = await ended;
  clearInterval(pace);
  await Promise.all(sending);
  agent.destroy();
  const handled: string[] = [];
  for await (const event of lines) handled.push(event);
  expect({ code, signal }).toEqual({ code: 0, signal: null });
  expect(statuses).toEqual(new Set([204]));
  expect(answered.length).toBeGreaterThan(200);
  expect(handled.toSorted()).toEqual(answered.toSorted());
  expect(new Set(handled).size).toBe(handled.length);
  expect(at - lastAnswerAt).toBeLessThan(1_000);
});

describe('a handler that was given to a server without toNodeListener', () => {
  test('responds 500 with what to do, and calls onError', async () => {
    const onError = vi.fn();
    const handle = createWebhookHandler({ secret, onUnknown: () => {}, onError });
    await using receiver = await listen(handle as unknown as RequestListener);
    const sent = await send(receiver.port);
    expect(sent).toMatchObject({ status: 500, text: expect.stringContaining('toNodeListener(handler)') });
    expect(onError.mock.calls).toMatchObject([[{ code: 'configuration' }, null]]);
  });

  test('gives the error response, too, to a framework that sends what it is given', async () => {
    const handle = createWebhookHandler({ secret, onUnknown: () => {}, onError: () => {} });
    const response = { end: vi.fn() };
    const given = await Reflect.apply(handle, undefined, [{ headers: {} }, response]);
    expect(given.status).toBe(500);
    expect(response.end).toHaveBeenCalledExactlyOnceWith(await given.text());
  });

  test.each<[string, unknown, unknown?]>([
    ['nothing', undefined],
    ['null', null],
    ['a string', 'x'],
    ['an empty object', {}],
    ['the request of a framework that sends what it is given', { headers: { 'x-cbt-signature': 'x' } }],
    [
      'the event of a framework around a request, with its headers',
      { method: 'POST', headers: new Headers({ 'x-cbt-signature': signWebhook({ body, secret }) }) },
    ],
    ['an event of AWS Lambda and its context', { headers: {}, body: '{}' }, { functionName: 'receiver' }],
  ])(
    'rejects %s, since the framework around it responds to that alone with 5xx',
    async (_, request, second) => {
      const onError = vi.fn();
      const handle = createWebhookHandler({ secret, onUnknown: () => {}, onError });
      const call = handle as (...given: unknown[]) => Promise<Response>;
      const error = await failure(call(request, second), ConfigurationError);
      expect(error.message).toContain('takes a web Request');
      expect(onError).toHaveBeenCalledExactlyOnceWith(error, null);
    },
  );
});

test('a response cannot be sent as JSON: the sender would take `{}` with 200 for an acknowledgement', async () => {
  const handle = createWebhookHandler({ secret, onUnknown: () => {}, onRejected: () => {} });
  const app = express();
  const errors: unknown[] = [];
  app.post('/', async ({ headers }, response) => {
    const init = { method: 'POST', headers: headers as Record<string, string>, body: `${body} ` };
    response.json(await handle(new Request('http://receiver.test/', init)));
  });
  const answerError: ErrorRequestHandler = (error, _request, response, _next) => {
    errors.push(error);
    response.sendStatus(500);
  };
  app.use(answerError);
  await using receiver = await listen(app);
  expect(await send(receiver.port)).toMatchObject({ status: 500 });
  expect(errors).toEqual([expect.any(ConfigurationError)]);
  expect(errors).toMatchObject([{ message: expect.stringContaining('gives a Response') }]);
});

test('a body that arrived while the event loop was blocked is not late', async () => {
  const handled = vi.fn();
  const on = { 'exam_result.completed': handled };
  const handle = createWebhookHandler({ secret, on, readTimeout: 50, onRejected: () => {} });
  await using receiver = await listen(toNodeListener(handle));
  const { server, port } = receiver;
  const received = once(server, 'request');
  const socket = connect(port, '127.0.0.1');
  const signature = signWebhook({ body, secret });
  const length = Buffer.byteLength(body);
  socket.write(
    `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\nX-Cbt-Signature: ${signature}\r\n\r\n`,
  );
  await received;
  // The bytes are on their way before the block, which outlasts the time limit.
  socket.write(body);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 120);
  const [response] = await once(socket, 'data');
  socket.destroy();
  expect(String(response)).toContain('HTTP/1.1 204');
  expect(handled).toHaveBeenCalledOnce();
});
