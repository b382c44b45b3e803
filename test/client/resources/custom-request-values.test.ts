import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { CustomRequest } from '../../../src/index.ts';
import { createClient } from '../../helpers/client.ts';
import { startService } from '../../helpers/server.ts';
import { issuesOf } from './helpers.ts';

const get = { method: 'GET', path: '/search', auth: 'clientKey' } as const;
const post = { method: 'POST', path: '/notes', auth: 'clientKey' } as const;

const rejected = (request: object) => issuesOf((client) => client.request(request as CustomRequest));

const simple = 'must be a string, a number, true or false, or a list of these';

describe('in a query', () => {
  test.each([
    ['an object', { name: 'sari' }],
    ['an empty object', {}],
    ['a date', new Date(0)],
    ['null', null],
    ['NaN', Number.NaN],
    ['an infinite number', Number.POSITIVE_INFINITY],
    ['a bigint', 1n],
    ['a symbol', Symbol('x')],
    ['a function', () => 'x'],
    ['a list that holds null', ['a', null]],
    ['a list that holds a date', [new Date(0)]],
    ['a list in a list', [['a']]],
  ])('%s is rejected, by the name of its parameter', async (_, filter) => {
    expect(await rejected({ ...get, query: { q: 'x', filter } })).toEqual({ 'query.filter': simple });
  });
});

test.each([
  ['a list', ['a', 'b']],
  ['a list of pairs', [['q', 'x']]],
  ['a map', new Map([['q', 'x']])],
  ['headers', new Headers({ q: 'x' })],
  ['a form', new FormData()],
  ['a date', new Date(0)],
  ['a text', '?q=x'],
  ['a number', 5],
  ['null', null],
])('%s as the query is rejected, as it would be sent as something else or not at all', async (_, query) => {
  expect(await rejected({ ...get, query })).toEqual({ query: 'must be a plain object or a URLSearchParams' });
});

test('a URLSearchParams is sent with all its values', async () => {
  await using server = startService({ body: {} });
  const query = new URLSearchParams('q=a%20b&tag=x&tag=y&empty=');
  await createClient(server).request({ ...get, query });
  expect([...server.request.query]).toEqual([...query]);
});

test('changing query and body after the call changes nothing', async () => {
  await using server = startService({ body: {} });
  const [query, body] = [new URLSearchParams('a=1'), { note: 'first' }];
  const call = createClient(server).request({ ...post, query, body });
  query.set('a', '2');
  body.note = 'second';
  await call;
  expect(server.request).toMatchObject({ target: '/api/v1/notes?a=1', body: { note: 'first' } });
});

const form = new FormData();
form.set('name', 'Ada');

const cycle: Record<string, unknown> = {};
cycle['self'] = cycle;

/** What JSON drops, or makes `{}`, null or something worse of. */
const foreign: [string, unknown][] = [
  ['NaN', Number.NaN],
  ['an infinite number', Number.NEGATIVE_INFINITY],
  ['a bigint', 1n],
  ['a symbol', Symbol('x')],
  ['a function', () => 5],
  ['an invalid date', new Date(Number.NaN)],
  ['a cut emoji', '🦉'.slice(0, 1)],
  ['a form', form],
  ['URL parameters', new URLSearchParams('a=1')],
  ['a blob', new Blob(['text'])],
  ['a file', new File(['text'], 'a.txt')],
  ['a web stream', new ReadableStream()],
  ['a Node stream', Readable.from(['text'])],
  ['an old stream, with pipe alone', { pipe() {} }],
  ['a generator', (async function* () {})()],
  ['bytes', new Uint8Array([1])],
  ['an ArrayBuffer', new ArrayBuffer(1)],
  ['a map', new Map([['a', 1]])],
  ['a set', new Set([1])],
  ['an error', new Error('x')],
  ['a promise', Promise.resolve({})],
];
const notJson = 'must be a JSON value, not a function, bigint, NaN, form, file, stream or cycle';

test.each(foreign)('%s is rejected as a body, and within one by its name', async (_, value) => {
  expect(await rejected({ ...post, body: value })).toEqual({ body: notJson });
  expect(await rejected({ ...post, body: { notes: [{ file: value }] } })).toEqual({
    'body.notes.0.file': notJson,
  });
});

test.each([
  ['a cycle', { note: cycle }],
  ['an object whose toJSON throws', { toJSON: () => JSON.parse('') }],
])('%s is rejected as a body', async (_, body) => {
  expect(await rejected({ ...post, body })).toEqual({ body: notJson });
});

test('undefined in a list is rejected, as JSON would write null; a field of undefined is left out', async () => {
  expect(await rejected({ ...post, body: { ids: [1, undefined] } })).toEqual({ 'body.ids.1': notJson });
});

test('what JSON can hold is sent, dates and objects that say how they are written included', async () => {
  await using server = startService({ body: {} });
  const money = { amount: 5, toJSON: () => '5.00' };
  const body = { at: new Date(0), money, nothing: null, missing: undefined, boxed: Object('text') };
  await createClient(server).request({ ...post, body });
  expect(server.request.body).toEqual({
    at: '1970-01-01T00:00:00.000Z',
    money: '5.00',
    nothing: null,
    boxed: 'text',
  });
});

test.each([
  ['null', null],
  ['a function', () => ({})],
  ['a parser of another kind', { parse: () => ({}) }],
  ['a text', 'string'],
])('%s as a schema is rejected before anything is sent', async (_, schema) => {
  expect(await rejected({ ...get, schema })).toEqual({ schema: 'must be a Standard Schema' });
});

test('a part that no request has is rejected, with the one that was meant', async () => {
  expect(await rejected({ ...get, Query: {} })).toEqual({
    '': 'unknown parameter `Query` (did you mean `query`?)',
  });
  expect(await rejected({ ...get, json: {} })).toEqual({
    '': 'unknown parameter `json`: it takes method, path, auth, query, body, schema',
  });
});
