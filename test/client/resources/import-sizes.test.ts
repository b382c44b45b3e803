import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ParticipantImport } from '../../../src/index.ts';
import { createClient, testKey } from '../../helpers/client.ts';
import { someOf } from '../../helpers/requirements.ts';
import type { Answer } from '../../helpers/server.ts';
import { row, rowsOf, sentIn, startImports } from './helpers.ts';

const taken: Answer = { status: 201, body: { message: 'Imported' } };

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe.each(['stop', 'continue', 'bisect'] as const)('with onBatchError %s', (onBatchError) => {
  test.each([413, 408, 504])(
    'a request that is answered with %i for its size is halved for the rest of the import, and that size is not sent again',
    async (status) => {
      await using service = await startImports((request) =>
        sentIn(request).length > 3 ? { status } : taken,
      );
      const summary = await service.participants.importAll(rowsOf(1_000), { onBatchError });
      expect(summary).toMatchObject({ imported: 1_000, failed: 0, resumeFrom: 1_000 });
      const sizes = service.sent().map(({ length }) => length);
      expect(sizes.filter((size) => size > 3)).toEqual([25, 12, 6]);
      // 1,000 rows in requests of three, with a shorter one at the end of each batch that was read before.
      expect(sizes.length).toBeLessThanOrEqual(334 + 3 + 4);
    },
  );
});

test.each(someOf(['stop', 'continue', 'bisect'] as const))(
  'a request that gets no answer in time is not repeated as it is, but halved, with onBatchError %s',
  async (onBatchError) => {
    await using service = await startImports((request) => (sentIn(request).length > 2 ? undefined : taken));
    const { participants } = createClient(service.server, { timeout: 1_000, maxRetries: 2 });
    expect(await participants.importAll(rowsOf(8), { batchSize: 8, onBatchError })).toMatchObject({
      imported: 8,
    });
    expect(service.sent().map(({ length }) => length)).toEqual([8, 4, 2, 2, 2, 2]);
  },
);

test('a batch whose key comes too late was never sent, and is sent again as it is', async () => {
  await using service = await startImports(() => taken);
  let asked = 0;
  const apiKey = () => {
    asked += 1;
    return asked === 1 ? new Promise<string>(() => {}) : testKey;
  };
  const { participants } = createClient(service.server, { apiKey, timeout: 200, maxRetries: 1 });
  expect(await participants.importAll(rowsOf(4), { batchSize: 4 })).toMatchObject({ imported: 4 });
  expect(service.sent().map(({ length }) => length)).toEqual([4]);
});

test.each([408, 504])(
  'a batch that is answered with %i is not repeated as it is, but halved',
  async (status) => {
    await using service = await startImports((request) => (sentIn(request).length > 2 ? { status } : taken));
    const { participants } = createClient(service.server, { maxRetries: 2 });
    expect(await participants.importAll(rowsOf(4), { batchSize: 4 })).toMatchObject({ imported: 4 });
    expect(service.sent().map(({ length }) => length)).toEqual([4, 2, 2]);
  },
);

test('a service on which nothing comes in time is told by a row that it took before, and no size is lowered', async () => {
  await using service = await startImports((_, { number }) => (number > 1 ? { status: 504 } : taken));
  const { summary, message } = await service.stopped(rowsOf(100));
  expect(summary).toMatchObject({ imported: 25, resumeFrom: 25 });
  expect(service.sent().map(({ length }) => length)).toEqual([25, 25, 1]);
  expect(message).toContain('`batchSize`');
});

test('one row that is not answered in time lowers no size: it is left out', async () => {
  await using service = await startImports(({ body }) => {
    const { participants } = body as { participants: ParticipantImport[] };
    return participants.some(({ name }) => name === 'slow') ? { status: 504 } : taken;
  });
  // A batch ends before a repetition, so the slow row is alone in its own.
  const rows = [...rowsOf(25), { ...row(25), name: 'slow' }, ...rowsOf(50).slice(25)];
  const summary = await service.participants.importAll(rows, { onBatchError: 'bisect' });
  expect(summary).toMatchObject({ imported: 50, failed: 1, resumeFrom: 51 });
  expect(service.sent().map(({ length }) => length)).toEqual([25, 1, 1, 1, 1, 25]);
});

test.each([
  ['stop', { imported: 2, failed: 0, resumeFrom: 2 }],
  ['continue', { imported: 3, failed: 1, resumeFrom: 4 }],
  ['bisect', { imported: 3, failed: 1, resumeFrom: 4 }],
] as const)('one row that is too large alone follows onBatchError: %s', async (onBatchError, expected) => {
  await using service = await startImports((request) =>
    sentIn(request).includes(2) ? { status: 413 } : taken,
  );
  const summary = await service.participants
    .importAll(rowsOf(4), { onBatchError })
    .catch(({ summary: stopped }) => stopped);
  expect(summary).toMatchObject(expected);
});

test.each(['continue', 'bisect'] as const)(
  'a success that says no is a refusal of the rows, with onBatchError %s',
  async (onBatchError) => {
    await using service = await startImports((request) =>
      sentIn(request).includes(1) ? { status: 200, body: { success: false, message: 'No room' } } : taken,
    );
    const { rejected } = await service.participants.importAll(rowsOf(4), { batchSize: 2, onBatchError });
    expect(rejected.map(({ index }) => index)).toEqual(onBatchError === 'bisect' ? [1] : [0, 1]);
    expect(rejected[0]?.reason).toContain('No room');
  },
);

test('a wrong address is no fault of the rows', async () => {
  await using service = await startImports(() => ({ status: 404 }));
  for (const onBatchError of ['continue', 'bisect'] as const) {
    const { summary } = await service.stopped(rowsOf(4), { onBatchError });
    expect(summary).toMatchObject({ failed: 0, resumeFrom: 0 });
  }
  expect(service.server.requests).toHaveLength(2);
});
