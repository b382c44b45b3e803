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

test.each(['Basic test-key', 'bearer test-key', 'test-key'])(
  'the credential %s is rejected',
  async (Authorization) => {
    await using service = await startService();
    expect((await service.call('GET', '/webhooks', { headers: { Authorization } })).status).toBe(401);
  },
);

test.each([
  ['DELETE', '/exams', 'GET, HEAD'],
  ['GET', '/participants/import/', undefined],
  ['DELETE', '/participants/import', 'GET, HEAD, POST, PUT'],
  ['GET', '/webhooks/1', 'DELETE, PATCH, PUT'],
])(
  '%s %s, a method that the path does not have, gets a 405 with those it has',
  async (method, path, allow) => {
    await using service = await startService();
    const response = await service.call(method, path);
    expect(response.status).toBe(allow === undefined ? 404 : 405);
    expect(response.headers.get('allow')?.split(', ').toSorted().join(', ')).toBe(allow);
  },
);

test('HEAD gets the response of GET, without a body', async () => {
  await using service = await startService();
  expect(await service.call('HEAD', '/exams')).toMatchObject({ status: 200, text: '' });
});
