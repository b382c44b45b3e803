import { inspect } from 'node:util';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type ExamClient,
  ExamServiceError,
  RateLimitError,
  UnprocessableEntityError,
} from '../../src/index.ts';
import { createClient, failure, nowhere, recordLog, rejection, testKey, thrown } from '../helpers/client.ts';
import { skipWaits } from '../helpers/fake-time.ts';
import { createGate, nextTurn } from '../helpers/gate.ts';
import {
  type Echo,
  expectNoSecret,
  importAndFail,
  inPhp,
  keys,
  printed,
  rows,
  startEchoingServer,
} from '../helpers/secrets.ts';
import { type ServiceResponse, startService } from '../helpers/server.ts';

skipWaits();

beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));

test.each([
  [422, 'unprocessable_entity'],
  [429, 'rate_limit'],
  [503, 'internal_server'],
])('a %i that echoes keys and passwords gives an error without them', async (status, code) => {
  await using server = await startEchoingServer(({ headers, body }, number) => ({
    // The first attempts fail in another way, so that all three keys have been used.
    status: number >= 3 ? status : 503,
    headers,
    body,
  }));
  const error = await importAndFail(server, code);
  // A rejection (429) that is waited for is no failed attempt.
  expect(server.requests).toHaveLength(status === 429 ? 5 : 3);
  expect(error.message).toContain('[redacted]');
  for (const value of Object.values({ ...error })) expectNoSecret(printed(value));
});

const inText = ({ text }: Echo) => text;

const notated: [string, (echo: Echo) => string][] = [
  ['JSON', ({ body }) => JSON.stringify(body)],
  ['JSON as PHP writes it', ({ body }) => inPhp(body)],
  ['text', inText],
];

test.each(notated)(
  'the body that an error keeps is as the service sent it, less the keys: %s',
  async (_, write) => {
    await using server = await startEchoingServer((echo) => ({ status: 422, body: write(echo) }));
    const error = await importAndFail(server, write === inText ? 'api' : 'unprocessable_entity');
    const kept = String(Reflect.get(error, 'body'));
    expect(kept).toContain('[redacted]');
    for (const key of keys) expect(kept).not.toContain(key);
    expect(kept).toContain('first-password-99');
    expect(Object.keys(error)).not.toContain('body');
  },
);

const otherFailures: [string, string, (echo: Echo) => ServiceResponse][] = [
  [
    'a redirect',
    'redirect',
    ({ key }) => ({ status: 307, headers: { Location: `https://h.test/${key}?k=${key}` } }),
  ],
  [
    'a page of HTML',
    'response_format',
    ({ key, text }) => ({ headers: { 'Content-Type': `text/html; ${key}` }, body: `<p>${text}` }),
  ],
  ['text instead of JSON', 'response_format', ({ text, headers }) => ({ headers, body: `{"${text}` })],
  ['a success that is none', 'response_format', ({ text }) => ({ body: { success: false, message: text } })],
];

test.each(otherFailures)('%s that echoes secrets gives an error without them', async (_, code, answer) => {
  await using server = await startEchoingServer(answer);
  await importAndFail(server, code);
});

test('a response of another shape that echoes secrets gives an error without them', async () => {
  const [key = ''] = keys;
  await using server = startService({ body: { data: { [key]: key, meta: { [key]: key }, id: 3 } } });
  const validate = () => ({ issues: [{ message: `got ${key}`, path: ['data', key] }] });
  const schemas = { exam: { '~standard': { version: 1, vendor: 'test', validate } } } as const;
  const logger = recordLog();
  const client = createClient(server, { apiKey: key, schemas, logger, logLevel: 'debug' });
  const error = await failure(client.exams.retrieve(3), ExamServiceError);
  expect(error.code).toBe('response_validation');
  expectNoSecret(printed(error));
  await client.exams.retrieve(3, { validation: 'report' });
  expectNoSecret(printed(logger.lines));
});

test('a password that begins with another one is hidden to its end', async () => {
  const [short, long] = ['spring-2026', 'spring-2026-exam'];
  await using server = startService({ status: 422, body: { message: `no: ${long}, ${short}` } });
  const row = { email: 'a@b.test', name: 'Ada' };
  const call = createClient(server).participants.import([
    { ...row, password: short },
    { ...row, password: long },
  ]);
  expect((await failure(call, ExamServiceError)).message).toContain('no: [redacted], [redacted].');
});

test('a call that fails with the 429 of another, whose body is still on its way, shows no secret of that', async () => {
  const person = { email: 'a@b.test', name: 'A', password: 'hunter2-hunter2' };
  const headers = { 'Retry-After': '100', 'X-Echo': `${testKey} hunter2-hunter2` };
  const fetch = async () => new Response(new ReadableStream(), { status: 429, headers });
  const client = createClient(nowhere, { apiKey: () => testKey, fetch });
  const controller = new AbortController();
  const sent = rejection(client.participants.import([person], { signal: controller.signal }));
  await nextTurn();
  const error = await failure(client.exams.list(), RateLimitError);
  expect(error.outcome).toBe('not_sent');
  expect(error.headers.get('x-echo')).toBe('[redacted] [redacted]');
  controller.abort();
  await sent;
});

test('a call that takes long keeps its key out of its error, although many keys were used since', async () => {
  const answer = createGate();
  await using server = startService(async ({ path, headers }) => {
    if (path !== '/exams/1') return { body: { id: 2 } };
    await answer.promise;
    return { status: 401, body: { message: `no such key: ${headers['x-client-key']}` } };
  });
  const numbers = Array.from({ length: 41 }, (_, index) => `one-time-${index}-key`).values();
  const client = createClient(server, { apiKey: () => numbers.next().value ?? '' });
  const slow = failure(client.exams.retrieve(1), ExamServiceError);
  await server.arrival(1);
  for (let call = 0; call < 40; call += 1) await client.exams.retrieve(2);
  answer.open();
  expect((await slow).message).toContain('no such key: [redacted]');
});

test('names and addresses of a row are no secrets: a rejection may quote them', async () => {
  const message = 'Ada (ada@example.test) is there already';
  await using server = startService({ status: 409, body: { message } });
  const rows = [{ email: 'ada@example.test', name: 'Ada', password: 'cedar-delta-225' }];
  const error = await failure(createClient(server).participants.import(rows), ExamServiceError);
  expect(error.message).toContain(message);
});

test.each([keys[0]?.concat('\n'), `${keys[0]} `, keys])('a rejected key is not shown', (apiKey) => {
  const options: object = { apiKey };
  const error = thrown(() => createClient(nowhere, options), ExamServiceError);
  expectNoSecret(printed(error));
});

test('a rejected import shows no password', async () => {
  const wrong = [...rows, { ...rows[0], email: '' }] as typeof rows;
  const call = createClient(nowhere).participants.import(wrong);
  expectNoSecret(printed(await failure(call, ExamServiceError)));
});

describe('what a call gives shows no key', () => {
  async function echoing<T>(run: (client: ExamClient) => Promise<T>): Promise<T> {
    const page = { data: [{ id: 1 }], current_page: 1, last_page: 2 };
    await using server = await startEchoingServer(({ headers }) => ({ headers, body: page }));
    return await run(createClient(server, { apiKey: () => keys[0] ?? '' }));
  }
  const notEchoed = (text: string) => expect(text).not.toContain(keys[0]);

  test('as a page, a promise of a page, or a result with its response', async () => {
    await echoing(async (client) => {
      const promise = client.exams.list();
      const { data, meta } = await promise.withResponse();
      for (const value of [promise, data, meta, { data, meta }]) notEchoed(printed(value));
      notEchoed([...meta.headers.values()].join());
      expect(meta.requestId).toBe('[redacted]');
    });
  });
});

test.each([
  ['the name of a field', (key: string) => ({ errors: { [key]: ['is unknown'] } })],
  [
    'a part of the path of a field',
    (key: string) => ({ errors: { [`participants.0.${key}`]: ['is unknown'] } }),
  ],
  ['a path within a message', (key: string) => ({ message: `participants.0.${key} is unknown` })],
])('a key that looks like a name is shown nowhere, echoed as %s', async (_where, bodyOf) => {
  const apiKey = 'sk_live_51Habcdefgh';
  await using server = startService([{ status: 422, body: bodyOf(apiKey) }]);
  const error = await failure(createClient(server, { apiKey }).exams.list(), ExamServiceError);
  expect(error.message).toContain('[redacted]');
  expect(inspect(error, { depth: 9 })).not.toContain(apiKey);
  expect(JSON.stringify(error)).not.toContain(apiKey);
});

test.each<[string, unknown, string]>([
  ['a number', 98765432, '98765432'],
  ['a list', ['hunter2-secret'], 'hunter2-secret'],
  ['an object', { current: { old: 'hunter2-secret' } }, 'hunter2-secret'],
])('a password that is %s is shown as little as one that is a text', async (_, password, secret) => {
  await using server = startService({
    status: 422,
    body: { message: `The password ${secret} is too weak` },
  });
  const request = { method: 'POST', path: '/x', auth: 'clientKey', body: { password } } as const;
  const error = await failure(createClient(server).request(request), ExamServiceError);
  expect(error.message).toContain('The password [redacted] is too weak');
});

test('a key in the path of a custom request is neither in the error nor in the log', async () => {
  await using server = startService({ status: 404 });
  const logger = recordLog();
  const client = createClient(server, { logger, logLevel: 'debug' });
  const path = `/keys/${testKey}/status` as const;
  const error = await failure(client.request({ method: 'GET', path, auth: 'clientKey' }), ExamServiceError);
  expect(error.message).toContain('GET /keys/[redacted]/status failed with 404');
  expect(logger.lines.length).toBeGreaterThan(1);
  expect(JSON.stringify(logger.lines)).not.toContain(testKey);
});

describe('a key with characters that every notation writes in its own way', () => {
  const apiKey = "a/b+c='d!e~f";
  const notations: [string, string][] = [
    ['as it is', apiKey],
    ['in JSON', JSON.stringify(apiKey).slice(1, -1)],
    ['in JSON as PHP writes it', inPhp(apiKey).slice(1, -1)],
    ['in a path', encodeURIComponent(apiKey)],
    ['in a query', new URLSearchParams({ k: apiKey }).toString().slice(2)],
  ];

  test.each(notations)('is not in the body that an error keeps: %s', async (_, written) => {
    await using server = startService({ status: 403, body: `{"message": "not ${written}."}` });
    const error = await failure(createClient(server, { apiKey }).exams.list(), ExamServiceError);
    expect(Reflect.get(error, 'body')).toBe('{"message": "not [redacted]."}');
  });

  test('is not in the address and the route that hooks get', async () => {
    await using server = startService({ status: 503, headers: { 'Retry-After': '0' } });
    const seen: string[] = [];
    const note = (event: { readonly route: string; readonly url?: string }) =>
      seen.push(event.route, event.url ?? '');
    const hooks = { onStart: note, onRequest: note, onResponse: note, onRetry: note, onEnd: note };
    const client = createClient(server, { apiKey, hooks, maxRetries: 1 });
    const path = `/keys/${encodeURIComponent(apiKey)}`;
    const call = client.request({ method: 'GET', path, auth: 'clientKey', query: { key: apiKey } });
    await failure(call, ExamServiceError);
    expect(server.requests).toHaveLength(2);
    expect(new Set(seen)).toEqual(
      new Set(['/keys/[redacted]', `${server.url}/keys/[redacted]?key=[redacted]`, '']),
    );
  });
});

test('what a service says at length is cut off, and cookies are left out', async () => {
  const headers = { 'Set-Cookie': 'session=1', 'X-Kept': 'yes' };
  const body = { message: 'm'.repeat(5_000), errors: { ['f'.repeat(500)]: ['wrong'] } };
  await using server = startService({ status: 422, headers, body });
  const error = await failure(createClient(server).exams.retrieve(1), UnprocessableEntityError);
  expect(error.serviceMessage).toBe(`${'m'.repeat(1_999)}…`);
  expect(Object.keys(error.fieldErrors)).toEqual([`${'f'.repeat(199)}…`]);
  expect(Object.fromEntries(error.headers)).toMatchObject({ 'x-kept': 'yes' });
  expect(error.headers.get('set-cookie')).toBeNull();
});

test.each([null, true, [null, false]])('a password of %j hides no words', async (password) => {
  await using server = startService({ status: 422, body: { message: 'It is null, true or false.' } });
  const request = { method: 'POST', path: '/x', auth: 'clientKey', body: { password } } as const;
  const error = await failure(createClient(server).request(request), UnprocessableEntityError);
  expect(error.serviceMessage).toBe('It is null, true or false.');
});
