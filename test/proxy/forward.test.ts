import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ExamServiceError } from '../../src/proxy/index.ts';
import { throwing } from '../helpers/client.ts';
import { never } from '../helpers/gate.ts';
import { printed } from '../helpers/secrets.ts';
import { apiKey, createProxied, json, origin, pageClient, pageRequest, read } from './helpers.ts';

const exams = () => pageRequest('/api/v1/exams');

/** A body in chunks, with a note of whether its reader has left. */
function endless(chunk: string) {
  const state = { isCancelled: false };
  const stream = new ReadableStream({
    pull: (controller) => controller.enqueue(new TextEncoder().encode(chunk)),
    cancel: () => void Object.assign(state, { isCancelled: true }),
  });
  return { stream, state };
}

describe('what comes back', () => {
  test('is the status and the body, as a type that no browser runs', async () => {
    const headers = { 'content-type': 'application/problem+json' };
    const { proxy } = createProxied({}, () => new Response('{"a":1}', { status: 422, headers }));
    const response = await proxy(exams());
    expect(response.status).toBe(422);
    expect(Object.fromEntries(response.headers)).toEqual({
      'cache-control': 'no-store',
      'content-type': 'application/json',
      'x-content-type-options': 'nosniff',
    });
    expect(await response.text()).toBe('{"a":1}');
  });

  test('is plain text where it is not JSON, so that a page of the service does not run here', async () => {
    const headers = { 'content-type': 'text/html' };
    const { proxy } = createProxied({}, () => new Response('<script>', { headers }));
    expect((await proxy(exams())).headers.get('content-type')).toBe('text/plain');
  });

  test('keeps cookies and headers of the service away, but not the request id', async () => {
    const sent = { 'set-cookie': 'a=b', server: 'nginx', 'x-client-key': apiKey, 'x-request-id': 'r-1' };
    const { proxy } = createProxied({}, () => Response.json([], { headers: sent }));
    const { headers } = await proxy(exams());
    const own = ['cache-control', 'content-type', 'x-content-type-options'];
    expect([...headers.keys()]).toEqual([...own, 'x-request-id']);
    expect(headers.get('x-request-id')).toBe('r-1');
  });

  test('may be empty', async () => {
    const { proxy } = createProxied({}, () => new Response(null, { status: 204 }));
    const response = await proxy(pageRequest('/api/v1/webhooks/4', { method: 'DELETE' }));
    expect([response.status, await response.text()]).toEqual([204, '']);
  });

  test.each<[name: string, text: string]>([
    ['as it is', apiKey],
    ['in JSON', JSON.stringify(apiKey).slice(1, -1)],
    ['in JSON as PHP writes it', JSON.stringify(apiKey).slice(1, -1).replaceAll('/', '\\/')],
    ['in an address', encodeURIComponent(apiKey)],
  ])('never holds the key, %s', async (_, text) => {
    const headers = { 'content-type': 'application/json', 'x-request-id': text };
    const body = `{"message":"Unknown key ${text}."}`;
    const { proxy } = createProxied({}, () => new Response(body, { status: 400, headers }));
    const response = await proxy(exams());
    expect(await response.text()).toContain('Unknown key [redacted]');
    expect(response.headers.get('x-request-id')).toContain('[redacted]');
  });

  test.each(['\\', '%', 'a', apiKey.slice(0, -1)])(
    'is searched for the key in one pass, also where it repeats %s',
    async (part) => {
      const text = part.repeat(2_000_000 / part.length);
      const key = 'a'.repeat(64) + apiKey;
      const { proxy } = createProxied({ apiKey: key }, () => new Response(text));
      expect((await (await proxy(exams())).text()).length).toBe(text.length);
    },
  );

  test('has each place of the key replaced, and nothing around it', async () => {
    const parts = ['{"a":"x\\n', '\\"}', '%20', '&amp;'];
    const { proxy } = createProxied({}, () => new Response(parts.join(encodeURIComponent(apiKey))));
    expect(await (await proxy(exams())).text()).toBe(parts.join('[redacted]'));
  });
});

describe('a service that fails', () => {
  test.each([301, 302, 307, 308, 304])('with %i is not followed', async (status) => {
    const headers = { location: `https://evil.test/?key=${encodeURIComponent(apiKey)}` };
    const { proxy, sent, errors } = createProxied({}, () => new Response(null, { status, headers }));
    const response = await proxy(exams());
    expect([response.status, response.headers.get('location')]).toEqual([502, null]);
    expect(await response.json()).toEqual({ message: 'The exam service redirects.' });
    expect(sent).toHaveLength(1);
    const message = expect.stringContaining('https://evil.test/?key=[redacted]');
    const facts = { name: 'ProxyError', reason: 'service_redirected', status, outcome: 'unknown' };
    expect(errors).toMatchObject([{ ...facts, message }]);
  });

  test('by not being there is 502, and what `onError` hears holds no key', async () => {
    const cause = new Error(`connect ECONNREFUSED with ${apiKey}`);
    const { proxy, errors } = createProxied({}, () => {
      throw Object.assign(new TypeError('fetch failed', { cause }), { request: { key: apiKey } });
    });
    expect(await read(proxy(exams()))).toEqual([502, 'The exam service cannot be reached.']);
    const facts = { reason: 'service_unreachable', outcome: 'unknown', retryable: true, status: null };
    const message = expect.stringContaining('connect ECONNREFUSED with [redacted]');
    const below = { message: 'fetch failed', cause: { message: 'connect ECONNREFUSED with [redacted]' } };
    expect(errors).toMatchObject([{ ...facts, message, cause: below }]);
    expect(errors[0]).toBeInstanceOf(ExamServiceError);
    expect(printed(errors)).not.toContain(apiKey);
  });

  test('by never ending its response is 502, and what exceeds 2 MB is not read', async () => {
    const { stream, state } = endless('x'.repeat(1024 * 1024));
    const { proxy, errors } = createProxied({}, () => new Response(stream));
    expect(await read(proxy(exams()))).toEqual([502, 'The exam service sent too much.']);
    expect(state.isCancelled).toBe(true);
    expect(errors).toMatchObject([{ reason: 'response_too_large', status: 200, outcome: 'unknown' }]);
  });

  test.each([401, 403])(
    'by rejecting the key with %i is 502 to the page, which need not sign in',
    async (status) => {
      const said = { message: `Invalid key ${apiKey}.` };
      const { proxy, errors } = createProxied({}, () => Response.json(said, { status }));
      expect(await read(proxy(exams()))).toEqual([502, 'The exam service rejects the key of the proxy.']);
      const body = expect.stringContaining('Invalid key [redacted].');
      const facts = { reason: 'key_rejected', status, outcome: 'rejected', retryable: false, body };
      expect(errors).toMatchObject([{ name: 'ProxyError', ...facts }]);
    },
  );

  const leak = { message: 'SQLSTATE[HY000]', password: 'of-the-database', trace: 'x'.repeat(13_000) };
  const trace = JSON.stringify(leak);

  test.each([500, 502, 503, 504, 520])(
    'with %i keeps its status, Retry-After and request id, but its body goes to `onError` alone',
    async (status) => {
      const headers = { 'retry-after': '7', 'x-request-id': 'r-1', 'content-type': 'application/json' };
      const { proxy, errors } = createProxied({}, () => new Response(trace, { status, headers }));
      const response = await proxy(exams());
      const { 'retry-after': wait, 'x-request-id': id } = Object.fromEntries(response.headers);
      expect([wait, id]).toEqual(['7', 'r-1']);
      expect(await read(Promise.resolve(response))).toEqual([status, 'The exam service failed.']);
      const outcome = status === 503 ? 'rejected' : 'unknown';
      const message = expect.stringContaining('SQLSTATE[HY000]');
      const facts = { name: 'ProxyError', reason: 'service_failed', status, operation: 'exams.list' };
      expect(errors).toMatchObject([{ ...facts, outcome, retryable: true, body: trace, message }]);
      expect(Object.keys(Object(errors[0]))).not.toContain('body');
    },
  );

  const assigning = () =>
    pageRequest('/api/v1/exam-participants/assign', json({ exam_id: 1, participant_id: 1 }));

  test.each<[what: string, body: string, headers: Record<string, string>, status: number]>([
    ['JSON', trace, {}, 503],
    ['a page with `Retry-After`', '<html>', { 'retry-after': '7' }, 503],
    ['a text in JSON', '"down"', { 'content-type': 'application/json' }, 502],
  ])(
    'with a 503 of %s says to the page whether the assignment may have taken effect',
    async (_, body, headers, status) => {
      const { proxy, errors } = createProxied({}, () => new Response(body, { status: 503, headers }));
      expect(await read(proxy(assigning()))).toEqual([status, 'The exam service failed.']);
      const outcome = status === 503 ? 'rejected' : 'unknown';
      const facts = { name: 'ProxyError', reason: 'service_failed', status: 503, body };
      expect(errors).toMatchObject([{ ...facts, outcome, retryable: status === 503 }]);
    },
  );

  test.each([
    ['application/json', 503],
    ['text/html', 502],
  ])('with a 503 of more than 2 MB goes by its content type: %s is %i', async (type, status) => {
    const init = { status: 503, headers: { 'content-type': type } };
    const { proxy } = createProxied({}, () => new Response(endless('x'.repeat(1024 * 1024)).stream, init));
    expect((await proxy(assigning())).status).toBe(status);
  });

  test('with a 5xx that is longer than 2 MB keeps its status', async () => {
    const { stream, state } = endless('x'.repeat(1024 * 1024));
    const { proxy, errors } = createProxied({}, () => new Response(stream, { status: 500 }));
    expect((await proxy(exams())).status).toBe(500);
    expect(errors).toMatchObject([{ reason: 'service_failed', body: null }]);
    expect(state.isCancelled).toBe(true);
  });

  test.each([
    ['POST to assign', '/api/v1/exam-participants/assign', json({ exam_id: 1, participant_id: 1 }), false],
    ['POST to import', '/api/v1/participants/import', json({ participants: [] }), true],
    ['PUT', '/api/v1/participants/7', json({ name: 'Ana' }, 'PUT'), true],
  ])('says whether a failed %s may be repeated', async (_, target, init, retryable) => {
    const { proxy, errors } = createProxied({}, () => new Response('', { status: 500 }));
    await proxy(pageRequest(target, init));
    expect(errors).toMatchObject([{ outcome: 'unknown', retryable }]);
  });

  test.each<[name: string, respond: () => Response | Promise<Response>]>([
    ['not responding', never],
    ['stopping in the middle', () => new Response(new ReadableStream({ pull: never }))],
  ])('by %s is 504 after the time limit, even if fetch ignores its signal', async (_, respond) => {
    const { proxy, sent, errors } = createProxied({ timeout: 20 }, respond);
    expect(await read(proxy(exams()))).toEqual([504, 'The exam service took too long.']);
    expect(sent[0]?.signal?.aborted).toBe(true);
    expect(errors).toMatchObject([{ reason: 'service_timeout', outcome: 'unknown', retryable: true }]);
  });
});

describe('a key that is a function', () => {
  test('is asked for before every request', async () => {
    const keys = ['key-1', 'key-2'];
    const { proxy, sent } = createProxied({ apiKey: async () => keys.shift() ?? '' });
    await proxy(exams());
    await proxy(exams());
    expect(sent.map(({ headers }) => headers['x-client-key'])).toEqual(['key-1', 'key-2']);
  });

  test('that never comes is 500 after the time limit', async () => {
    const { proxy, sent, errors } = createProxied({ timeout: 20, apiKey: never });
    expect(await read(proxy(exams()))).toEqual([500, 'The proxy failed.']);
    expect(errors).toMatchObject([{ reason: 'api_key_timeout', outcome: 'not_sent' }]);
    expect(sent).toEqual([]);
  });

  test.each([
    ['throws', () => Promise.reject(new Error('The vault is sealed.')), 'The vault is sealed.'],
    ['gives a line break', () => 'key\n', 'returned by the `apiKey` function contains'],
    ['gives nothing', () => '', 'returned by the `apiKey` function must be'],
  ])('fails the request with 500 when it %s', async (_, provide, message) => {
    const { proxy, sent, errors } = createProxied({ apiKey: provide });
    expect((await proxy(exams())).status).toBe(500);
    expect(printed(errors)).toContain(message);
    expect(sent).toEqual([]);
  });

  test('and fails gives `onError` a copy of its error, without the request that it holds and the key that it gave before', async () => {
    const headers = { 'X-Vault-Token': 'hvs.token-of-the-vault' };
    const below = Object.assign(new Error('sealed'), { headers });
    const failed = new Error(`cannot renew ${apiKey}`, { cause: below });
    Object.assign(failed, { code: 'ERR_BAD_RESPONSE', config: { headers } });
    const keys = [apiKey];
    const { proxy, errors } = createProxied({ apiKey: async () => keys.pop() ?? Promise.reject(failed) });
    await proxy(exams());
    expect(await read(proxy(exams()))).toEqual([500, 'The proxy failed.']);
    const message = 'cannot renew [redacted]';
    const copied = { message, code: 'ERR_BAD_RESPONSE', cause: { message: 'sealed' } };
    expect(errors).toMatchObject([{ name: 'ConfigurationError', cause: copied }]);
    expect(printed(errors)).not.toContain('hvs.');
    expect(printed(errors)).not.toContain(apiKey);
  });

  test('and throws a Response does not send it to the page', async () => {
    const { proxy, errors } = createProxied({ apiKey: () => Promise.reject(new Response('of the vault')) });
    expect(await read(proxy(exams()))).toEqual([500, 'The proxy failed.']);
    expect(errors).toMatchObject([{ name: 'ConfigurationError' }]);
  });
});

describe('a 429', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  const limited = (headers: Record<string, string>) => () =>
    Response.json({ message: 'Slow down.' }, { status: 429, headers });

  test('pauses every page for as long as the service asks, and nothing is sent meanwhile', async () => {
    const { proxy, sent } = createProxied({}, limited({ 'retry-after': '7' }));
    const first = await proxy(exams());
    expect([first.status, first.headers.get('retry-after')]).toEqual([429, '7']);
    vi.advanceTimersByTime(2_500);
    const second = await proxy(pageRequest('/api/v1/exam-results'));
    expect([second.status, second.headers.get('retry-after')]).toEqual([429, '5']);
    expect(await second.json()).toEqual({ message: 'The exam service asks to wait.' });
    expect(sent).toHaveLength(1);
    vi.advanceTimersByTime(4_500);
    await proxy(exams());
    expect(sent).toHaveLength(2);
  });

  test('without Retry-After pauses for a second', async () => {
    const { proxy, sent } = createProxied({}, limited({}));
    expect((await proxy(exams())).headers.get('retry-after')).toBe('1');
    vi.advanceTimersByTime(999);
    await proxy(exams());
    expect(sent).toHaveLength(1);
    vi.advanceTimersByTime(1);
    await proxy(exams());
    expect(sent).toHaveLength(2);
  });

  test.each([429, 503])('may be asked for with a date, in a %i', async (status) => {
    const headers = { date: new Date(0).toUTCString(), 'retry-after': new Date(40_000).toUTCString() };
    const { proxy } = createProxied({}, () => Response.json({}, { status, headers }));
    expect((await proxy(exams())).headers.get('retry-after')).toBe('40');
  });

  test('pauses for a minute at most, and then asks again', async () => {
    const { proxy, sent } = createProxied({}, limited({ 'retry-after': '86400' }));
    expect((await proxy(exams())).headers.get('retry-after')).toBe('86400');
    vi.advanceTimersByTime(60_000);
    await proxy(exams());
    expect(sent).toHaveLength(2);
  });

  test('pauses the key that it was about, and no other', async () => {
    let key = 'old-key';
    const { proxy, sent } = createProxied({ apiKey: () => key }, limited({ 'retry-after': '7' }));
    await proxy(exams());
    key = 'new-key';
    await proxy(exams());
    expect(sent).toHaveLength(2);
  });

  test('does not show a stranger the pause', async () => {
    const authorize = ({ headers }: Request) => headers.has('cookie') || null;
    const { proxy } = createProxied({ authorize }, limited({ 'retry-after': '7' }));
    await proxy(pageRequest('/api/v1/exams', { headers: { cookie: 'session=1' } }));
    expect((await proxy(exams())).status).toBe(401);
  });
});

describe('a body of a page', () => {
  const target = '/api/v1/participants/import';
  const upload = (body: ReadableStream) =>
    pageRequest(target, { ...json(''), body, duplex: 'half' } as RequestInit);

  test('beyond the limit is 413, and the rest is not read', async () => {
    const { stream, state } = endless('{"participants":[');
    const { proxy, sent } = createProxied({ maxBodyBytes: 100 });
    expect(await read(proxy(upload(stream)))).toEqual([413, 'The body is too long.']);
    expect(state.isCancelled).toBe(true);
    expect(sent).toEqual([]);
  });

  test('that does not arrive is 408', async () => {
    const { proxy, sent } = createProxied({ timeout: 20 });
    expect((await proxy(upload(new ReadableStream({ pull: never })))).status).toBe(408);
    expect(sent).toEqual([]);
  });

  test('that was read before is a mistake of the set-up', async () => {
    const { proxy, errors } = createProxied();
    const request = pageRequest(target, json({ participants: [] }));
    await request.text();
    expect((await proxy(request)).status).toBe(500);
    const message = expect.stringContaining('in front of body parsers');
    expect(errors).toMatchObject([{ name: 'ConfigurationError', message }]);
  });

  test('may be left out where all its fields may', async () => {
    const { proxy, sent } = createProxied();
    await proxy(pageRequest('/api/v1/webhooks/4/test', { method: 'POST' }));
    expect(sent[0]?.body).toBe('{}');
  });

  test('holds nothing but documented fields, in rows too', async () => {
    const { proxy, sent } = createProxied();
    const row = { email: 'ana@example.test', name: 'Ana', password: 'secret-1' };
    const admin = pageRequest(target, json({ participants: [row, { ...row, is_admin: true }] }));
    const message = '`body.participants[1]` has no `is_admin`: it takes email, name, password.';
    expect(await read(proxy(admin))).toEqual([400, message]);
    await proxy(pageRequest(target, json({ participants: [row] })));
    expect(sent.map(({ body }) => JSON.parse(String(body)))).toEqual([{ participants: [row] }]);
  });
});

test.each<[string, string, RequestInit?]>([
  ['to read', '/api/v1/exams'],
  ['to write', '/api/v1/participants/3', json({ name: 'Ada', password: 'secret-1' }, 'PUT')],
])(
  'a request %s that is given up while `authorize` decides is not sent, and ends',
  async (_, target, init) => {
    const page = new AbortController();
    const authorize = () => {
      page.abort();
      return true;
    };
    const { proxy, sent, errors } = createProxied({ authorize, timeout: 50 }, never);
    expect((await proxy(pageRequest(target, { ...init, signal: page.signal }))).status).toBe(500);
    expect([sent, errors]).toEqual([[], []]);
  },
);

test('a page that gives a request up ends the request to the service, of which nobody hears', async () => {
  const page = new AbortController();
  const { proxy, sent, errors } = createProxied({}, ({ signal }) => {
    page.abort();
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  });
  const request = new Request(`${origin}/api/v1/exams`, { signal: page.signal });
  await proxy(request);
  expect(sent[0]?.signal?.aborted).toBe(true);
  expect(errors).toEqual([]);
});

test('an `onError` that throws changes no response', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  const failure = new Error('The logger is down, too.');
  const { proxy } = createProxied({ authorize: throwing(new Error('down')), onError: throwing(failure) });
  expect((await proxy(exams())).status).toBe(500);
  await expect.poll(() => logged.mock.calls).toEqual([[failure]]);
});

describe('the client in a page', () => {
  test('reads a pause as a limit, with the wait', async () => {
    const limited = { status: 429, headers: { 'retry-after': '30' } };
    const { proxy } = createProxied({}, () => Response.json({}, limited));
    const error = { name: 'RateLimitError', retryAfterMs: 30_000 };
    // Two pages: the client of one pauses by itself.
    for (const client of [pageClient(proxy), pageClient(proxy)])
      await expect(client.exams.list()).rejects.toMatchObject(error);
  });
});
