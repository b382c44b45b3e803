import { describe, expect, test, vi } from 'vitest';
import { ConfigurationError, ExamClient, TimeoutError } from '../../../src/index.ts';
import { createClient, failure, nowhere, testKey, thrown } from '../../helpers/client.ts';
import { startService } from '../../helpers/server.ts';

/** A row for each value of each option. */
const rowsOf = (values: Readonly<Record<string, readonly unknown[]>>) =>
  Object.entries(values).flatMap(([name, wrong]) => wrong.map((value): [string, unknown] => [name, value]));

const { NaN: nan, POSITIVE_INFINITY: endless } = Number;
const badLimits = rowsOf({
  timeout: [0, -1, nan, endless, 2 ** 31, '1000', null, true],
  totalTimeout: [0, -5, nan, endless, '5'],
  maxRetries: [-1, 1.5, nan, endless, '2', null, false],
  validation: ['loose', true, null],
});

test.each([
  ...badLimits,
  ...rowsOf({
    maxRetryAfter: [-1, nan, endless, '60'],
    fetch: ['fetch', null],
    hooks: [null, 'onRequest', { onRequest: 'log' }],
    logger: [null, {}, { debug() {}, info() {} }],
    schemas: [null, { exam: {} }, { exam: null }, { examResult: { parse() {} } }],
  }),
])('%s: %j is rejected when the client is made, by a message that names it', (name, value) => {
  const options: object = { [name]: value };
  const error = thrown(() => createClient(nowhere, options), ConfigurationError);
  expect(error.name).toBe('ConfigurationError');
  expect(error.code).toBe('configuration');
  expect(error.message).toContain(`\`${name}`);
});

test.each([...badLimits, ...rowsOf({ signal: [{}, 'abort', null] })])(
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

  const baseUrls: readonly [RegExp, ...unknown[]][] = [
    [/absolute/, '/api/v1', 'h.test/api/v1', '//h.test/api/v1', 'https://', 'ftp://h.test/'],
    [/absolute/, 'file:///etc/passwd', 8080, null, { toString: () => 'https://h.test/api/v1' }],
    [/No base URL/, ''],
    [/query/, `https://h.test/api/v1?key=${testKey}`, 'https://h.test/api/v1?'],
    [/fragment/, `https://h.test/api/v1#${testKey}`, 'https://h.test/api/v1#'],
    [/credentials/, ...[`user:${testKey}`, `:${testKey}`, testKey].map((user) => `https://${user}@h.test/`)],
  ];

  test.each(baseUrls.flatMap(([message, ...wrong]) => wrong.map((baseUrl) => ({ baseUrl, message }))))(
    '$baseUrl is rejected, by a message that does not show it',
    ({ baseUrl, message }) => {
      const options: object = { baseUrl };
      const error = thrown(() => createClient(nowhere, options), ConfigurationError);
      expect(error.message).toMatch(message);
      expect(error.message).not.toContain(testKey);
    },
  );

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
  expect(await failure(client.exams.list({}, options), TimeoutError)).toMatchObject({ timeoutMs: 5 });
});

test('a platform without a global fetch is served where one is passed', () => {
  vi.stubGlobal('fetch', undefined);
  expect(createClient(nowhere, { fetch: async () => Response.json([]) })).toBeInstanceOf(ExamClient);
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
