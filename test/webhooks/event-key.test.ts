import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { escapeSlashes, escapeUnicode } from '../../src/util/php-json.ts';
import { eventKeyOf, RequestValidationError, recoverEvents } from '../../src/webhooks/index.ts';
import { delivery } from '../fixtures/responses/webhooks.ts';
import { failure, throwing } from '../helpers/client.ts';
import { completed, describeEngines, request } from './helpers.ts';

const created_at = '2025-03-01T09:45:13+07:00';
const scored = (data: unknown) => ({ event: 'exam_result.scored', created_at, data });
/** The canonical JSON of that, written by hand after RFC 8785. */
const hashOf = (data: string) =>
  createHash('sha256')
    .update(`{"created_at":"${created_at}","data":${data},"event":"exam_result.scored"}`)
    .digest('hex');
const parsedKey = (json: string) => eventKeyOf(JSON.parse(json));

describeEngines(() => {
  test('the key is the SHA-256 of the canonical JSON of event, created_at and data', async () => {
    // No spaces, names in order, the shortest form of each number.
    const canonical = '{"a":[1,87.5,1e+21,null],"é":"/\\"Zoë\\"\\n"}';
    const delivered = scored({ é: '/"Zoë"\n', a: [1.0, 87.5, 1e21, null] });
    expect(await eventKeyOf(delivered)).toBe(hashOf(canonical));
  });
});

test('names are in the order of their UTF-16 units, also those that look like numbers', async () => {
  // The example of RFC 8785, section 3.2.3, and two names of digits.
  const names = ['\r', '1', '10', '9', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33'];
  const members = names.map((name) => `${JSON.stringify(name)}:{"a":[],"b":{}}`);
  const data = Object.fromEntries(names.toReversed().map((name) => [name, { b: {}, a: [] }]));
  expect(await eventKeyOf(scored(data))).toBe(hashOf(`{${members}}`));
});

test('the order of fields, whitespace, escapes and zeros behind a decimal point do not matter', async () => {
  const nested = { x: 1, y: [null, true] };
  const event = scored({ name: 'Zoë 😀', url: 'https://a.test/b', nested, score: 87.5 });
  const key = await eventKeyOf(event);
  const json = JSON.stringify(event);
  expect(await parsedKey(escapeSlashes(escapeUnicode(json)))).toBe(key);
  expect(await parsedKey(JSON.stringify(event, null, 3).replace('87.5', '87.50'))).toBe(key);
  const { data, ...rest } = event;
  const reordered = { data: Object.fromEntries(Object.entries(data as object).reverse()), ...rest };
  expect(await eventKeyOf(reordered)).toBe(key);
});

test('a difference in name, time or payload makes another key, and one in other fields does not', async () => {
  const key = await eventKeyOf(completed);
  const others = [
    { ...completed, event: 'exam_result.scored' },
    { ...completed, created_at: '2025-03-01T09:45:14+07:00' },
    { ...completed, data: { ...completed.data, score: '87.5' } },
    { ...completed, data: { ...completed.data, exam_quiz: null } },
  ];
  const keys = await Promise.all(others.map(eventKeyOf));
  expect(new Set([key, ...keys]).size).toBe(5);
  expect(await eventKeyOf({ ...completed, attempt: 3 } as typeof completed)).toBe(key);
});

test('what PHP has encoded has the key of the event that it means', async () => {
  const file = new URL('../fixtures/webhooks/signed-by-php.json', import.meta.url);
  const { vectors } = JSON.parse(await readFile(file, 'utf8'));
  for (const { body } of vectors) {
    expect(await parsedKey(body)).toBe(await parsedKey(JSON.stringify(JSON.parse(body))));
  }
});

test('a number beyond all doubles has a key, too', async () => {
  const key = await parsedKey('{"event":"a","created_at":"","data":{"x":[1e400,-1e400]}}');
  expect(key).toMatch(/^[0-9a-f]{64}$/);
});

describe('a delivery record', () => {
  const { event, data } = completed;
  const record = { ...delivery, event, created_at: '2025-03-01T02:45:14Z' };

  test('that keeps the whole body has the key of the event', async () => {
    expect(await eventKeyOf({ ...record, payload: completed })).toBe(await eventKeyOf(completed));
  });

  test('that keeps its data alone has the key of an event at the time of the record', async () => {
    const { created_at } = record;
    expect(await eventKeyOf({ ...record, payload: data })).toBe(
      await eventKeyOf({ event, created_at, data }),
    );
  });

  test('has the key that recoverEvents gives, and another than the next', async () => {
    const records = [completed, { ...completed, data: { ...data, exam_result_id: 8 } }, data].map(
      (payload, id) => ({ ...record, id: String(id), payload }),
    );
    const source = {
      async *deliveries() {
        yield* records;
      },
    };
    const keys = new Map<string, string>();
    for await (const recovered of recoverEvents(source, 1, { since: '2025-01-01T00:00:00Z' }))
      keys.set(recovered.delivery.id, recovered.eventKey);
    expect([...keys.values()].toSorted()).toEqual((await Promise.all(records.map(eventKeyOf))).toSorted());
    expect(new Set(keys.values()).size).toBe(3);
  });
});

test.each<[what: string, given: unknown, paths: string[]]>([
  ['a text', JSON.stringify(completed), ['event', 'created_at', 'data']],
  ['bytes', Buffer.from(JSON.stringify(completed)), ['event', 'created_at', 'data']],
  ['a request', request(), ['event', 'created_at', 'data']],
  ['a promise', Promise.resolve(completed), ['event', 'created_at', 'data']],
  ['nothing', undefined, ['event', 'created_at', 'data']],
  ['null', null, ['event', 'created_at', 'data']],
  [
    'what throws when it is read',
    Object.defineProperty({ ...completed }, 'created_at', { get: throwing(new Error('gone')) }),
    ['event', 'created_at', 'data'],
  ],
  ['the data alone', completed.data, ['event', 'created_at', 'data']],
  [
    'what recoverEvents gives',
    { event: completed, eventKey: 'k', delivery },
    ['event', 'created_at', 'data'],
  ],
  ['an event without a time', { event: 'exam_result.completed', data: {} }, ['created_at']],
  ['one whose time is a number', { ...completed, created_at: 1 }, ['created_at']],
  ['one without a payload', { event: 'exam.archived', created_at }, ['data']],
])('%s is no event, and has no key: all would have the same', async (_, given, paths) => {
  const error = await failure(eventKeyOf(given as typeof completed), RequestValidationError);
  expect(error).toMatchObject({ code: 'request_validation', operation: 'eventKeyOf', outcome: 'not_sent' });
  expect(error.issues.map(({ path }) => path)).toEqual(paths);
});

test.each([
  ['a value', '"x":"\\ud800 \\ud83d\\ude00"', { x: '\uFFFD 😀' }],
  ['a name', '"\\ud800":"\\\\ud800 \\\\\\udfff"', { '\uFFFD': '\\ud800 \\\uFFFD' }],
])('half of a surrogate pair in %s is the character for what is none', async (_, members, data) => {
  const key = await parsedKey(`{"event":"a","created_at":"","data":{${members}}}`);
  expect(key).toBe(await eventKeyOf({ event: 'a', created_at: '', data }));
});
