import { describe, expect, test } from 'vitest';
import { ConfigurationError, createProxyHandler, type ProxyOptions } from '../../src/proxy/index.ts';
import { createProxied, pageRequest } from './helpers.ts';

const valid: ProxyOptions = {
  baseUrl: 'https://exams.example.test/api/v1',
  apiKey: 'key',
  allow: ['exams.list'],
  authorize: () => true,
};

const app = 'https://app.example.test';
const anOrigin = 'must be an origin such as https://app.example.com.';

const unknown = 'Unknown name in the options of createProxyHandler: `allowed` (did you mean `allow`?).';

test.each<[name: string, options: Record<string, unknown>, message: string]>([
  ['an unknown option', { allowed: [] }, unknown],
  ['a British spelling', { authorise: () => true }, '(did you mean `authorize`?)'],
  ['no address', { baseUrl: undefined }, '`baseUrl` must be an absolute http or https URL'],
  ['plain http to another host', { baseUrl: 'http://exams.test' }, '`baseUrl` uses plain http to exams.test'],
  [
    'a host that begins like this machine',
    { baseUrl: 'http://localhost.evil.test' },
    '`baseUrl` uses plain http',
  ],
  [
    'credentials in the address',
    { baseUrl: 'https://a:b@exams.test' },
    '`baseUrl` must not contain credentials',
  ],
  ['an address in quotes', { baseUrl: '`https://exams.test`' }, '`baseUrl` is in quotes'],
  ['a key in quotes', { apiKey: "'key-1234567890'" }, '`apiKey` is in quotes'],
  ['a query in the address', { baseUrl: 'https://exams.test/?a=b' }, '`baseUrl` must not have a query'],
  ['no key', { apiKey: undefined }, '`apiKey` must be a non-empty string'],
  ['null as the key', { apiKey: null }, '`apiKey` must be a non-empty string'],
  ['a key with a line break', { apiKey: 'secret-key\n' }, '`apiKey` contains a space, a line break'],
  ['no operations', { allow: undefined }, '`allow` must be a list.'],
  ['a misspelt operation', { allow: ['exam.list'] }, '`exam.list` (did you mean `exams.list`?)'],
  ['a name of every object', { allow: ['toString'] }, 'Unknown operation in `allow[0]`: `toString`.'],
  ['an empty list of operations', { allow: [] }, '`allow` must be a list of at least one operation'],
  ['no `authorize`', { authorize: undefined }, '`authorize` must be a function.'],
  ['a path without a slash', { basePath: 'api' }, '`basePath` must be a path alone that starts with "/"'],
  ['a path with a query', { basePath: '/api?a' }, '`basePath` must be a path alone'],
  ['no time at all', { timeout: 0 }, '`timeout` must be a finite number of at least 1.'],
  ['a size in words', { maxBodyBytes: '1mb' }, '`maxBodyBytes` must be a positive integer.'],
  ['any origin', { origins: ['*'] }, `\`origins[0]\` ${anOrigin}`],
  ['a host in place of an origin', { origins: [app, 'example.com'] }, `\`origins[1]\` ${anOrigin}`],
  ['an origin that no browser sends', { origins: ['https://App.example.test:443'] }, '`origins[0]` must be'],
  ['an origin with a path', { origins: [`${app}/`] }, `\`origins[0]\` ${anOrigin}`],
  ['one origin without a list', { origins: app }, '`origins` must be a list.'],
  ['a fetch that is none', { fetch: 'fetch' }, '`fetch` must be a function.'],
])('%s is rejected when the proxy is created, with what it must be', (_, options, message) => {
  const create = () => createProxyHandler({ ...valid, ...options } as ProxyOptions);
  expect(create).toThrow(ConfigurationError);
  expect(create).toThrow(message);
  expect(create).not.toThrow('secret-key');
});

test.each([undefined, null, 'https://exams.example.test', []])(
  'createProxyHandler(%j) is a mistake of the set-up',
  (options) => {
    const create = () => createProxyHandler(options as never);
    expect(create).toThrow(ConfigurationError);
    expect(create).toThrow('createProxyHandler');
  },
);

const service = 'https://exams.example.test';

test.each([service, 'http://localhost:4010/api/v1', 'http://127.0.0.1', 'http://[::1]:80/'])(
  '%s is a valid address',
  (baseUrl) => {
    expect(createProxyHandler({ ...valid, baseUrl: new URL(baseUrl) })).toBeTypeOf('function');
  },
);

describe('the address of the service and the path of the proxy', () => {
  test.each([
    [`${service}/api/v1/`, '/api/v1', '/api/v1/exams', `${service}/api/v1/exams`],
    [service, '/', '/exams', `${service}/exams`],
    [`${service}/v1`, '/exam-service/', '/exam-service/exams', `${service}/v1/exams`],
  ])('%s and %s: %s leads to %s', async (baseUrl, basePath, target, expected) => {
    const { proxy, sent } = createProxied({ baseUrl, basePath });
    await proxy(pageRequest(target));
    expect(sent.map(({ url }) => url)).toEqual([expected]);
  });
});

test('a list that is changed later changes nothing', async () => {
  const allow: ProxyOptions['allow'][number][] = ['exams.list'];
  const { proxy, sent } = createProxied({ allow });
  allow.push('participants.list');
  expect((await proxy(pageRequest('/api/v1/participants'))).status).toBe(403);
  expect(sent).toEqual([]);
});
