import { http } from 'msw';
import { setupServer } from 'msw/node';
import msw from 'msw/package.json' with { type: 'json' };
import { describe, expect, test, vi } from 'vitest';
import { ExamClient } from '../../src/index.ts';
import { createEmulator, type Fault } from '../../src/testing/index.ts';
import { createMswHandlers, type MswHandlerOptions } from '../../src/testing/msw.ts';
import { at, clientKey } from './helpers.ts';

/** `test/runtimes` runs these tests with the older msw of the peer range, too. */
const isMsw2 = msw.version.startsWith('2.');

/** An emulator behind the network of this process; what is not for it gets a 418. */
function intercept(options?: MswHandlerOptions) {
  const emulator = createEmulator();
  emulator.control.seedExams(12);
  const other = http.all('*', () => new Response(null, { status: 418 }));
  const server = setupServer(...createMswHandlers(emulator, options), other);
  server.listen();
  return { emulator, [Symbol.dispose]: () => server.close() };
}

const get = (url: string) => fetch(url, { headers: clientKey });

describe('which requests it handles', () => {
  test('those below /api/v1, of every origin', async () => {
    using _network = intercept();
    for (const origin of ['https://exams.example.com', 'http://localhost:8123']) {
      const response = await get(`${origin}/api/v1/exams?limit=5&page=3`);
      expect(at(await response.json(), 'meta', 'current_page')).toBe(3);
    }
    expect((await get('https://exams.example.com/api/v1/exams/7')).status).toBe(200);
  });

  test.each([
    'https://exams.example.com/api/v1',
    'https://exams.example.com/school/exams/',
    'https://exams.example.com',
  ])('those below the base URL %s, and no others', async (baseUrl) => {
    using network = intercept({ baseUrl });
    expect((await get(`${baseUrl.replace(/\/$/, '')}/exams/7`)).status).toBe(200);
    expect(network.emulator.requests).toMatchObject([
      { operation: 'exams.retrieve', path: '/api/v1/exams/7' },
    ]);
    expect((await get('https://other.example.com/api/v1/exams')).status).toBe(418);
  });

  test('a route that the service does not have gets a 404', async () => {
    using _network = intercept();
    const response = await get('https://exams.example.com/api/v1/nowhere');
    expect(response.status).toBe(404);
    expect(at(await response.json(), 'message')).toBe('The route api/v1/nowhere could not be found.');
  });

  test('a base URL that is not an address is rejected immediately', () => {
    expect(() => createMswHandlers(createEmulator(), { baseUrl: '/api/v1' })).toThrow(TypeError);
  });
});

describe('faults strike as over a network', () => {
  async function struckBy(fault: Fault): Promise<Response> {
    using network = intercept();
    network.emulator.faults.inject(fault);
    const response = await fetch('https://exams.example.com/api/v1/exams', {
      headers: clientKey,
      redirect: 'manual',
    });
    return new Response(await response.text(), response);
  }

  test.each<[Fault, status: number, header: string, value: string]>([
    [{ effect: 'respond', status: 503, headers: { 'Retry-After': '3' } }, 503, 'retry-after', '3'],
    [{ effect: 'redirect', to: 'https://elsewhere.test/' }, 302, 'location', 'https://elsewhere.test/'],
  ])('%j has status %i and its header %s', async (fault, status, header, value) => {
    const response = await struckBy(fault);
    expect([response.status, response.headers.get(header)]).toEqual([status, value]);
  });

  test('a connection that breaks before the response', async () => {
    await expect(struckBy({ effect: 'reset' })).rejects.toThrow(TypeError);
  });

  test(
    isMsw2
      ? 'a connection that breaks in the body'
      : 'a connection that breaks in the body, of which msw makes a body that stops there',
    async () => {
      const response = struckBy({ effect: 'reset-body' });
      if (isMsw2) {
        await expect(response).rejects.toThrow(TypeError);
        return;
      }
      const text = await (await response).text();
      expect((await response).status).toBe(200);
      expect(text).toMatch(/^\{"data":\[\{"id":1,/);
      expect(() => JSON.parse(text)).toThrow(SyntaxError);
    },
  );
});

describe('as the proxy of a page', () => {
  const baseUrl = 'https://app.example.com/exam-api';
  const page = new ExamClient({ baseUrl, apiKey: null, logLevel: 'off', maxRetries: 0 });

  test('it adds the key to requests of a client that has none', async () => {
    using network = intercept({ baseUrl, proxy: true });
    expect(await page.exams.retrieve(7)).toMatchObject({ id: 7 });
    expect(await page.webhooks.list()).toEqual([]);
    expect(network.emulator.requests.map(({ status }) => status)).toEqual([200, 200]);
  });

  test('it leaves a key as it is, and without the option a request as it is', async () => {
    using _network = intercept({ baseUrl, proxy: true });
    const headers = { 'X-Client-Key': 'wrong' };
    expect((await fetch(`${baseUrl}/exams`, { headers })).status).toBe(401);
    using _other = intercept({ baseUrl: 'https://other.example.com' });
    expect((await fetch('https://other.example.com/exams')).status).toBe(401);
  });
});

describe('a request that is aborted', () => {
  test('is the abort of its caller, and no exception that msw reports', async () => {
    const reported = (['error', 'warn'] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation(() => {}),
    );
    using network = intercept();
    network.emulator.faults.inject({ delay: 60_000, times: 3 });
    const baseUrl = 'https://exams.example.com/api/v1';
    const client = new ExamClient({ baseUrl, apiKey: 'test-key', logLevel: 'off', maxRetries: 0 });
    const controller = new AbortController();
    const call = client.exams.list({}, { signal: controller.signal });
    await expect.poll(() => network.emulator.requests).toHaveLength(1);
    controller.abort();
    const error = await call.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toBe(controller.signal.reason);
    await expect.poll(() => network.emulator.requests[0]?.fault).not.toBeNull();
    await new Promise((resolve) => setImmediate(resolve));
    expect(reported.flatMap(({ mock }) => mock.calls)).toEqual([]);
  });
});
