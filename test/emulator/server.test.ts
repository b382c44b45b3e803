import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import { createEmulator } from '../../src/testing/index.ts';
import { clientKey, startServer } from './helpers.ts';

test('an emulator listens on loopback, on a port of its own', async () => {
  await using server = await createEmulator().listen();
  expect(server.url).toBe(`http://127.0.0.1:${server.port}/api/v1`);
  expect(server.port).toBeGreaterThan(0);
  expect((await fetch(`${server.url}/exams`, { headers: clientKey })).status).toBe(200);
});

test('the host and the port can be given', async () => {
  const emulator = createEmulator();
  const first = await emulator.listen({ host: 'localhost' });
  await first.close();
  await using second = await emulator.listen({ host: 'localhost', port: first.port });
  expect(second.url).toBe(`http://localhost:${first.port}/api/v1`);
});

test('a port that is taken is an error that says so', async () => {
  await using first = await createEmulator().listen();
  await expect(createEmulator().listen({ port: first.port })).rejects.toThrow(
    `The emulator cannot listen on port ${first.port} of 127.0.0.1: it is in use; choose another, or 0 for a free one.`,
  );
});

test('a closed server accepts no more requests, and may be closed again', async () => {
  const server = await createEmulator().listen();
  await fetch(`${server.url}/exams`, { headers: clientKey });
  await server.close();
  await server.close();
  await expect(fetch(`${server.url}/exams`, { headers: clientKey })).rejects.toThrow(TypeError);
});

test('an emulator may listen more than once and keeps its state when a server closes', async () => {
  const emulator = createEmulator();
  emulator.control.seedExams(1);
  const first = await emulator.listen();
  await using second = await emulator.listen();
  await first.close();
  expect((await fetch(`${second.url}/exams/1`, { headers: clientKey })).status).toBe(200);
});

test('the function serves any origin, a URL or a Request', async () => {
  const emulator = createEmulator();
  const url = 'https://service.example.test/api/v1/exams';
  const responses = await Promise.all([
    emulator.fetch(url, { headers: clientKey }),
    emulator.fetch(new URL(url), { headers: clientKey }),
    emulator.fetch(new Request(url, { headers: clientKey })),
    emulator.fetch(new Request(url), { headers: clientKey }),
  ]);
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

test('a mistake of the emulator itself is said to be one, and not a response of the service', async () => {
  const broken = {
    now: () => {
      throw new Error('the clock is broken');
    },
    schedule: () => () => {},
  };
  const emulator = createEmulator({ clock: broken });
  const request = { headers: clientKey };
  await expect(emulator.fetch('https://service.example.test/api/v1/exams', request)).rejects.toThrow(
    'the clock is broken',
  );
  await using server = await emulator.listen();
  const response = await fetch(`${server.url}/exams`, request);
  expect(response.status).toBe(500);
  expect(await response.json()).toEqual({ message: 'The emulator failed: the clock is broken' });
});

test('nothing is written to the console, whatever breaks, and no global object is replaced', async () => {
  const globals = [globalThis.Request, globalThis.Response];
  const written = (['log', 'info', 'warn', 'error'] as const).map((name) => vi.spyOn(console, name));
  await using service = await startServer();
  service.emulator.control.seedExams(10);
  const broken = [];
  for (const effect of ['reset', 'reset-body'] as const) {
    service.emulator.faults.inject({ effect });
    const response = fetch(`${service.url}/exams`, { headers: clientKey });
    broken.push(await response.then((response) => response.text()).catch((error: unknown) => error));
  }
  expect(broken).toEqual([expect.any(TypeError), expect.any(TypeError)]);
  for (const spy of written) {
    expect(spy).not.toHaveBeenCalled();
    spy.mockRestore();
  }
  expect([globalThis.Request, globalThis.Response]).toEqual(globals);
});

test('a request that cannot be one gets a 400, and the next one as ever', async () => {
  await using service = await startServer();
  const { port } = new URL(service.url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write('GET /api/v1/exams HTTP/1.1\r\nHost: not a host\r\nConnection: close\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1.1 400 /);
  expect((await service.call('GET', '/exams')).status).toBe(200);
});
