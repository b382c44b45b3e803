import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';
import { describe, expect, test, vi } from 'vitest';
import { ExamClient } from '../../src/index.ts';
import { ConfigurationError, createProxyHandler, toNodeListener } from '../../src/proxy/index.ts';
import { createEmulator } from '../../src/testing/index.ts';
import { createGate } from '../helpers/gate.ts';
import { createProxied, json, origin, pageRequest } from './helpers.ts';

const apiKey = 'the-key-that-no-page-may-see';
const root = fileURLToPath(new URL('../../', import.meta.url));

/** An emulator with two exams and a result for each of two participants. */
async function startEmulator() {
  const emulator = createEmulator({ apiKey });
  emulator.control.seedExams(2);
  const people = emulator.control.seedParticipants(2);
  emulator.control.seedResults(people.map(({ id }) => ({ participant_id: id, exam_id: 1, score: id })));
  const { url, close } = await emulator.listen();
  return { emulator, url, close };
}

/** A proxy on node:http in front of an emulator; everybody is the first participant. */
async function startProxied() {
  const { emulator, url, close } = await startEmulator();
  const errors: unknown[] = [];
  const proxy = createProxyHandler({
    baseUrl: url,
    apiKey,
    allow: ['exams.list', 'exams.retrieve', 'examResults.list', 'participants.import'],
    authorize: (_, { operation }) =>
      operation === 'examResults.list' ? { query: { participant_id: 1 } } : true,
    onError: (error) => errors.push(error),
  });
  const server = createServer(toNodeListener(proxy)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    emulator,
    errors,
    port,
    client: new ExamClient({ baseUrl: `http://127.0.0.1:${port}/api/v1`, apiKey: null, maxRetries: 0 }),
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await close();
    },
  };
}

/** What a server answers to bytes that no fetch would send. */
async function raw(port: number, lines: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.end([...lines, 'Connection: close', '', ''].join('\r\n'));
  return text(socket);
}

describe('on node:http, over toNodeListener', () => {
  test('it serves the client of a page, and answers its errors', async () => {
    await using proxied = await startProxied();
    const { client, emulator } = proxied;
    expect((await client.exams.list()).data).toHaveLength(2);
    expect((await client.examResults.list({ participant_id: 2 })).data).toMatchObject([
      { participant: { id: 1 } },
    ]);
    await client.participants.import([
      { email: 'ana@example.test', name: 'Ana', password: 'first-password-1' },
    ]);
    await expect(client.exams.retrieve(9)).rejects.toMatchObject({ name: 'NotFoundError' });
    await expect(client.participants.list()).rejects.toMatchObject({ name: 'PermissionDeniedError' });
    expect(emulator.requests.map(({ path, status }) => [path, status])).toEqual([
      ['/api/v1/exams', 200],
      ['/api/v1/exam-results', 200],
      ['/api/v1/participants/import', 201],
      ['/api/v1/exams/9', 404],
    ]);
    for (const { headers } of emulator.requests) expect(headers['x-client-key']).toBe(apiKey);
  });

  test.each([
    ['an absolute target', 'GET http://evil.test/api/v1/exams HTTP/1.1', 403],
    ['a target without a scheme', 'GET //evil.test/api/v1/exams HTTP/1.1', 403],
    ['dot segments', 'GET /api/v1/exams/../participants HTTP/1.1', 400],
    ['dot segments that lead to an allowed path', 'GET /api/v1/participants/../exams HTTP/1.1', 400],
    ['encoded dot segments', 'GET /api/v1/participants/%2e%2E/exams HTTP/1.1', 400],
    ['a dot segment', 'GET /api/v1/./exams HTTP/1.1', 400],
    ['TRACE', 'TRACE /api/v1/exams HTTP/1.1', 400],
    ['backslashes', 'GET /api/v1\\exams HTTP/1.1', 400],
    ['HEAD', 'HEAD /api/v1/exams HTTP/1.1', 403],
    ['OPTIONS for all', 'OPTIONS * HTTP/1.1', 403],
    ['a doubled parameter', 'GET /api/v1/exams?page=1&page=2 HTTP/1.1', 400],
  ])('%s as raw bytes does not get through', async (_, line, status) => {
    await using proxied = await startProxied();
    const answered = await raw(proxied.port, [line, 'Host: school.example.test']);
    expect(answered).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(proxied.emulator.requests).toEqual([]);
  });

  test('a page that hangs up ends the request to the service, of which nobody hears', async () => {
    const arrived = createGate();
    const closed = createGate();
    const service = createServer((_, response) => {
      response.once('close', closed.open);
      arrived.open();
    }).listen(0, '127.0.0.1');
    await once(service, 'listening');
    const errors: unknown[] = [];
    const proxy = createProxyHandler({
      baseUrl: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
      apiKey,
      allow: ['exams.list'],
      authorize: () => true,
      onError: (error) => errors.push(error),
    });
    const server = createServer(toNodeListener(proxy)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const page = new AbortController();
    const { port } = server.address() as AddressInfo;
    const call = fetch(`http://127.0.0.1:${port}/api/v1/exams`, { signal: page.signal });
    await arrived.promise;
    page.abort(new Error('The page was left.'));
    await expect(call).rejects.toThrow('The page was left.');
    await closed.promise;
    expect(errors).toEqual([]);
    server.close();
    service.close();
  });
});

/** A request of a platform whose signals are not the runtime's, or which has none. */
const withSignal = (request: Request, signal: unknown) =>
  Object.defineProperty(request, 'signal', { value: signal });

describe('a request', () => {
  test('that has no signal, as one of Azure Functions, is answered as any other, and leaves no timer', async () => {
    vi.useFakeTimers();
    try {
      const { proxy, sent, errors } = createProxied({}, () => Response.json({}, { status: 404 }));
      const read = withSignal(pageRequest('/api/v1/exams'), undefined);
      const write = withSignal(
        pageRequest('/api/v1/participants/7', json({ name: 'Ana' }, 'PUT')),
        undefined,
      );
      expect([(await proxy(read)).status, (await proxy(write)).status]).toEqual([404, 404]);
      expect(sent).toHaveLength(2);
      expect(vi.getTimerCount()).toBe(0);
      const failing = createProxied({ authorize: () => Promise.reject(new Error('down')) });
      expect((await failing.proxy(withSignal(pageRequest('/api/v1/exams'), undefined))).status).toBe(500);
      expect([...errors, ...failing.errors]).toEqual([new Error('down')]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('whose signal is that of a polyfill ends the request to the service when it aborts', async () => {
    const page = Object.assign(new EventTarget(), {
      aborted: false,
      reason: new Error('The page was left.'),
    });
    const { proxy, sent, errors } = createProxied({}, () => {
      page.aborted = true;
      page.dispatchEvent(new Event('abort'));
      return new Promise(() => {});
    });
    await proxy(withSignal(pageRequest('/api/v1/exams'), page));
    expect(sent[0]?.signal).toMatchObject({ aborted: true, reason: page.reason });
    expect(errors).toEqual([]);
  });

  test.each([
    ['nothing', undefined],
    ['the request of Node, as Express gives it', { method: 'GET', url: '/exams', headers: { host: 'x' } }],
    ['the event of a framework around a request', { method: 'GET', url: origin, headers: new Headers() }],
  ])('is no web Request but %s: that is a mistake in the set-up', async (_, given) => {
    const { proxy } = createProxied();
    await expect(proxy(given as never)).rejects.toThrow(
      new ConfigurationError('The proxy takes a web Request: on Node, use `toNodeListener(proxy)`.'),
    );
  });
});

/** A Worker with the proxy, bundled from the built package. */
async function startWorker(baseUrl: string) {
  const contents = `
    import { createProxyHandler } from 'exam-service-sdk/proxy';
    const proxy = createProxyHandler({
      baseUrl: ${JSON.stringify(baseUrl)},
      apiKey: ${JSON.stringify(apiKey)},
      allow: ['exams.list', 'examResults.list', 'participants.import'],
      authorize: (request, { operation }) =>
        operation === 'examResults.list' ? { query: { participant_id: 1 } } : request.headers.has('cookie'),
    });
    export default { fetch: (request) => proxy(request) };
  `;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    format: 'esm',
    conditions: ['workerd', 'worker'],
    write: false,
  });
  return new Miniflare({
    modules: true,
    script: outputFiles.map((file) => file.text).join(),
    compatibilityDate: '2026-07-01',
    host: '127.0.0.1',
    cf: false,
  });
}

test('in workerd it serves the client of a page, without a compatibility flag', async () => {
  const { emulator, url, close } = await startEmulator();
  const worker = await startWorker(url);
  try {
    const client = new ExamClient({
      baseUrl: 'https://worker.test/api/v1',
      apiKey: null,
      maxRetries: 0,
      headers: { cookie: 'session=1' },
      fetch: async (address, { signal: _, ...init }) => {
        const answered = await worker.dispatchFetch(address, init);
        return new Response(await answered.text(), {
          status: answered.status,
          headers: Object.fromEntries(answered.headers),
        });
      },
    });
    expect((await client.exams.list()).data).toHaveLength(2);
    expect((await client.examResults.list({ participant_id: 2 })).data).toMatchObject([
      { participant: { id: 1 } },
    ]);
    await client.participants.import([
      { email: 'ana@example.test', name: 'Ana', password: 'first-password-1' },
    ]);
    await expect(client.participants.list()).rejects.toMatchObject({ status: 403 });
    const refused = await worker.dispatchFetch('http://worker.test/api/v1/exams');
    expect([refused.status, refused.headers.get('cache-control')]).toEqual([401, 'no-store']);
    const foreign = await worker.dispatchFetch('http://worker.test/api/v1/exams', {
      headers: { 'sec-fetch-site': 'cross-site', cookie: 'session=1' },
    });
    expect(foreign.status).toBe(403);
    expect(emulator.requests).toHaveLength(3);
    for (const { headers } of emulator.requests) {
      expect(headers['x-client-key']).toBe(apiKey);
      expect(headers).not.toHaveProperty('cookie');
    }
  } finally {
    await worker.dispose();
    await close();
  }
});
