import { describe, expect, test, vi } from 'vitest';
import {
  ConfigurationError,
  type CustomRequest,
  ExamClient,
  type RequestOptions,
  RequestValidationError,
} from '../../../src/index.ts';
import { createClient, failure, nowhere, rejection, testKey, thrown } from '../../helpers/client.ts';

const milliseconds = (least: number) => `must be a number of milliseconds from ${least} to 2147483647.`;

const ofBoth: [object, string][] = [
  [{ timeout: 0 }, `\`timeout\` ${milliseconds(1)} For no limit, pass false.`],
  [{ totalTimeout: 0 }, `\`totalTimeout\` ${milliseconds(1)} For no limit, pass false.`],
  [{ maxRetries: -1 }, '`maxRetries` must be an integer of 0 or more.'],
  [{ validation: 'loose' }, '`validation` must be one of strict, report, off.'],
  [{ fetchOptions: { signal: null } }, '`fetchOptions` must not contain `signal`, which the client decides.'],
  [
    { headers: { Authorization: 'x' } },
    '`headers` must not contain Authorization: pass the key as `apiKey`.',
  ],
  [{ headers: { 'X Y': 'x' } }, '`headers` contains "X Y", whose name or value HTTP does not allow.'],
];

describe('what is wrong with an option is reported with what is right', () => {
  test.each<[object, string]>([
    ...ofBoth,
    [{ maxRetryAfter: -1 }, `\`maxRetryAfter\` ${milliseconds(0)}`],
    [{ maxConcurrency: 0 }, '`maxConcurrency` must be a positive integer.'],
    [{ fetch: 'fetch' }, '`fetch` must be a function.'],
    [{ logger: {} }, '`logger` must be an object with the methods debug, info, warn.'],
    [{ schemas: { exam: {} } }, '`schemas.exam` must be a Standard Schema, such as a Zod or Valibot schema.'],
    [
      { baseUrl: '' },
      'No base URL: pass `baseUrl`, or set EXAM_SERVICE_BASE_URL, such as https://host/api/v1.',
    ],
    [{ baseUrl: 'h.test' }, '`baseUrl` must be an absolute http or https URL, such as https://host/api/v1.'],
    [{ baseUrl: 'https://a:b@h.test' }, '`baseUrl` must not contain credentials; pass the key as `apiKey`.'],
    [
      { baseUrl: 'https://h.test?a' },
      '`baseUrl` must not have a query or a fragment: paths are appended to it.',
    ],
    [
      { baseUrl: 'http://h.test' },
      '`baseUrl` uses plain http to h.test, which would expose the key on the network. ' +
        'Use https, or set `allowInsecureHttp: true` for a network that you trust.',
    ],
    [{ apiKey: '' }, '`apiKey` must be a non-empty string.'],
    [
      { apiKey: 'Bearer x' },
      '`apiKey` begins with "Bearer ": pass the key alone, the client adds the scheme.',
    ],
    [{ apiKey: '"k-1234567890"' }, '`apiKey` is in quotes: remove them (Docker keeps those of an env file).'],
    [
      { apiKey: 'my bearer x' },
      '`apiKey` contains a space, a line break or another character that no header can carry: call trim().',
    ],
  ])('of a client: %j', (options, reported) => {
    expect(thrown(() => createClient(nowhere, options), ConfigurationError).message).toBe(reported);
  });

  test.each<[object, string]>([
    ...ofBoth,
    [{ maxItems: 0 }, '`maxItems` must be a positive integer.'],
    [{ maxPages: 1.5 }, '`maxPages` must be a positive integer.'],
    [
      { concurrency: '2' },
      '`concurrency` must be a positive integer. It is a string: convert it with Number().',
    ],
    [{ distinct: 'id' }, '`distinct` must be `true` or a function from an item to its key.'],
    [{ distinct: false }, '`distinct` must be `true` or a function from an item to its key.'],
    [{ signal: {} }, '`signal` must be an AbortSignal.'],
  ])('of a call: %j', async (options, reported) => {
    const call = createClient(nowhere).exams.list({}, options as RequestOptions);
    expect((await failure(call, ConfigurationError)).message).toBe(reported);
  });

  test.each([
    ['a key', nowhere.url],
    ['nothing', null],
    ['a function', () => nowhere.url],
  ])('%s in place of the options is rejected with what the constructor takes', (_, given) => {
    const create = () => Reflect.construct(ExamClient, [given]);
    expect(thrown(create, ConfigurationError).message).toBe(
      'new ExamClient takes one object: { baseUrl, apiKey }.',
    );
  });

  test('a missing key names every way to give one', () => {
    vi.stubEnv('EXAM_SERVICE_API_KEY', undefined);
    expect(thrown(() => new ExamClient({ baseUrl: nowhere.url }), ConfigurationError).message).toBe(
      'No API key: pass `apiKey`, or set EXAM_SERVICE_API_KEY. Pass `apiKey: null` when a proxy adds the key.',
    );
  });

  test.each([
    [['TextDecoder'], 'TextDecoder: load a polyfill first.'],
    [['Headers', 'fetch'], 'Headers, fetch: load a polyfill first.'],
  ])('a platform without %j', (names, advice) => {
    for (const name of names) vi.stubGlobal(name, undefined);
    expect(thrown(() => new ExamClient(), ConfigurationError).message).toBe(`This platform has no ${advice}`);
  });

  test('a missing base URL and a missing key are reported together', () => {
    vi.stubEnv('EXAM_SERVICE_BASE_URL', undefined);
    vi.stubEnv('EXAM_SERVICE_API_KEY', undefined);
    expect(thrown(() => new ExamClient(), ConfigurationError).message).toBe(
      'No base URL: pass `baseUrl`, or set EXAM_SERVICE_BASE_URL, such as https://host/api/v1. ' +
        'No API key: pass `apiKey`, or set EXAM_SERVICE_API_KEY. Pass `apiKey: null` when a proxy adds the key.',
    );
  });

  test('a key in a browser page names the ways to do without', () => {
    vi.stubGlobal('window', { document: {} });
    expect(thrown(() => createClient(nowhere), ConfigurationError).message).toBe(
      'In a browser page, every visitor can read the API key. Call the service through a proxy with `apiKey: null`, ' +
        'or set `dangerouslyAllowBrowser: true` if only trusted users can open the page.',
    );
  });

  test('a key function that fails says that nothing was sent', async () => {
    const client = createClient(nowhere, { apiKey: () => Promise.reject(new Error('sealed')) });
    expect((await failure(client.exams.list(), ConfigurationError)).message).toBe(
      'The function passed as `apiKey` failed, so the request was not sent.',
    );
  });

  test('a key function that returns no key is named as the source of what is wrong', async () => {
    const client = createClient(nowhere, { apiKey: () => `${testKey} ` });
    const error = await failure(client.exams.list(), ConfigurationError);
    expect(error.message).toMatch(/^The key returned by the `apiKey` function contains a space, /);
    expect(error).toMatchObject({ outcome: 'not_sent', retryable: false });
  });
});

test('toArray and toMap without a bound say what they need', async () => {
  const list = () => createClient(nowhere).exams.list();
  const none = {} as { readonly maxItems: number };
  const needed = { code: 'configuration', message: '`maxItems` must be a positive integer.' };
  expect(await rejection(list().toArray(none))).toMatchObject(needed);
  expect(await rejection(list().toMap(({ id }) => id, none))).toMatchObject(needed);
  const object = { code: 'configuration', message: 'toArray needs the option `maxItems`.' };
  expect(await rejection(list().toArray(500 as never))).toMatchObject(object);
  expect(await rejection(list().toArray(undefined as never))).toMatchObject(object);
  const key: unknown = 'id';
  expect(await rejection(list().toMap(key as () => number, { maxItems: 5 }))).toMatchObject({
    code: 'configuration',
    message: '`keyOf` must be a function.',
  });
});

describe('a custom request', () => {
  test('that is empty is rejected with what each part must be', async () => {
    const call = createClient(nowhere).request({} as CustomRequest);
    expect((await failure(call, RequestValidationError)).issues).toEqual([
      { path: 'method', message: 'must be one of GET, POST, PUT, PATCH, DELETE' },
      { path: 'path', message: 'must start with a single slash' },
      { path: 'auth', message: 'must be one of clientKey, bearer' },
    ]);
  });

  test.each([
    ['notes', 'must start with a single slash'],
    ['//notes', 'must start with a single slash'],
    [5, 'must start with a single slash'],
    [['/notes'], 'must start with a single slash'],
    ['/notes?a=1', 'must not contain a query or a fragment; use `query`'],
    ['/notes#a', 'must not contain a query or a fragment; use `query`'],
    ['/notes\\a', 'must not contain a backslash, a space or a control character'],
    ['/notes a', 'must not contain a backslash, a space or a control character'],
    ['/notes\u0001', 'must not contain a backslash, a space or a control character'],
    ['/notes/{id}', 'must not contain braces: replace them with values'],
    ['/notes/}', 'must not contain braces: replace them with values'],
    ['/notes/..', 'must not contain the segments "." or ".."'],
    ['/./notes', 'must not contain the segments "." or ".."'],
    ['/notes/%2E%2e/a', 'must not contain the segments "." or ".."'],
    ['/notes%2f../a', 'must not contain the segments "." or ".."'],
    ['/notes/..%5Ca', 'must not contain the segments "." or ".."'],
  ])('with the path %j is rejected with what a path must be', async (path, message) => {
    const request: object = { method: 'GET', path, auth: 'bearer' };
    const error = await failure(
      createClient(nowhere).request(request as CustomRequest),
      RequestValidationError,
    );
    expect(error.message).toBe(`request: path ${message}. Nothing was sent.`);
  });

  test.each<[what: string, given: unknown[]]>([
    ['a path', ['/exams']],
    ['a method and a path', ['GET', '/exams']],
    ['nothing', []],
    ['null', [null]],
    ['a list', [['GET', '/exams']]],
  ])('given as %s is rejected with the object that it takes', async (_, given) => {
    const call = Reflect.apply(ExamClient.prototype.request, createClient(nowhere), given);
    expect((await failure(call, RequestValidationError)).issues).toEqual([
      { path: '', message: 'takes one object { method, path, auth, query?, body?, schema? }' },
    ]);
  });
});
