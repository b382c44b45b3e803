import { readFile } from 'node:fs/promises';
import { describe, expect, test, vi } from 'vitest';
import {
  ConfigurationError,
  ExamClient,
  ExamServiceError,
  type Fetch,
  type OnRetryEvent,
  PermissionDeniedError,
  RateLimitError,
  type StandardSchema,
} from '../../../src/index.ts';
import { createClient, failure, nowhere, recordLog, testKey, thrown } from '../../helpers/client.ts';
import { createGate, nextTurn } from '../../helpers/gate.ts';
import { startService } from '../../helpers/server.ts';

describe('withOptions', () => {
  test('gives a client that differs in these options alone, and leaves the first as it was', async () => {
    await using server = startService({ body: [] });
    const retries: OnRetryEvent[] = [];
    const first = createClient(server, {
      headers: { 'X-Team': 'north' },
      hooks: { onRetry: (event) => retries.push(event) },
    });
    const second = first.withOptions({ headers: { 'X-Trace': '1' }, timeout: undefined });
    await second.exams.list();
    await first.exams.list();
    const [derived, original] = server.requests;
    expect(derived?.headers).toMatchObject({ 'x-client-key': testKey, 'x-trace': '1' });
    expect(derived?.headers).not.toHaveProperty('x-team');
    expect(original?.headers).toMatchObject({ 'x-client-key': testKey, 'x-team': 'north' });
    expect(original?.headers).not.toHaveProperty('x-trace');
  });

  test('keeps options that the client was given by a class, and the hooks of then', async () => {
    await using server = startService({ status: 500 });
    class Settings {
      readonly baseUrl = server.url;
      readonly fetch = server.fetch;
      readonly apiKey = testKey;
      readonly hooks = [{}];
      get maxRetries() {
        return 0;
      }
    }
    const settings = new Settings();
    const first = new ExamClient(settings);
    const late: unknown[] = [];
    settings.hooks.push({ onEnd: (event: unknown) => late.push(event) });
    const error = await failure(first.withOptions({ timeout: 5_000 }).exams.list(), ExamServiceError);
    expect(error).toMatchObject({ status: 500, attempts: 1 });
    expect(late).toEqual([]);
  });

  test('keeps what the client was made of, whatever becomes of the environment and of its objects', async () => {
    await using server = startService({ body: [] });
    vi.stubEnv('EXAM_SERVICE_API_KEY', testKey);
    vi.stubEnv('EXAM_SERVICE_BASE_URL', server.url);
    const headers = { 'X-Team': 'north' };
    const first = createClient(server, { apiKey: undefined, baseUrl: undefined, headers });
    vi.unstubAllEnvs();
    headers['X-Team'] = 'south';
    await first.withOptions({ timeout: 5_000 }).exams.list();
    expect(server.request.headers).toMatchObject({ 'x-client-key': testKey, 'x-team': 'north' });
  });

  test('keeps headers given as a Headers object, and one that was left out stays out', async () => {
    await using server = startService({ body: [] });
    const headers = new Headers({ 'X-Team': 'north' });
    await createClient(server, { headers }).withOptions({}).exams.list();
    await createClient(server, { headers: { 'User-Agent': null } })
      .withOptions({})
      .exams.list();
    expect(server.requests[0]?.headers['x-team']).toBe('north');
    expect(server.requests[1]?.headers).not.toHaveProperty('user-agent');
  });

  test('merges schemas by name: those that are not replaced still read their records', async () => {
    await using server = startService({ body: { id: 3, name: 'Algebra' } });
    const text = (prefix: string): StandardSchema<string> => ({
      '~standard': {
        version: 1,
        vendor: 'tests',
        validate: (value) => ({ value: prefix + Object(value).name }),
      },
    });
    const first = createClient(server).withOptions({
      schemas: { exam: text('1 '), participant: text('1 ') },
    });
    const second = first.withOptions({ schemas: { exam: text('2 '), participant: undefined } });
    expect(await second.exams.retrieve(3)).toBe('2 Algebra');
    expect(await second.participants.retrieve(3)).toBe('1 Algebra');
    expect(await second.withOptions({ timeout: 5_000 }).exams.retrieve(3)).toBe('2 Algebra');
    expect(await second.withOptions({ schemas: {} }).participants.retrieve(3)).toBe('1 Algebra');
    expect(await first.exams.retrieve(3)).toBe('1 Algebra');
  });

  test.each([null, undefined, 'fast'])('rejects %s in place of options', (given) => {
    const options: unknown = given;
    const act = () => createClient(nowhere).withOptions(options as object);
    expect(thrown(act, ConfigurationError).message).toBe(
      'withOptions takes one object: { timeout }, for example.',
    );
  });

  test('rejects what the constructor rejects', () => {
    const client = createClient(nowhere);
    const unknown: object = { baseURL: nowhere.url };
    expect(thrown(() => client.withOptions(unknown), ConfigurationError).message).toContain('`baseUrl`');
    expect(() => client.withOptions({ timeout: -1 })).toThrow(ConfigurationError);
  });
});

describe('of clients made by withOptions', () => {
  const limited: Fetch = async () => new Response('{}', { status: 429, headers: { 'Retry-After': '2' } });
  const listed: Fetch = async () => new Response('[]');

  test.each<[string, object, number]>([
    ['the pause is shared', { timeout: 5_000 }, 2_000],
    ['the pause is shared also with a maxConcurrency of its own', { maxConcurrency: 3 }, 2_000],
    ['the pause is not shared with another key', { apiKey: 'other-key-1' }, 0],
    ['the pause is not shared with another base URL', { baseUrl: 'https://other.test/api' }, 0],
  ])('%s', async (_, options, heldBack) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const first = createClient(nowhere, { fetch: limited });
    const fetch = vi.fn(listed);
    const second = first.withOptions({ ...options, fetch });
    await failure(first.exams.list(), RateLimitError);
    const listing = second.exams.list();
    if (heldBack > 0) {
      await vi.advanceTimersByTimeAsync(heldBack - 1);
      expect(fetch).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
    }
    await listing;
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  test('maxConcurrency counts the requests of both', async () => {
    const gate = createGate();
    const fetch = vi.fn<Fetch>(async () => {
      await gate.promise;
      return new Response('[]');
    });
    const first = createClient(nowhere, { fetch, maxConcurrency: 1 });
    const calls = [first.exams.list(), first.withOptions({ timeout: 9_000 }).exams.list()];
    await nextTurn();
    expect(fetch).toHaveBeenCalledTimes(1);
    const separate = first.withOptions({ apiKey: 'other-key-1' }).exams.list();
    await nextTurn();
    expect(fetch).toHaveBeenCalledTimes(2);
    gate.open();
    await Promise.all([...calls, separate]);
    expect(fetch).toHaveBeenCalledTimes(3);
  });
});

describe('with a key of null', () => {
  const token = 'proxy-token-5d21';

  test('an Authorization of the caller is sent, for a proxy, from the client, the call or a hook', async () => {
    await using server = startService({ body: [] });
    const headers = { Authorization: `Basic ${token}` };
    await createClient(server, { apiKey: null, headers }).exams.list();
    await createClient(server, { apiKey: null }).exams.list({}, { headers });
    const hooks = {
      onRequest: ({ headers: sent }: { headers: Headers }) => sent.set('Authorization', 'x y'),
    };
    await createClient(server, { apiKey: null, hooks }).exams.list();
    expect(server.requests.map((request) => request.headers.authorization)).toEqual([
      `Basic ${token}`,
      `Basic ${token}`,
      'x y',
    ]);
  });

  test('an X-Client-Key stays rejected, and a hook cannot set one either', async () => {
    await using server = startService({ body: [] });
    const headers = { 'X-Client-Key': 'mine' };
    expect(() => createClient(server, { apiKey: null, headers })).toThrow(ConfigurationError);
    const client = createClient(server, {
      apiKey: null,
      hooks: { onRequest: ({ headers: sent }) => sent.set('X-Client-Key', 'mine') },
    });
    await failure(client.exams.list({}, { headers }), ConfigurationError);
    await client.exams.list();
    expect(server.request.headers).not.toHaveProperty('x-client-key');
  });

  test('an Authorization of the caller is hidden wherever the service echoes it', async () => {
    await using server = startService(({ headers }) => ({
      status: 403,
      headers: { 'X-Echo': String(headers.authorization) },
      body: { message: `No: ${headers.authorization}` },
    }));
    const logger = recordLog();
    const headers = { Authorization: `Bearer ${token}` };
    const client = createClient(server, { apiKey: null, headers, logger, logLevel: 'debug' });
    const error = await failure(client.exams.list(), ExamServiceError);
    expect(JSON.stringify([error.message, error, [...Object(error).headers], logger.lines])).not.toContain(
      token,
    );
  });

  test('an Authorization without a credential hides nothing of what the service says', async () => {
    await using server = startService({ status: 403, body: { message: 'No.' } });
    const client = createClient(server, { apiKey: null, headers: { Authorization: '' } });
    const error = await failure(client.exams.list(), PermissionDeniedError);
    expect([error.serviceMessage, error.body]).toEqual(['No.', '{"message":"No."}']);
  });

  test('a key that is given later takes the place of that Authorization', () => {
    const client = createClient(nowhere, { apiKey: null, headers: { Authorization: `Bearer ${token}` } });
    const error = thrown(() => client.withOptions({ apiKey: testKey }), ConfigurationError);
    expect(error.message).toContain('`headers` must not contain Authorization');
    expect(() => client.withOptions({ apiKey: testKey, headers: {} })).not.toThrow();
  });
});

describe('the User-Agent', () => {
  test('names the package and its version, as in package.json', async () => {
    await using server = startService({ body: [] });
    await createClient(server).exams.list();
    const { version } = JSON.parse(await readFile('package.json', 'utf8'));
    expect(server.request.headers['user-agent']).toBe(`exam-service-sdk/${version}`);
  });

  test('of the user wins, from the client as from the call', async () => {
    await using server = startService({ body: [] });
    const client = createClient(server, { headers: { 'User-Agent': 'registrar/2' } });
    await client.exams.list();
    await client.exams.list({}, { headers: { 'user-agent': 'job/1' } });
    expect(server.requests.map(({ headers }) => headers['user-agent'])).toEqual(['registrar/2', 'job/1']);
  });

  test.each<[string, () => void]>([
    ['a page', () => vi.stubGlobal('window', { document: {} })],
    ['a worker of a page', () => vi.stubGlobal('process', undefined)],
  ])('is left to the browser in %s', async (_, enter) => {
    const sent: Record<string, string>[] = [];
    enter();
    const fetch: Fetch = async (_url, { headers }) => {
      sent.push(headers);
      return new Response('[]');
    };
    await createClient(nowhere, { apiKey: null, fetch }).exams.list();
    expect(sent).toEqual([{ accept: 'application/json' }]);
  });
});
