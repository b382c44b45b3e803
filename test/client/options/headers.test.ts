import { expect, test } from 'vitest';
import { ConfigurationError, type HeadersInput } from '../../../src/index.ts';
import { createClient, failure, nowhere, testKey, thrown } from '../../helpers/client.ts';
import { startService } from '../../helpers/server.ts';

test('headers of the client go with every request, those of a call are laid over them', async () => {
  await using server = startService({ body: [] });
  const client = createClient(server, { headers: { 'X-Team': 'north', 'X-Trace': 'client' } });
  await client.exams.list({}, { headers: { 'x-trace': 'call' } });
  await client.exams.list();
  expect(server.requests.map(({ headers }) => [headers['x-team'], headers['x-trace']])).toEqual([
    ['north', 'call'],
    ['north', 'client'],
  ]);
});

test('headers may be a Headers object; in a call, undefined and null leave out those of the client', async () => {
  await using server = startService({ body: [] });
  const client = createClient(server, { headers: new Headers({ 'X-Team': 'north' }) });
  await client.exams.list();
  await client.exams.list({}, { headers: { 'X-Team': undefined, 'X-Other': undefined } });
  await client.exams.list({}, { headers: { 'X-Team': null } });
  expect(server.requests.map(({ headers }) => headers['x-team'])).toEqual(['north', undefined, undefined]);
  expect(server.requests[1]?.headers).not.toHaveProperty('x-other');
});

test('changing the given headers later does not change the client', async () => {
  await using server = startService({ body: [] });
  const headers = new Headers({ 'X-Team': 'north' });
  const client = createClient(server, { headers });
  headers.set('X-Team', 'south');
  await client.exams.list();
  expect(server.request.headers['x-team']).toBe('north');
});

test.each([
  'Accept',
  'accept',
  'Content-Type',
  'Host',
  'Content-Length',
  'Connection',
  'expect',
  'keep-alive',
  'upgrade',
  'Transfer-Encoding',
])('%s is rejected, in the client and in a call: a value of your own would not be sent', async (name) => {
  await using server = startService({ body: [] });
  for (const headers of [{ [name]: 'text/html' }, [[name, null]]] as HeadersInput[]) {
    const { message } = thrown(() => createClient(server, { headers }), ConfigurationError);
    expect(message).toContain(name);
    const call = createClient(server).exams.list({}, { headers });
    expect((await failure(call, ConfigurationError)).message).toBe(message);
  }
  expect(server.requests).toHaveLength(0);
});

test('a cookie is sent as it is', async () => {
  await using server = startService({ body: [] });
  await createClient(server, { headers: { Cookie: 'tenant=1' } }).exams.list();
  expect(server.request.headers['cookie']).toBe('tenant=1');
});

const forbidden = ['Authorization', 'authorization', 'X-Client-Key', 'x-client-key', 'X-CLIENT-KEY'];

test.each(forbidden)('%s among the headers of the client is rejected', (name) => {
  for (const headers of [{ [name]: testKey }, new Headers({ [name]: testKey })]) {
    const error = thrown(() => createClient(nowhere, { headers }), ConfigurationError);
    expect(error.message).toMatch(/`apiKey`/);
    expect(error.message).not.toContain(testKey);
  }
});

test.each(forbidden)('%s among the headers of a call is rejected before anything is sent', async (name) => {
  await using server = startService({ body: [] });
  const call = createClient(server).exams.list({}, { headers: { [name]: 'stolen' } });
  expect((await failure(call, ConfigurationError)).message).toMatch(/`apiKey`/);
  expect(server.requests).toHaveLength(0);
});

test.each([
  ['a line break in a value', { 'X-Trace': `${testKey}\r\nX-Admin: 1` }],
  ['a zero byte in a value', { 'X-Trace': `${testKey}\0` }],
  ['a value that no header can carry', { 'X-Trace': `${testKey}→` }],
  ['a blank in a name', { 'X Trace': testKey }],
  ['an empty name', { '': testKey }],
])('%s is rejected, by a message that does not show the value', (_, headers) => {
  const error = thrown(() => createClient(nowhere, { headers }), ConfigurationError);
  expect(error.message).toMatch(/`headers`/);
  expect(error.message).not.toContain(testKey);
});

test.each([
  ['null', null],
  ['a text', 'X-Trace: 1'],
  ['a number', 5],
  ['a list of lines', ['X-Trace: 1']],
  ['a list of names', [['X-Trace']]],
  ['a set', new Set([1])],
  ['bytes', new Uint8Array(2)],
])('%s is rejected as headers: only pairs are read', async (_, value) => {
  const options: object = { headers: value };
  const { message } = thrown(() => createClient(nowhere, options), ConfigurationError);
  expect(message).toMatch(/`headers`/);
  const error = await failure(createClient(nowhere).exams.list({}, options), ConfigurationError);
  expect(error.message).toBe(message);
});

test.each([
  ['a list of pairs', [['X-Trace', '1']]],
  ['a map', new Map([['X-Trace', '1']])],
])('%s is read like a Headers object, as other libraries give their headers so', async (_, value) => {
  await using server = startService({ body: [] });
  const options: object = { headers: value };
  await createClient(server, options).exams.list();
  expect(server.request.headers['x-trace']).toBe('1');
});
