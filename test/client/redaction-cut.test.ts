import { describe, expect, test } from 'vitest';
import { ApiError } from '../../src/index.ts';
import { createClient, failure, nowhere, testKey } from '../helpers/client.ts';

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
