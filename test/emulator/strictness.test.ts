import { describe, expect, test } from 'vitest';
import {
  at,
  bearer,
  clientKey,
  createEndpoint,
  fieldErrors,
  pair,
  type Service,
  startService,
  startWithPair,
} from './helpers.ts';

/** The emulator rejects everything that the service is documented to reject. */

/** Every operation with a body. */
const withBodies: [method: string, path: string][] = [
  ['POST', '/participants/import'],
  ['PUT', '/participants/1'],
  ['POST', '/exam-participants/assign'],
  ['POST', '/exam-participants/unassign'],
  ['POST', '/webhooks'],
  ['PATCH', '/webhooks/1'],
  ['PUT', '/webhooks/1'],
  ['POST', '/webhooks/1/test'],
];

const events = ['exam_result.completed'];

async function startWithEndpoint(): Promise<Service> {
  const service = await startWithPair();
  await createEndpoint(service, events);
  return service;
}

function send(service: Service, method: string, path: string, body: BodyInit, type?: string) {
  return service.emulator.fetch(service.url + path, {
    method,
    body,
    headers: { ...clientKey, ...bearer, ...(type === undefined ? {} : { 'Content-Type': type }) },
  });
}

/** Every operation with the first value, and one operation with all others: all read a body in one place. */
function everyOnce<Value>([first, ...others]: readonly [Value, ...Value[]]) {
  return [
    ...withBodies.map(([method, path]) => ({ method, path, body: first })),
    ...others.map((body) => ({ method: 'PUT', path: '/participants/1', body })),
  ];
}

describe('a body', () => {
  test.each(everyOnce(['5', '"{\\"name\\":\\"Ana\\"}"', 'true', 'null', '[]', '[{"name":"Ana"}]']))(
    '$body, which is not an object, counts as an object without fields for $method $path',
    async ({ method, path, body }) => {
      await using service = await startWithEndpoint();
      const empty = await service.call(method, path, { body: '{}' });
      const response = await service.call(method, path, { body });
      expect([response.status, response.text]).toEqual([empty.status, empty.text]);
      expect(service.emulator.control.participant(1)?.name).toBe('Participant 1');
    },
  );

  test.each(
    everyOnce([
      { what: 'JSON that is cut short', sent: '{"name":' },
      { what: 'a byte order mark', sent: '\uFEFF{}' },
      { what: 'a line break in a string', sent: '{"name":"A\nB"}' },
      { what: 'bytes that are not UTF-8', sent: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) },
    ]),
  )('of $body.what gets a 400 from $method $path', async ({ method, path, body: { sent } }) => {
    await using service = await startWithEndpoint();
    const response = await send(service, method, path, sent, 'application/json');
    expect(response.status).toBe(400);
    expect(at(await response.json(), 'message')).toBe('Invalid JSON: Syntax error');
  });
});

test.each([
  [undefined, 422],
  ['text/plain', 422],
  ['application/x-www-form-urlencoded', 422],
  ['multipart/form-data', 422],
  ['application/json', 201],
  ['application/json; charset=utf-8', 201],
  ['application/vnd.api+json', 201],
])('JSON that is sent as %s gets status %i', async (type, status) => {
  await using service = await startWithPair();
  const body = new TextEncoder().encode(JSON.stringify(pair));
  expect((await send(service, 'POST', '/exam-participants/assign', body, type)).status).toBe(status);
});

test('a form has its fields read, and its lists', async () => {
  await using service = await startService();
  const body = new URLSearchParams([
    ['url', 'https://replaced.example.test/'],
    ['url', 'https://receiver.example.test/'],
    ['events[]', 'exam_result.completed'],
    ['events[]', 'exam_result.scored'],
    ['is_active', '0'],
  ]);
  const response = await send(service, 'POST', '/webhooks', body);
  expect(at(await response.json(), 'data')).toMatchObject({
    url: 'https://receiver.example.test/',
    events: ['exam_result.completed', 'exam_result.scored'],
    is_active: false,
  });
  const activated = await service.call('PATCH', '/webhooks/1', { body: { is_active: '1' } });
  expect(at(activated.json, 'data')).toMatchObject({ is_active: true });
});

describe('a text', () => {
  const blanks = [' ', '\t', '\u00A0', '\u200B', '\u200E', '\uFEFF', '\u2003'];

  test('has every blank taken away at its ends, and only there', async () => {
    await using service = await startWithPair();
    for (const blank of blanks) {
      await service.call('PUT', '/participants/1', { body: { name: `${blank}A${blank}B${blank}` } });
      expect(service.emulator.control.participant(1)?.name).toBe(`A${blank}B`);
    }
  });

  test('of nothing but a blank is null, which an import rejects as missing', async () => {
    await using service = await startService();
    for (const blank of blanks) {
      const participants = [{ email: 'ana@example.test', name: blank, password: blank }];
      const response = await service.call('POST', '/participants/import', { body: { participants } });
      expect(Object.keys(fieldErrors(response))).toEqual(['participants.0.name', 'participants.0.password']);
    }
  });

  test('that is a password is trimmed by an import, and not by an update', async () => {
    await using service = await startService();
    const participants = [{ email: 'ana@example.test', name: 'Ana', password: ' pw ' }];
    await service.call('POST', '/participants/import', { body: { participants } });
    expect(service.emulator.control.participant(1)?.password).toBe('pw');
    await service.call('PUT', '/participants/1', { body: { password: ' pw ' } });
    expect(service.emulator.control.participant(1)?.password).toBe(' pw ');
  });

  test('of 100,000 blanks between two letters is trimmed without delay', async () => {
    await using service = await startWithPair();
    const response = await service.call('PUT', '/participants/1', {
      body: { name: `A${' '.repeat(100_000)}B` },
    });
    expect(fieldErrors(response)).toEqual({
      name: ['The name field must not be greater than 255 characters.'],
    });
  });
});

test('a change that is not sent as JSON changes nothing', async () => {
  await using service = await startWithPair();
  const response = await send(service, 'PUT', '/participants/1', '{"name":"Ana"}', 'text/plain');
  expect(response.status).toBe(200);
  expect(service.emulator.control.participant(1)?.name).toBe('Participant 1');
});

test.each(['-1', '0', '+1', '-0'])('the filter %s is an integer', async (id) => {
  await using service = await startWithPair();
  const response = await service.call('GET', `/exam-results?exam_id=${encodeURIComponent(id)}`);
  expect(response.status).toBe(200);
});
