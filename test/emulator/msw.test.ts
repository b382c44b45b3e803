import { http } from 'msw';
import { setupServer } from 'msw/node';
import { describe, expect, test } from 'vitest';
import { createEmulator, type Fault } from '../../src/testing/index.ts';
import { createMswHandlers, type MswHandlerOptions } from '../../src/testing/msw.ts';
import { at, bearer, clientKey } from './helpers.ts';

/** An emulator behind the network of this process; what is not for it is answered with 418. */
function intercept(options?: MswHandlerOptions) {
  const emulator = createEmulator();
  emulator.control.seedExams(12);
  const other = http.all('*', () => new Response(null, { status: 418 }));
  const server = setupServer(...createMswHandlers(emulator, options), other);
  server.listen();
  return { emulator, [Symbol.dispose]: () => server.close() };
}

const get = (url: string) => fetch(url, { headers: clientKey });

describe('which requests it answers', () => {
  test('those below /api/v1, of every origin', async () => {
    using _network = intercept();
    for (const origin of ['https://exams.example.com', 'http://localhost:8123']) {
      const answer = await get(`${origin}/api/v1/exams?limit=5&page=3`);
      expect(at(await answer.json(), 'meta', 'current_page')).toBe(3);
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

  test('a route that the service does not have is answered 404, loudly', async () => {
    using _network = intercept();
    const answer = await get('https://exams.example.com/api/v1/nowhere');
    expect(answer.status).toBe(404);
    expect(at(await answer.json(), 'message')).toContain('Known routes');
  });

  test('a base URL that is no address is refused at once', () => {
    expect(() => createMswHandlers(createEmulator(), { baseUrl: '/api/v1' })).toThrow(TypeError);
  });
});

test('methods, headers and bodies arrive', async () => {
  using network = intercept();
  const body = JSON.stringify({ url: 'https://receiver.example.test/', events: ['exam_result.completed'] });
  const url = 'https://exams.example.com/api/v1/webhooks';
  const headers = { ...bearer, 'Content-Type': 'application/json' };
  expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(201);
  expect((await fetch(`${url}/1`, { method: 'DELETE', headers: bearer })).status).toBe(200);
  expect((await fetch(url, { headers: { Authorization: 'Bearer wrong' } })).status).toBe(401);
  expect(network.emulator.requests.map(({ operation }) => operation)).toEqual([
    'webhooks.create',
    'webhooks.delete',
    'webhooks.list',
  ]);
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

  test('a status with headers', async () => {
    const effect = { type: 'respond', status: 503, headers: { 'Retry-After': '3' } } as const;
    const answer = await struckBy({ effect });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('3');
  });

  test('a redirect', async () => {
    const answer = await struckBy({ effect: { type: 'redirect', to: 'https://elsewhere.example.test/' } });
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe('https://elsewhere.example.test/');
  });

  test('a connection that breaks before the answer', async () => {
    await expect(struckBy({ effect: { type: 'reset' } })).rejects.toThrow(TypeError);
  });

  test('a connection that breaks in the body, of which msw makes a body that stops there', async () => {
    const answer = await struckBy({ effect: { type: 'reset-body' } });
    const text = await answer.text();
    expect(answer.status).toBe(200);
    expect(text).toMatch(/^\{"data":\[\{"id":1,/);
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
  });
});
