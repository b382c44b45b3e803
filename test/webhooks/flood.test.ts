import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  createWebhookHandler,
  toNodeListener,
  type WebhookHandlerOptions,
} from '../../src/webhooks/index.ts';
import { measureHeap } from '../helpers/heap.ts';
import { listen } from '../helpers/server.ts';
import { receiverOptions, signedAt } from './helpers.ts';

const SOCKETS = 300;
const SENT_BYTES = 65_536;

async function start(more: Partial<WebhookHandlerOptions> = {}) {
  const onError = vi.fn();
  let rejected = 0;
  const onRejected = () => void rejected++;
  const handle = createWebhookHandler({ ...receiverOptions, onError, onRejected, ...more });
  const { server, port, close } = await listen(toNodeListener(handle));
  onTestFinished(close);
  const connections = () =>
    new Promise<number>((resolve, reject) =>
      server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  return { port, onError, connections, rejected: () => rejected };
}

/** Begins an upload that never ends, and keeps its side of the connection open. */
async function beginUpload(port: number, headers = ''): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  // The receiver may close before it has read everything, which is a reset.
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(`POST /webhooks HTTP/1.1\r\nHost: localhost\r\n${headers}Content-Length: 1000000\r\n\r\n`);
  socket.write('x'.repeat(SENT_BYTES));
  return socket;
}

async function flood(port: number): Promise<string[]> {
  const sockets = await Promise.all(Array.from({ length: SOCKETS }, () => beginUpload(port)));
  const responses = await Promise.all(sockets.map((socket) => text(socket)));
  for (const socket of sockets) socket.destroy();
  return responses;
}

test('300 uploads without a signature get their 400 while they still come, and hold nothing', async () => {
  const { port, onError, connections, rejected } = await start();
  // The first round warms up what Node keeps for good.
  await flood(port);
  const before = await measureHeap();
  const responses = await flood(port);
  expect(responses.filter((sent) => /^HTTP\/1\.1 400 .*header_missing$/s.test(sent))).toHaveLength(SOCKETS);
  await expect.poll(() => connections()).toBe(0);
  expect(rejected()).toBe(2 * SOCKETS);
  expect(onError).not.toHaveBeenCalled();
  // A request that is kept takes several times as much.
  expect((await measureHeap()) - before).toBeLessThan(SOCKETS * 2_048);
});

test('an upload that stalls gets its 408 after readTimeout, and its connection is closed', async () => {
  const { port, connections, onError } = await start({ readTimeout: 50 });
  const socket = await beginUpload(port, `X-Cbt-Signature: t=${signedAt},v1=${'0'.repeat(64)}\r\n`);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 408 .*connection: close.*body_timeout$/is);
  socket.destroy();
  await expect.poll(() => connections()).toBe(0);
  expect(onError).not.toHaveBeenCalled();
});
