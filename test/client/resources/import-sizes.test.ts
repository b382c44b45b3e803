import { describe, expect, test } from 'vitest';
import { type Fetch, ImportStoppedError } from '../../../src/index.ts';
import { createClient, failure, nowhere, recordLog, testKey } from '../../helpers/client.ts';
import { skipWaits } from '../../helpers/fake-time.ts';
import { createGate } from '../../helpers/gate.ts';
import { someOf } from '../../helpers/requirements.ts';
import type { ServiceResponse } from '../../helpers/server.ts';
import { rowsOf, sentIn, startImports } from './helpers.ts';

skipWaits();

const taken: ServiceResponse = { status: 201, body: { message: 'Imported' } };

describe.each(['stop', 'reject', 'bisect'] as const)('with failedBatches %s', (failedBatches) => {
  test.each([413, 408, 504])(
    'a request that gets a %i is sent again in halves, and later ones grow until they are whole again',
    async (status) => {
      let isSmall = true;
      await using service = await startImports((request) =>
        isSmall && sentIn(request).length > 6 ? { status } : taken,
      );
      const log = recordLog();
      const { participants } = createClient(service.server, { logger: log, logLevel: 'info' });
      const summary = await participants.importAll(rowsOf(1_000), {
        failedBatches,
        onProgress: () => {
          isSmall = false;
        },
      });
      expect(summary).toMatchObject({ imported: 1_000, rejected: 0, resumeFrom: 1_000 });
      const sizes = service.sent().map(({ length }) => length);
      expect(sizes.slice(0, 3)).toEqual([25, 12, 6]);
      expect(summary.requests).toBe(sizes.length);
      // A row more after each, and then whole batches.
      expect(sizes.indexOf(25, 1)).toBeLessThan(30);
      expect(sizes.slice(-5, -1)).toEqual([25, 25, 25, 25]);
      expect(log.lines.map(({ level }) => level)).toEqual(['info', 'info']);
    },
  );
});

test('500 rows with one stalled first batch take at most 45 requests', async () => {
  await using service = await startImports((_, { number }) => ({ status: number === 1 ? 504 : 201 }));
  expect(await service.participants.importAll(rowsOf(500))).toMatchObject({ imported: 500 });
  expect(service.server.requests.length).toBeLessThanOrEqual(45);
});

test('batches that are under way together are halved once', async () => {
  const gate = createGate();
  await using service = await startImports(async (_, { number }) => {
    if (number > 4) return taken;
    await gate.promise;
    return { status: 504 };
  });
  const importing = service.participants.importAll(rowsOf(400), { batchSize: 16, concurrency: 4 });
  await service.server.arrival(4);
  gate.open();
  expect(await importing).toMatchObject({ imported: 400 });
  const sizes = service.sent().map(({ length }) => length);
  expect(sizes.slice(0, 4)).toEqual([16, 16, 16, 16]);
  expect(Math.min(...sizes.slice(4, 12))).toBeGreaterThanOrEqual(8);
});

test.each(someOf(['stop', 'reject', 'bisect'] as const))(
  'a request that gets no response in time is not repeated as it is, but halved, with failedBatches %s',
  async (failedBatches) => {
    await using service = await startImports((request) => (sentIn(request).length > 2 ? undefined : taken));
    const { participants } = createClient(service.server, { timeout: 1_000, maxRetries: 2 });
    expect(await participants.importAll(rowsOf(8), { batchSize: 8, failedBatches })).toMatchObject({
      imported: 8,
    });
    expect(service.sent().map(({ length }) => length)).toEqual([8, 4, 2, 2, 4, 2, 2]);
  },
);

test('a request that a time limit of the platform ends is not repeated as it is, but halved', async () => {
  const sizes: number[] = [];
  const cause = Object.assign(new Error('Headers Timeout Error'), { code: 'UND_ERR_HEADERS_TIMEOUT' });
  const fetch: Fetch = async (_, { body }) => {
    const { length } = JSON.parse(String(body)).participants;
    sizes.push(length);
    if (length > 2) throw new TypeError('fetch failed', { cause });
    return Response.json({}, { status: 201 });
  };
  const { participants } = createClient(nowhere, { fetch, maxRetries: 2 });
  expect(await participants.importAll(rowsOf(8), { batchSize: 8 })).toMatchObject({ imported: 8 });
  expect(sizes).toEqual([8, 4, 2, 2, 4, 2, 2]);
});

test.each([
  ['after a lost response, and is no matter of size', 2, [4, 4]],
  ['at first: it was never sent', 1, [4]],
])('a batch is sent again as it is where its key comes too late %s', async (_, late, sizes) => {
  await using service = await startImports((__, { number }) => (number < late ? { status: 502 } : taken));
  let asked = 0;
  const apiKey = () => {
    asked += 1;
    return asked === late ? new Promise<string>(() => {}) : testKey;
  };
  const { participants } = createClient(service.server, { apiKey, timeout: 200, maxRetries: late });
  expect(await participants.importAll(rowsOf(4), { batchSize: 4 })).toMatchObject({ imported: 4 });
  expect(service.sent().map(({ length }) => length)).toEqual(sizes);
});

test.each(['stop', 'reject'] as const)(
  'a single row without a response in time after the retries of its call stops, with failedBatches %s',
  async (failedBatches) => {
    await using service = await startImports((_, { number }) => (number > 1 ? { status: 504 } : taken));
    const { participants } = createClient(service.server, { maxRetries: 2 });
    const error = await failure(participants.importAll(rowsOf(100), { failedBatches }), ImportStoppedError);
    expect(error).toMatchObject({ retryable: true, resumeFrom: 25, outcome: 'unknown' });
    expect(error.summary).toMatchObject({ imported: 25, rejected: 0 });
    expect(service.sent().map(({ length }) => length)).toEqual([25, 25, 12, 6, 3, 1, 1, 1]);
    // The message says how to go past the row, and what finds such rows.
    expect(error.message).toContain('resumeFrom: 26`');
    expect(error.message).toContain("failedBatches: 'bisect'");
  },
);

test("a single row without a response in time is rejected with failedBatches 'bisect', after others were accepted", async () => {
  await using service = await startImports((request) =>
    sentIn(request).includes(30) ? { status: 504 } : taken,
  );
  const { participants } = createClient(service.server, { maxRetries: 2 });
  const summary = await participants.importAll(rowsOf(100), { failedBatches: 'bisect' });
  expect(summary).toMatchObject({ imported: 99, rejections: [{ index: 30, outcome: 'unknown' }] });
  // Twice, each with all retries.
  expect(service.sent().filter((sent) => sent.join() === '30')).toHaveLength(6);
});

test.each(['reject', 'bisect'] as const)(
  'a 2xx body that reports failure rejects the rows, with failedBatches %s',
  async (failedBatches) => {
    await using service = await startImports((request) =>
      sentIn(request).includes(1) ? { status: 200, body: { success: false, message: 'No room' } } : taken,
    );
    const { rejections } = await service.participants.importAll(rowsOf(4), { batchSize: 2, failedBatches });
    expect(rejections.map(({ index }) => index)).toEqual(failedBatches === 'bisect' ? [1] : [0, 1]);
    expect(rejections[0]?.message).toContain('No room');
  },
);

test('batches grow again by a 25th of their whole size for each that is accepted', async () => {
  await using service = await startImports((_, { number }) => ({ status: number === 1 ? 413 : 201 }));
  await service.participants.importAll(rowsOf(1_000), { batchSize: 100 });
  const sizes = service.sent().map(({ length }) => length);
  expect(sizes.slice(0, 8)).toEqual([100, 50, 50, 58, 62, 66, 70, 74]);
});
