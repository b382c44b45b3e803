import { expect, test } from 'vitest';
import { AuthenticationError } from '../../src/index.ts';
import { createClient, failure, testKey } from '../helpers/client.ts';

test('a key on which the body of an error is cut off is not kept', async () => {
  const limit = 64 * 1024;
  for (let shown = 1; shown <= testKey.length; shown += 1) {
    const body = `${'.'.repeat(limit - shown)}${testKey}${'.'.repeat(limit)}`;
    const client = createClient(
      { url: 'https://h.test' },
      { fetch: async () => new Response(body, { status: 401 }) },
    );
    const error = await failure(client.exams.retrieve(1), AuthenticationError);
    expect(error.body.slice(limit - shown)).not.toContain(testKey.slice(0, 7));
  }
});

test.each([
  ['half of the key', 'tenant-key', 'tenan', 'cut [redacted]'],
  ['less than half of it', 'tenant-key', 'tena', 'cut tena'],
  ['a few letters of a short key', 'tena', 'te', 'cut te'],
])('at its end, a body loses %s or keeps it, as it tells much or little', async (_, apiKey, end, kept) => {
  const fetch = async () => new Response(`cut ${end}`, { status: 401 });
  const client = createClient({ url: 'https://h.test' }, { apiKey, fetch });
  expect((await failure(client.exams.retrieve(1), AuthenticationError)).body).toBe(kept);
});

test('a key that begins like another one leaves nothing of the longer one', async () => {
  const keys = ['tenant-1', 'tenant-1-secret'];
  let count = 0;
  const client = createClient(
    { url: 'https://h.test' },
    {
      apiKey: () => keys[count] ?? '',
      fetch: async () => {
        count += 1;
        return new Response(`no such key: ${keys[1]}`, { status: 401 });
      },
    },
  );
  await failure(client.exams.retrieve(1), AuthenticationError);
  const error = await failure(client.exams.retrieve(1), AuthenticationError);
  expect(error.body).toBe('no such key: [redacted]');
});
