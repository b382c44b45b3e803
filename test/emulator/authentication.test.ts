import { describe, expect, test } from 'vitest';
import { bearer, bearerOperations, clientKey, clientKeyOperations, startService } from './helpers.ts';

describe.each<{
  operations: [string, string][];
  other: Record<string, string>;
  wrong: Record<string, string>;
  message: string;
}>([
  {
    operations: clientKeyOperations,
    other: bearer,
    wrong: { 'X-Client-Key': 'another-key' },
    message: 'Invalid or inactive API key.',
  },
  {
    operations: bearerOperations,
    other: clientKey,
    wrong: { Authorization: 'Bearer another-key' },
    message: 'Unauthenticated.',
  },
])('operations that do not take $other', ({ operations, other, wrong, message }) => {
  test.each(operations)(
    '%s %s rejects a missing key, a wrong one and one under the other credential',
    async (method, path) => {
      await using service = await startService();
      for (const headers of [{}, wrong, other]) {
        const response = await service.call(method, path, { headers });
        expect(response.status).toBe(401);
        expect(response.json).toMatchObject({ message });
      }
    },
  );
});

test('the key is the one in the options', async () => {
  await using service = await startService({ apiKey: 'other' });
  expect((await service.call('GET', '/exams')).status).toBe(401);
  expect((await service.call('GET', '/exams', { headers: { 'X-Client-Key': 'other' } })).status).toBe(200);
});

test('HEAD gets the response of GET, without a body', async () => {
  await using service = await startService();
  expect(await service.call('HEAD', '/exams')).toMatchObject({ status: 200, text: '' });
});
