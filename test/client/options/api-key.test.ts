import { expect, test, vi } from 'vitest';
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
  const client = createClient(server, { apiKey: () => String(left.next().value), maxRetries: 2 });
  await client.exams.list();
  expect(server.requests.map(({ headers }) => headers['x-client-key'])).toEqual(keys);
});

test('an asynchronous key function is waited for', async () => {
  await using server = startService({ body: [] });
  const gate = createGate<string>();
  const call = createClient(server, { apiKey: () => gate.promise }).exams.list();
  const settled = call.then(() => server.requests.length);
  gate.open('late-key');
  expect(await settled).toBe(1);
  expect(server.request.headers['x-client-key']).toBe('late-key');
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

const badKeys: [string, unknown][] = [
  ['an empty text', ''],
  ['a blank', ' '],
  ['a key with a line break at its end', `${testKey}\n`],
  ['a key with a carriage return', `${testKey}\r`],
  ['a key with a header in it', `${testKey}\r\nX-Admin: 1`],
  ['a key with a blank at its end', `${testKey} `],
  ['a key with a blank inside', `${testKey} ${testKey}`],
  ['a key with a tab', `${testKey}\t`],
  ['a key with a zero byte', `${testKey}\0`],
  ['a key with a letter outside ASCII', `${testKey}é`],
  ['a key in double quotes', `"${testKey}"`],
  ['a key in single quotes', `'${testKey}'`],
  ['a number', 4711],
  ['an object', { key: testKey }],
  ['true', true],
];

test.each(badKeys)('%s is rejected as a key, by a message that does not show it', (_, apiKey) => {
  const error = thrown(() => createClient(nowhere, bad({ apiKey })), ConfigurationError);
  expect(error.message).toMatch(/`apiKey`/);
  expect(error.message).not.toContain(testKey);
});

test.each([...badKeys, ['undefined', undefined], ['null', null]])(
  'a key function that returns %s fails the call before anything is sent',
  async (_, key) => {
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

test('options win over the environment', async () => {
  await using server = startService({ body: [] });
  vi.stubEnv('EXAM_SERVICE_BASE_URL', 'https://elsewhere.test');
  vi.stubEnv('EXAM_SERVICE_API_KEY', 'other-key');
  await createClient(server).exams.list();
  expect(server.request.headers['x-client-key']).toBe(testKey);
});

test('a key in quotes is rejected also where it comes from the environment', () => {
  vi.stubEnv('EXAM_SERVICE_API_KEY', `"${testKey}"`);
  const create = () => new ExamClient({ baseUrl: nowhere.url });
  expect(thrown(create, ConfigurationError).message).toMatch(/quotes/);
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

test('a key function that fails is not asked again by the same call', async () => {
  const apiKey = vi.fn(() => Promise.reject(broken));
  const client = createClient(nowhere, { apiKey, maxRetries: 3 });
  const error = await failure(client.exams.list(), ConfigurationError);
  expect(error).toMatchObject({ outcome: 'not_sent', retryable: true });
  expect(apiKey).toHaveBeenCalledTimes(1);
});

test.each<[string, () => string | Promise<string>, boolean]>([
  ['fails', () => Promise.reject(broken), true],
  ['gives no key', () => '', false],
])(
  'a key function that %s after an attempt that may have taken effect leaves that open',
  async (_, second, retryable) => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    await using server = startService({ status: 500 });
    const keys = [() => testKey, second].values();
    const client = createClient(server, { apiKey: () => keys.next().value?.() ?? '', maxRetries: 2 });
    const error = await failure(client.participants.update(3, { name: 'Ada' }), ConfigurationError);
    expect(error).toMatchObject({ outcome: 'unknown', retryable });
    expect(server.requests).toHaveLength(1);
  },
);

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
