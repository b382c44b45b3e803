import { expect, test } from 'vitest';
import type { CustomRequest } from '../../../src/index.ts';
import { createClient, testKey } from '../../helpers/client.ts';
import { startService } from '../../helpers/server.ts';
import { issuesOf } from './helpers.ts';

test.each([
  ['clientKey', { 'x-client-key': testKey }, 'authorization'],
  ['bearer', { authorization: `Bearer ${testKey}` }, 'x-client-key'],
] as const)('a custom request carries the key as %s', async (auth, sent, absent) => {
  await using server = startService({ body: { anything: [1] } });
  const result = await createClient(server).request({ method: 'GET', path: '/status', auth });
  expect(result).toEqual({ anything: [1] });
  expect(server.request.headers).toMatchObject({ ...sent, accept: 'application/json' });
  expect(server.request.headers).not.toHaveProperty(absent);
  expect(server.request.headers).not.toHaveProperty('content-type');
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)('%s may send a body', async (method) => {
  await using server = startService({ body: {} });
  await createClient(server).request({
    method,
    path: '/exams/3/notes',
    auth: 'clientKey',
    body: [{ a: null }],
  });
  expect(server.request).toMatchObject({ method, path: '/exams/3/notes', body: [{ a: null }] });
  expect(server.request.headers['content-type']).toBe('application/json');
});

test.each([
  ['null', null],
  ['false', false],
  ['0', 0],
  ['""', ''],
])('a body of %s is sent, as it is not the same as none', async (text, body) => {
  await using server = startService({ body: {} });
  await createClient(server).request({ method: 'POST', path: '/x', auth: 'clientKey', body });
  expect(server.request.text).toBe(text);
});

test('query parameters are escaped, repeated for lists and left out when undefined', async () => {
  await using server = startService({ body: {} });
  const query = { q: 'a b&c=d#e', tag: ['x', 'y'], none: undefined, flag: false };
  await createClient(server).request({ method: 'GET', path: '/search', auth: 'clientKey', query });
  expect(server.request.path).toBe('/search');
  expect([...server.request.query]).toEqual([
    ['q', 'a b&c=d#e'],
    ['tag', 'x'],
    ['tag', 'y'],
    ['flag', 'false'],
  ]);
});

test.each([
  ['/exams/3%2F4', '/exams/3%2F4'],
  ['/exams/é', '/exams/%C3%A9'],
  ['/exams/a..b', '/exams/a..b'],
  ['/exams/..a', '/exams/..a'],
  ['/exams/%2e%2e%2e', '/exams/%2e%2e%2e'],
  ['/exams/...', '/exams/...'],
  ['/exams/.well-known', '/exams/.well-known'],
  ['/exams/', '/exams/'],
])('the path %s is sent below the base URL', async (path, sent) => {
  await using server = startService({ body: {} });
  await createClient(server).request({ method: 'GET', path, auth: 'clientKey' });
  expect(server.request.target).toBe(`/api/v1${sent}`);
});

function rejected(request: object) {
  const complete: unknown = { method: 'GET', path: '/exams', auth: 'clientKey', ...request };
  return issuesOf((client) => client.request(complete as CustomRequest));
}

test.each(['get', 'HEAD', 'CONNECT', '', undefined, null])('the method %j is rejected', async (method) => {
  expect(await rejected({ method })).toEqual({ method: 'must be one of GET, POST, PUT, PATCH, DELETE' });
});

test.each(['none', 'Bearer', '', undefined, null])('the scheme %j is rejected', async (auth) => {
  expect(await rejected({ auth })).toEqual({ auth: 'must be one of clientKey, bearer' });
});

test('a body with GET is rejected', async () => {
  expect(await rejected({ body: {} })).toEqual({ body: 'cannot be sent with GET; use `query`' });
  expect(await rejected({ body: null })).toEqual({ body: 'cannot be sent with GET; use `query`' });
});
