import { describe, expect, test } from 'vitest';
import { createProxied, json, origin, pageRequest, read } from './helpers.ts';

const elsewhere = 'https://app.example.test';

function crossOrigin(target: string, init: RequestInit = {}, from = elsewhere): Request {
  const headers = new Headers(init.headers);
  headers.set('sec-fetch-site', 'cross-site');
  headers.set('origin', from);
  return pageRequest(target, { ...init, headers });
}

/** What a page of another origin sees of its rejection. */
async function expectRejected(request: Request): Promise<void> {
  const { proxy, sent } = createProxied({ origins: [elsewhere] });
  const response = await proxy(request);
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  expect(sent).toEqual([]);
}

describe('a page of the proxy’s own origin', () => {
  test.each<[name: string, headers: Record<string, string>]>([
    ['as the browser says', { 'sec-fetch-site': 'same-origin', origin }],
    ['as its Origin says, in an older browser', { origin }],
    ['behind a proxy that ends TLS', { origin, host: 'school.example.test' }],
    ['on another port than the request shows', { origin: 'http://localhost:5173', host: 'localhost:5173' }],
    ['or no page at all', {}],
  ])('may read and write, %s', async (_, headers) => {
    const { proxy, sent } = createProxied();
    await proxy(new Request(`${origin}/api/v1/exams`, { headers }));
    const change = json({ name: 'Ana' }, 'PUT');
    const typed = { ...headers, 'content-type': 'application/json' };
    await proxy(new Request(`${origin}/api/v1/participants/7`, { ...change, headers: typed }));
    expect(sent.map(({ method: used }) => used)).toEqual(['GET', 'PUT']);
  });
});

describe('a page of a listed origin', () => {
  test('may read, with its cookies, and sees when to ask again', async () => {
    const { proxy, sent } = createProxied({ origins: [elsewhere] });
    const response = await proxy(crossOrigin('/api/v1/exams'));
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': elsewhere,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'retry-after, x-request-id',
      vary: 'origin',
      'cache-control': 'no-store',
    });
    expect(sent).toHaveLength(1);
  });

  test('can read why it is rejected', async () => {
    const authorize = () => Response.json({}, { status: 401 });
    const { proxy } = createProxied({ origins: [elsewhere], authorize });
    const response = await proxy(crossOrigin('/api/v1/exams'));
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([401, elsewhere]);
  });

  test.each([
    ['/api/v1/participants/7', json({ name: 'x' }, 'PUT')],
    ['/api/v1/exam-participants/assign', json({})],
    ['/api/v1/webhooks/4', { method: 'DELETE' }],
  ])('may not write to %s', async (target, init) => {
    await expectRejected(crossOrigin(target, init));
  });
});

describe('a preflight', () => {
  const preflight = (method: string, from?: string) => {
    const asked = { 'access-control-request-headers': 'traceparent, x-client-key' };
    const headers = { ...asked, 'access-control-request-method': method };
    return crossOrigin('/api/v1/exams', { method: 'OPTIONS', headers }, from);
  };

  test('of a listed origin that wants to read is allowed, with the headers that it names', async () => {
    const { proxy, sent } = createProxied({ origins: [elsewhere] });
    const response = await proxy(preflight('GET'));
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': elsewhere,
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': 'traceparent, x-client-key',
      vary: 'origin',
    });
    expect(sent).toEqual([]);
  });

  test('is followed by a request of which no such header reaches the service', async () => {
    const { proxy, sent } = createProxied({ origins: [elsewhere] });
    await proxy(crossOrigin('/api/v1/exams', { headers: { traceparent: '00-1', 'x-client-key': 'mine' } }));
    expect(sent.map(({ headers }) => Object.keys(headers))).toEqual([['accept', 'x-client-key']]);
  });

  test.each([
    ['that wants to write', preflight('PUT')],
    ['of an origin that is not listed', preflight('GET', 'https://evil.example.test')],
    ['of the proxy’s own origin, which needs none', pageRequest('/api/v1/exams', { method: 'OPTIONS' })],
  ])('%s is rejected', (_, request) => expectRejected(request));
});

test('a path outside `basePath` is 404, and the message names it', async () => {
  const { proxy, sent } = createProxied({ basePath: '/exam-service' });
  const [status, message] = await read(proxy(pageRequest('/api/v1/exams')));
  expect([status, message]).toEqual([404, expect.stringContaining('/exam-service')]);
  expect(sent).toEqual([]);
});

test.each([
  'https://app.example.test.evil.test',
  'http://app.example.test',
  'https://app.example.test:8443',
  'null',
])('a page of %s, which is not listed, may not read', async (from) => {
  await expectRejected(crossOrigin('/api/v1/exams', {}, from));
});
