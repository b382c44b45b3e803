import { describe, expect, test } from 'vitest';
import { createProxy } from '../../examples/browser/proxy.ts';
import { createEmulator } from '../../src/testing/index.ts';
import { apiKey } from './helpers.ts';

/** A proxy in front of an emulator with two exams, called as a function. */
async function startProxied(timeout?: number) {
  const emulator = createEmulator({ apiKey });
  emulator.control.seedExams(2);
  const server = await emulator.listen();
  const proxy = createProxy({ baseUrl: server.url, apiKey, ...(timeout === undefined ? {} : { timeout }) });
  return {
    emulator,
    call: async (path: string, init?: RequestInit) => proxy.request(`/api/v1${path}`, init),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

describe('the proxy of the browser example', () => {
  test.each(['/exams', '/exams/1', '/exam-results'])('lets GET %s pass, and adds the key', async (path) => {
    await using proxied = await startProxied();
    const response = await proxied.call(path);
    expect(response.status).toBe(200);
    expect(await response.json()).toHaveProperty('data');
    expect(proxied.emulator.requests).toMatchObject([
      { path: `/api/v1${path}`, status: 200, headers: { 'x-client-key': apiKey } },
    ]);
  });

  test.each([
    ['POST', '/participants/import'],
    ['GET', '/participants'],
    ['GET', '/participants/1'],
    ['POST', '/exams'],
    ['GET', '/exams/../participants'],
    ['GET', '/exams/1%2F..%2F..%2Fparticipants'],
    ['GET', '/exams/x'],
    ['GET', '/exam-participants/link?participant_id=1&exam_id=1'],
    ['GET', '/webhooks'],
    ['DELETE', '/webhooks/1'],
  ])('refuses %s %s, of which the service hears nothing', async (method, path) => {
    await using proxied = await startProxied();
    const response = await proxied.call(path, { method });
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({ message: 'The proxy does not let this operation pass.' });
    expect(proxied.emulator.requests).toEqual([]);
  });

  test('passes on the parameters of the operation, and nothing else that the page sends', async () => {
    await using proxied = await startProxied();
    await proxied.call('/exam-results?page=2&limit=5&participant_id=7&exam_id=1&debug=1', {
      headers: { Cookie: 'session=1', Authorization: 'Bearer x', 'X-Client-Key': 'of the page' },
    });
    const [request] = proxied.emulator.requests;
    expect(request?.query).toEqual({ page: '2', limit: '5', participant_id: '7', exam_id: '1' });
    expect(request?.headers).toMatchObject({ 'x-client-key': apiKey, accept: 'application/json' });
    expect(request?.headers).not.toHaveProperty('cookie');
    expect(request?.headers).not.toHaveProperty('authorization');
  });

  test('passes on a failure with what the page needs to know, and without cookies', async () => {
    await using proxied = await startProxied();
    const headers = { 'Retry-After': '7', 'X-Request-Id': 'r-1', 'Set-Cookie': 'session=1' };
    proxied.emulator.faults.inject({
      effect: { type: 'respond', status: 429, body: { message: 'Too many.' }, headers },
    });
    const response = await proxied.call('/exams');
    expect(response.status).toBe(429);
    expect(await response.json()).toEqual({ message: 'Too many.' });
    expect(response.headers.get('retry-after')).toBe('7');
    expect(response.headers.get('x-request-id')).toBe('r-1');
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('does not follow a redirect, which would carry the key elsewhere', async () => {
    await using proxied = await startProxied();
    await using elsewhere = await startProxied();
    proxied.emulator.faults.inject({ effect: { type: 'redirect', to: 'http://127.0.0.1:9/api/v1/exams' } });
    const response = await proxied.call('/exams');
    expect(response.status).toBe(502);
    expect(response.headers.get('location')).toBeNull();
    expect(elsewhere.emulator.requests).toEqual([]);
  });

  test('answers 502 where the service breaks the connection or takes too long', async () => {
    await using proxied = await startProxied(200);
    proxied.emulator.faults.inject({ effect: { type: 'reset' } });
    expect((await proxied.call('/exams')).status).toBe(502);
    proxied.emulator.faults.inject({ delay: 60_000 });
    const response = await proxied.call('/exams');
    expect(response.status).toBe(502);
    expect(await response.json()).toEqual({ message: 'The proxy cannot reach the exam service.' });
  });
});
