import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test, vi } from 'vitest';
import { ExamClient } from '../../src/index.ts';
import { ConfigurationError, createProxyHandler, toNodeListener } from '../../src/proxy/index.ts';
import { listen } from '../helpers/server.ts';
import { apiKey, createProxied, json, origin, pageRequest, startEmulator } from './helpers.ts';

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
  const server = await listen(toNodeListener(proxy));
  return {
    emulator,
    errors,
    port: server.port,
    client: new ExamClient({ baseUrl: `${server.origin}/api/v1`, apiKey: null, maxRetries: 0 }),
    async [Symbol.asyncDispose]() {
      await server.close();
      await close();
    },
  };
}

/** What a server responds to bytes that no fetch would send. */
async function raw(port: number, lines: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.end([...lines, 'Connection: close', '', ''].join('\r\n'));
  return text(socket);
}

describe('on node:http, over toNodeListener', () => {
  test('it serves the client of a page, and passes on its errors', async () => {
    await using proxied = await startProxied();
    const { client, emulator } = proxied;
    expect((await client.exams.list()).data).toHaveLength(2);
    const results = await client.examResults.list({ participant_id: 2 });
    expect(results.data).toMatchObject([{ participant: { id: 1 } }]);
    await client.participants.import([{ email: 'ana@example.test', name: 'Ana', password: 'secret-1' }]);
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
    ['an absolute target', 'GET http://evil.test/api/v1/exams HTTP/1.1', 404],
    ['a target without a scheme', 'GET //evil.test/api/v1/exams HTTP/1.1', 404],
    ['dot segments', 'GET /api/v1/exams/../participants HTTP/1.1', 400],
    ['dot segments that lead to an allowed path', 'GET /api/v1/participants/../exams HTTP/1.1', 400],
    ['encoded dot segments', 'GET /api/v1/participants/%2e%2E/exams HTTP/1.1', 400],
    ['a dot segment', 'GET /api/v1/./exams HTTP/1.1', 400],
    ['TRACE', 'TRACE /api/v1/exams HTTP/1.1', 400],
    ['backslashes', 'GET /api/v1\\exams HTTP/1.1', 400],
    ['HEAD', 'HEAD /api/v1/exams HTTP/1.1', 403],
    ['OPTIONS for all', 'OPTIONS * HTTP/1.1', 404],
    ['a doubled parameter', 'GET /api/v1/exams?page=1&page=2 HTTP/1.1', 400],
  ])('%s as raw bytes does not get through', async (_, line, status) => {
    await using proxied = await startProxied();
    const answered = await raw(proxied.port, [line, 'Host: school.example.test']);
    expect(answered).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(proxied.emulator.requests).toEqual([]);
  });
});

/** A request of a platform whose signals are not the runtime's, or which has none. */
const withSignal = (request: Request, signal: unknown) =>
  Object.defineProperty(request, 'signal', { value: signal });

describe('a request', () => {
  test('that has no signal, as one of Azure Functions, is handled as any other, and leaves no timer', async () => {
    vi.useFakeTimers();
    const { proxy, sent, errors } = createProxied({}, () => Response.json({}, { status: 404 }));
    const read = withSignal(pageRequest('/api/v1/exams'), undefined);
    const write = withSignal(pageRequest('/api/v1/participants/7', json({ name: 'Ana' }, 'PUT')), undefined);
    expect([(await proxy(read)).status, (await proxy(write)).status]).toEqual([404, 404]);
    expect(sent).toHaveLength(2);
    expect(vi.getTimerCount()).toBe(0);
    const failing = createProxied({ authorize: () => Promise.reject(new Error('down')) });
    expect((await failing.proxy(withSignal(pageRequest('/api/v1/exams'), undefined))).status).toBe(500);
    expect([...errors, ...failing.errors]).toEqual([new Error('down')]);
  });

  test.each([
    ['nothing', undefined],
    ['the request of Node, as Express gives it', { method: 'GET', url: '/exams', headers: { host: 'x' } }],
    ['the event of a framework around a request', { method: 'GET', url: origin, headers: new Headers() }],
  ])('is no web Request but %s: that is a mistake in the set-up', async (_, given) => {
    const mistake = new ConfigurationError(
      'The proxy takes a web Request: on Node, use `toNodeListener(proxy)`.',
    );
    await expect(createProxied().proxy(given as never)).rejects.toThrow(mistake);
  });
});
