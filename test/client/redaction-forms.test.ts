import { describe, expect, test } from 'vitest';
import { ApiError, UnprocessableEntityError } from '../../src/index.ts';
import { createClient, failure, nowhere, testKey } from '../helpers/client.ts';
import { startService } from '../helpers/server.ts';

/** The error of an import of these passwords whose response says this. */
async function rejectedWith(passwords: readonly string[], message: string, headers = {}) {
  await using server = startService({ status: 422, body: { message }, headers });
  const rows = passwords.map((password, index) => ({ email: `p${index}@x.test`, name: 'Ada', password }));
  return await failure(createClient(server).participants.import(rows), UnprocessableEntityError);
}

const said = async (passwords: readonly string[], message: string) =>
  (await rejectedWith(passwords, message)).serviceMessage;

describe('a password in a message of the service is hidden', () => {
  test.each([
    ['as it is', 'sl/ash"quote\\back', 'sl/ash"quote\\back'],
    ['in JSON', 'sl/ash"quote\\back', 'sl/ash\\"quote\\\\back'],
    ['in a URL', 'Zoë&pass word', 'Zo%C3%AB%26pass%20word'],
  ])('%s', async (_, password, written) => {
    expect(await said([password], `The password ${written} is weak.`)).toBe(
      'The password [redacted] is weak.',
    );
  });

  test('also a short one, to the last character', async () => {
    expect(await said(['abc'], 'Too short: abc')).toBe('Too short: [redacted]');
  });

  test('also where it is the beginning of a longer one', async () => {
    const error = await rejectedWith(['secret', 'secret-and-more'], 'secret-and-more, secret');
    expect(error.serviceMessage).toBe('[redacted], [redacted]');
  });

  test('also where it is one of thousands that begin alike', async () => {
    const passwords = Array.from({ length: 20_000 }, (_, index) => `exam-${index}`);
    const error = await rejectedWith(passwords, 'exam-19999 is weak');
    expect(error.serviceMessage).toBe('[redacted] is weak');
  });

  test('also in a long message that holds many beginnings of many of them', async () => {
    const passwords = Array.from({ length: 300 }, (_, index) => `${'exam'.repeat(index + 1)}!`);
    const message = await said(passwords, `${passwords[299]} ${'exam'.repeat(225_000)}`);
    expect(message?.slice(0, 19)).toBe('[redacted] examexam');
    expect(message).toHaveLength(2_000);
  });

  test('also where a message is cut off, to its last character', async () => {
    for (const before of [1_985, 1_990, 1_999, 2_000]) {
      const message = await said(['plain-Password'], `${'.'.repeat(before)}plain-Password`);
      expect(message?.slice(0, before)).toBe(
        '.'.repeat(before).slice(0, 1_999) + (before > 1_999 ? '…' : ''),
      );
      expect(message).not.toContain('pl');
    }
  });

  test.each([
    ['one word', 'a'.repeat(1_000_000)],
    ['paths and passwords', 'a.1 plain-Password '.repeat(50_000)],
  ])('also in a message of a million characters: %s', async (_, rest) => {
    const message = await said(['plain-Password'], `plain-Password ${rest}`);
    expect(message?.slice(0, 14)).toBe(`[redacted] ${rest.slice(0, 3)}`);
    expect(message).toHaveLength(2_000);
  });

  test('also in a header', async () => {
    const error = await rejectedWith(['plain-Password'], 'no', { 'X-Echo': 'is plain-Password' });
    expect(error.headers.get('x-echo')).toBe('is [redacted]');
  });
});

describe('what is not a secret stays', () => {
  test.each([
    ['a word that is too short to be hidden', 'ab', 'cab ab'],
    ['a text without the password', 'first-password', 'second-password'],
  ])('%s', async (_, password, message) => {
    expect(await said([password], message)).toBe(message);
  });

  test('the names of fields that look like names', async () => {
    const body = { errors: { 'participants.0.name': ['bad'], 'my pass word': ['bad'] } };
    await using server = startService({ status: 422, body });
    const call = createClient(server).participants.import([
      { email: 'a@x.test', name: 'Ada', password: 'pass word' },
    ]);
    const { fieldErrors } = await failure(call, UnprocessableEntityError);
    expect(Object.keys(fieldErrors)).toEqual(['participants.0.name', 'my [redacted]']);
  });
});

/** Bytes of the body of an error that are read. */
const limit = 64 * 1024;

test('a key on which the body of an error is cut off is not kept', async () => {
  for (let shown = 1; shown <= testKey.length; shown += 1) {
    const body = `${'.'.repeat(limit - shown)}${testKey}${'.'.repeat(limit)}`;
    const client = createClient(nowhere, { fetch: async () => new Response(body, { status: 401 }) });
    const error = await failure(client.exams.retrieve(1), ApiError);
    expect(error.body.slice(limit - shown)).not.toContain(testKey.slice(0, 7));
  }
});

test.each([
  // What is put in its place is cut off as well.
  ['most of the key', 'tenant-ke', '[redacted'],
  ['its first three characters', 'ten', '[re'],
  ['less of it, which reveals nothing', 'te', 'te'],
])('of a body that was cut off, the end that may be %s is hidden or kept', async (_, end, kept) => {
  const fetch = async () =>
    new Response(`${'.'.repeat(limit - end.length)}${end}${'!'.repeat(9)}`, { status: 401 });
  const client = createClient(nowhere, { apiKey: 'tenant-key', fetch });
  const { body } = await failure(client.exams.retrieve(1), ApiError);
  expect(body.slice(limit - end.length)).toBe(kept);
});

test('of a body whose rest never comes, half a key is hidden', async () => {
  const fetch = async () => {
    const stream = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('no such key: tenant-')),
      pull: (controller) => controller.error(new Error('reset')),
    });
    return new Response(stream, { status: 401 });
  };
  const client = createClient(nowhere, { apiKey: 'tenant-key', fetch });
  const { body } = await failure(client.exams.retrieve(1), ApiError);
  expect(body).toBe('no such key: [redacted]');
});

describe('what came whole keeps its end, however a key begins', () => {
  test.each([
    ['test-key', 'this is a test'],
    ['k', 'this is a book'],
    ['ke', 'a key is like a key'],
  ])('with the key %s', async (apiKey, said) => {
    const fetch = async () => Response.json({ message: said }, { status: 400 });
    const client = createClient(nowhere, { apiKey, fetch });
    const error = await failure(client.webhooks.test(1), ApiError);
    expect(error.message).toContain(`POST /webhooks/1/test failed with 400: ${said}.`);
    expect(error.body).toBe(JSON.stringify({ message: said }));
  });

  test('as text', async () => {
    const fetch = async () => new Response('this is a test', { status: 400 });
    const client = createClient(nowhere, { apiKey: 'test-key', fetch });
    const { body } = await failure(client.exams.retrieve(1), ApiError);
    expect(body).toBe('this is a test');
  });
});

test('a key that begins like another one leaves nothing of the longer one', async () => {
  const keys = ['tenant-1', 'tenant-1-secret'];
  let count = 0;
  const client = createClient(nowhere, {
    apiKey: () => keys[count] ?? '',
    fetch: async () => {
      count += 1;
      return new Response(`no such key: ${keys[1]}`, { status: 401 });
    },
  });
  await failure(client.exams.retrieve(1), ApiError);
  const error = await failure(client.exams.retrieve(1), ApiError);
  expect(error.body).toBe('no such key: [redacted]');
});
