import { describe, expect, test, vi } from 'vitest';
import { ConfigurationError, ExamClient, TimeoutError } from '../../../src/index.ts';
import { createClient, failure, nowhere, testKey, thrown } from '../../helpers/client.ts';
import { startService } from '../../helpers/server.ts';

const badLimits: [string, unknown][] = [
  ['timeout', 0],
  ['timeout', -1],
  ['timeout', Number.NaN],
  ['timeout', Number.POSITIVE_INFINITY],
  ['timeout', 2 ** 31],
  ['timeout', '1000'],
  ['timeout', null],
  ['timeout', true],
  ['totalTimeout', 0],
  ['totalTimeout', -5],
  ['totalTimeout', Number.NaN],
  ['totalTimeout', Number.POSITIVE_INFINITY],
  ['totalTimeout', '5'],
  ['maxRetries', -1],
  ['maxRetries', 1.5],
  ['maxRetries', Number.NaN],
  ['maxRetries', Number.POSITIVE_INFINITY],
  ['maxRetries', '2'],
  ['maxRetries', null],
  ['maxRetries', false],
  ['validation', 'loose'],
  ['validation', true],
  ['validation', null],
];

test.each([
  ...badLimits,
  ['maxRetryAfter', -1],
  ['maxRetryAfter', Number.NaN],
  ['maxRetryAfter', Number.POSITIVE_INFINITY],
  ['maxRetryAfter', '60'],
  ['fetch', 'fetch'],
  ['fetch', null],
  ['hooks', null],
  ['hooks', 'onRequest'],
  ['hooks', { onRequest: 'log' }],
  ['logger', null],
  ['logger', {}],
  ['logger', { debug() {}, info() {}, warn() {} }],
  ['schemas', null],
  ['schemas', { exam: {} }],
  ['schemas', { exam: null }],
  ['schemas', { examResult: { parse() {} } }],
])('%s: %j is rejected when the client is made, by a message that names it', (name, value) => {
  const options: object = { [name]: value };
  const error = thrown(() => createClient(nowhere, options), ConfigurationError);
  expect(error.name).toBe('ConfigurationError');
  expect(error.code).toBe('configuration');
  expect(error.message).toContain(`\`${name}`);
});

test.each([...badLimits, ['signal', {}], ['signal', 'abort'], ['signal', null]])(
  '%s: %j is rejected for one call, and nothing is sent',
  async (name, value) => {
    await using server = startService({ body: [] });
    const options: object = { [name]: value };
    const call = createClient(server).exams.list({}, options);
    expect((await failure(call, ConfigurationError)).message).toContain(`\`${name}\``);
    expect(server.requests).toHaveLength(0);
  },
);

test.each([
  { timeout: false, totalTimeout: false, maxRetries: 0, maxRetryAfter: 0 },
  { timeout: 1, totalTimeout: 2 ** 31 - 1, maxRetries: 100, maxRetryAfter: 2 ** 31 - 1 },
  { timeout: 0.5 + 1, schemas: {}, hooks: {}, logLevel: 'debug', validation: 'off' },
  { timeout: undefined, hooks: { onRequest: undefined }, schemas: { exam: undefined }, logger: undefined },
])('%o is accepted', (options: object) => {
  expect(createClient(nowhere, options)).toBeInstanceOf(ExamClient);
});

describe('base URL', () => {
  test('may be a URL of another realm, which is no instance of this one', () => {
    // As under Jest, whose pages have a URL of their own.
    class PageUrl {
      readonly [Symbol.toStringTag] = 'URL';
      toString() {
        return nowhere.url;
      }
    }
    expect(createClient(nowhere, { baseUrl: new PageUrl() as object as URL })).toBeInstanceOf(ExamClient);
  });

  test.each([
    ['relative', '/api/v1', /absolute/],
    ['without a scheme', 'h.test/api/v1', /absolute/],
    ['protocol-relative', '//h.test/api/v1', /absolute/],
    ['not a URL', 'https://', /absolute/],
    ['of another scheme', 'ftp://h.test/', /absolute/],
    ['a file', 'file:///etc/passwd', /absolute/],
    ['a number', 8080, /absolute/],
    ['null', null, /absolute/],
    ['an object that only reads like one', { toString: () => 'https://h.test/api/v1' }, /absolute/],
    ['empty', '', /No base URL/],
    ['with a query', `https://h.test/api/v1?key=${testKey}`, /query/],
    ['with an empty query', 'https://h.test/api/v1?', /query/],
    ['with a fragment', `https://h.test/api/v1#${testKey}`, /fragment/],
    ['with an empty fragment', 'https://h.test/api/v1#', /fragment/],
    ['with credentials', `https://user:${testKey}@h.test/api/v1`, /credentials/],
    ['with a password', `https://:${testKey}@h.test/api/v1`, /credentials/],
    ['with a user name', `https://${testKey}@h.test/api/v1`, /credentials/],
  ])('%s is rejected, by a message that does not show it', (_, baseUrl, message) => {
    const options: object = { baseUrl };
    const error = thrown(() => createClient(nowhere, options), ConfigurationError);
    expect(error.message).toMatch(message);
    expect(error.message).not.toContain(testKey);
  });

  test.each([
    'http://h.test/api/v1',
    'http://192.168.0.10/api',
    'http://10.0.0.1',
    'http://[::2]/api',
    'http://[::ffff:8.8.8.8]/api',
    'http://0.0.0.0/api',
    'http://localhost.evil.test/api',
    'http://127.0.0.1.evil.test/api',
    'http://evil-localhost/api',
    'HTTP://H.TEST/api/v1',
  ])('plain http to %s is rejected unless it is allowed', (baseUrl) => {
    expect(thrown(() => createClient(nowhere, { baseUrl }), ConfigurationError).message).toMatch(
      /plain http.+`allowInsecureHttp: true`/,
    );
    expect(createClient(nowhere, { baseUrl, allowInsecureHttp: true })).toBeInstanceOf(ExamClient);
  });

  test.each([
    'http://localhost:3000/api/v1',
    'http://LOCALHOST/api',
    'http://exam.localhost/api',
    'http://127.0.0.1:8080',
    'http://127.8.9.10/api',
    'http://[::1]:3000/api',
    'https://h.test',
  ])('%s is accepted', (baseUrl) => {
    expect(createClient(nowhere, { baseUrl })).toBeInstanceOf(ExamClient);
  });

  test.each(['https://h.test/api', 'https://h.test/api/', 'https://h.test/api///'])(
    '%s is joined to a path by a single slash',
    async (baseUrl) => {
      const sent: string[] = [];
      const fetch = async (url: string) => {
        sent.push(url);
        return Response.json([]);
      };
      await createClient(nowhere, { baseUrl, fetch }).exams.list();
      expect(sent).toEqual(['https://h.test/api/exams']);
    },
  );
});

test('maxConcurrency may be without a limit, as it is by default', async () => {
  await using server = startService({ body: [] });
  const client = createClient(server, { maxConcurrency: Number.POSITIVE_INFINITY });
  expect((await client.exams.list()).data).toEqual([]);
});

test('options of a call may be a module that exports them', async () => {
  const options = Object.assign(Object.create({ [Symbol.toStringTag]: 'Module' }), { timeout: 5 });
  const client = createClient(nowhere, { fetch: () => new Promise(() => {}) });
  expect(await failure(client.exams.list({}, options), TimeoutError)).toMatchObject({ timeout: 5 });
});

test.each(['', ' '])('a text that is no number is not called one: %j', (timeout) => {
  const error = thrown(() => createClient(nowhere, { timeout } as never), ConfigurationError);
  expect(error.message).toContain('`timeout` must be a number of milliseconds');
  expect(error.message).not.toContain('Number()');
});

test.each(['allowInsecureHttp', 'dangerouslyAllowBrowser'])('%s is true or false', (name) => {
  const { message } = thrown(() => createClient(nowhere, { [name]: 'yes' }), ConfigurationError);
  expect(message).toBe(`\`${name}\` must be true or false.`);
});

describe('in a browser page', () => {
  const openPage = () => vi.stubGlobal('window', { document: {} });

  test.each([
    ['key', testKey],
    ['key function', () => testKey],
  ])('a %s is rejected', (_, apiKey) => {
    openPage();
    const { message } = thrown(() => createClient(nowhere, { apiKey }), ConfigurationError);
    expect(message).toMatch(/browser.+`dangerouslyAllowBrowser: true`/);
    expect(message).not.toContain(testKey);
  });

  test('a key is accepted with the flag that says that this is dangerous', () => {
    openPage();
    expect(createClient(nowhere, { dangerouslyAllowBrowser: true })).toBeInstanceOf(ExamClient);
  });

  test('a client without a key needs no flag', () => {
    openPage();
    expect(createClient(nowhere, { apiKey: null })).toBeInstanceOf(ExamClient);
  });

  test('a window without a document, as some servers define it, is no page', () => {
    vi.stubGlobal('window', {});
    expect(createClient(nowhere)).toBeInstanceOf(ExamClient);
  });
});

describe('a platform that lacks what the client uses', () => {
  test.each(['URL', 'AbortController', 'fetch'])('is reported by the constructor: %s', (name) => {
    vi.stubGlobal(name, undefined);
    const make = () => new ExamClient({ baseUrl: 'https://h.test', apiKey: 'k' });
    expect(thrown(make, ConfigurationError).message).toContain(name);
  });

  test('does not need a global fetch where one is passed', () => {
    vi.stubGlobal('fetch', undefined);
    const fetch = async () => Response.json([]);
    expect(() => new ExamClient({ baseUrl: 'https://h.test', apiKey: 'k', fetch })).not.toThrow();
  });
});
