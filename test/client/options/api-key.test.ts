import { describe, expect, test, vi } from 'vitest';
import { ConfigurationError, ConnectionError, ExamClient } from '../../../src/index.ts';
import {
  createClient,
  failure,
  nowhere,
  rejection,
  testKey,
  throwing,
  thrown,
} from '../../helpers/client.ts';
import { createGate, nextTurn } from '../../helpers/gate.ts';
import { startServer, startService } from '../../helpers/server.ts';

const retryAtOnce = { status: 503, headers: { 'Retry-After': '0' } };

test('a key function is asked before every attempt, so that a rotated key is used for the next one', async () => {
  await using server = startService([retryAtOnce, retryAtOnce, { body: [] }]);
  const keys = ['rotating-1', 'rotating-2', 'rotating-3'];
  const left = keys.values();
  const client = createClient(server, { apiKey: async () => String(left.next().value), maxRetries: 2 });
  await client.exams.list();
  expect(server.requests.map(({ headers }) => headers['x-client-key'])).toEqual(keys);
});

test('a key that comes when its call has been given up sends nothing, and calls no hook', async () => {
  const stop = new AbortController();
  const gate = createGate<string>();
  const fetch = vi.fn(async () => Response.json([]));
  const onRequest = vi.fn();
  const client = createClient(nowhere, { apiKey: () => gate.promise, fetch, hooks: { onRequest } });
  const call = rejection(client.exams.list({}, { signal: stop.signal }));
  await nextTurn();
  stop.abort('enough');
  expect(await call).toBe('enough');
  gate.open('late-key');
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  expect([fetch, onRequest].map(({ mock }) => mock.calls)).toEqual([[], []]);
});

const broken = new Error('vault sealed');

test.each([
  ['throws', throwing(broken)],
  ['rejects', () => Promise.reject(broken)],
])(
  'a key function that %s fails the call with its error as cause, and nothing is sent',
  async (_, apiKey) => {
    await using server = startService({ body: [] });
    const error = await failure(
      createClient(server, { apiKey, maxRetries: 3 }).exams.list(),
      ConfigurationError,
    );
    expect(error.cause).toMatchObject({ name: broken.name, message: broken.message });
    expect(error.code).toBe('configuration');
    expect(server.requests).toHaveLength(0);
  },
);

const badKeys: readonly unknown[] = [
  ...['', ' ', 4711, { key: testKey }, true, `${testKey} ${testKey}`],
  ...['\n', '\r', '\r\nX-Admin: 1', ' ', '\t', '\0', 'é'].map((end) => testKey + end),
];

test.each(badKeys)('%j is rejected as a key, by a message that does not show it', (apiKey) => {
  const error = thrown(() => createClient(nowhere, bad({ apiKey })), ConfigurationError);
  expect(error.message).toMatch(/`apiKey`/);
  expect(error.message).not.toContain(testKey);
});

test.each([...badKeys, undefined, null])(
  'a key function that returns %j fails the call before anything is sent',
  async (key) => {
    await using server = startService({ body: [] });
    const client = createClient(server, bad({ apiKey: () => key }));
    const error = await failure(client.exams.list(), ConfigurationError);
    expect(error.message).toMatch(/returned by the `apiKey` function/);
    expect(error.message).not.toContain(testKey);
    expect(server.requests).toHaveLength(0);
  },
);

test('a key function is not asked while the client is made', () => {
  const apiKey = vi.fn(() => testKey);
  createClient(nowhere, { apiKey });
  expect(apiKey).not.toHaveBeenCalled();
});

test('with a key of null, neither header is sent', async () => {
  await using server = startService({ body: { data: [], meta: [] } });
  vi.stubEnv('EXAM_SERVICE_API_KEY', testKey);
  const client = createClient(server, { apiKey: null });
  await client.exams.list();
  await client.webhooks.list();
  expect(server.requests).toHaveLength(2);
  for (const { headers } of server.requests) {
    expect(headers).not.toHaveProperty('x-client-key');
    expect(headers).not.toHaveProperty('authorization');
  }
});

test('key and base URL come from the environment where the options are silent', async () => {
  await using server = await startServer({ body: [] });
  vi.stubEnv('EXAM_SERVICE_BASE_URL', server.url);
  vi.stubEnv('EXAM_SERVICE_API_KEY', `${testKey}\n`);
  await new ExamClient().exams.list();
  expect(server.request.headers['x-client-key']).toBe(testKey);
});

describe.each(['"', "'", '`'])('a value between %s, as an env file leaves it,', (mark) => {
  const quoted = (value: string) => mark + value + mark;
  const key = quoted(testKey);
  const address = quoted('https://h.test/api/v1');

  test.each<[string, string, object, Readonly<Record<string, string>>]>([
    ['`apiKey`', 'an option', { apiKey: key }, {}],
    ['`apiKey`', 'a variable', { apiKey: undefined }, { EXAM_SERVICE_API_KEY: key }],
    ['`baseUrl`', 'an option', { baseUrl: address }, {}],
    ['`baseUrl`', 'a variable', { baseUrl: undefined }, { EXAM_SERVICE_BASE_URL: address }],
  ])('is rejected as %s of %s when the client is made', (name, _, options, variables) => {
    for (const [variable, value] of Object.entries(variables)) vi.stubEnv(variable, value);
    const { message } = thrown(() => createClient(nowhere, options), ConfigurationError);
    expect(message).toContain(`${name} is in quotes`);
    expect(message).not.toContain(testKey);
  });

  test('is rejected as what a key function returns, and nothing is sent', async () => {
    await using server = startService({ body: [] });
    const call = createClient(server, { apiKey: () => key }).exams.list();
    expect((await failure(call, ConfigurationError)).message).toMatch(/`apiKey` function is in quotes/);
    expect(server.requests).toHaveLength(0);
  });
});

test('options win over the environment', async () => {
  await using server = startService({ body: [] });
  vi.stubEnv('EXAM_SERVICE_BASE_URL', 'https://elsewhere.test');
  vi.stubEnv('EXAM_SERVICE_API_KEY', 'other-key');
  await createClient(server).exams.list();
  expect(server.request.headers['x-client-key']).toBe(testKey);
});

test.each(['', ' \n'])('a variable that holds nothing (%j) counts as absent', (value) => {
  vi.stubEnv('EXAM_SERVICE_BASE_URL', value);
  vi.stubEnv('EXAM_SERVICE_API_KEY', value);
  const baseUrl = 'https://h.test/api/v1';
  expect(thrown(() => new ExamClient({ baseUrl }), ConfigurationError).message).toMatch(
    /No API key.+EXAM_SERVICE_API_KEY/,
  );
  expect(thrown(() => new ExamClient({ apiKey: testKey }), ConfigurationError).message).toMatch(
    /No base URL.+EXAM_SERVICE_BASE_URL/,
  );
});

test('a platform without a process has no environment to read', () => {
  vi.stubGlobal('process', undefined);
  expect(thrown(() => new ExamClient({ apiKey: testKey }), ConfigurationError).message).toMatch(
    /No base URL/,
  );
});

test('a platform that throws at every look at its process is one without', () => {
  const reject = throwing(new Error('A Node.js API is used'));
  vi.stubGlobal('process', new Proxy({}, { get: reject }));
  expect(() => new ExamClient({ baseUrl: 'https://h.test/api/v1', apiKey: testKey })).not.toThrow();
});

test('a failed call asks for no further key', async () => {
  const apiKey = vi.fn(() => testKey);
  const client = createClient(nowhere, {
    apiKey,
    maxRetries: 0,
    fetch: () => Promise.reject(new TypeError('fetch failed')),
  });
  expect(await rejection(client.exams.list())).toBeInstanceOf(ConnectionError);
  expect(apiKey).toHaveBeenCalledTimes(1);
});

/** Options as plain JavaScript may pass them. */
function bad(options: object): object {
  return options;
}
