import { describe, expect, test } from 'vitest';
import type { ParticipantImport } from '../../../src/index.ts';
import type { Handler } from '../../helpers/server.ts';
import { refusing, rowsOf, sentIn, startImports } from './helpers.ts';

const taken = { status: 201, body: { message: 'Imported' } };
const refuse = (fields: readonly string[]) => ({
  status: 422,
  body: { message: 'Invalid.', errors: Object.fromEntries(fields.map((field) => [field, ['is wrong']])) },
});
const bisect = { onBatchError: 'bisect' } as const;

/** Refuses every request that holds one of these rows; what it names is made of their places in the request. */
const naming =
  (
    bad: readonly number[],
    name: (positions: readonly number[], sent: number) => readonly string[],
  ): Handler =>
  (request) => {
    const sent = sentIn(request);
    const positions = sent.flatMap((number, position) => (bad.includes(number) ? [position] : []));
    return positions.length === 0 ? taken : refuse(name(positions, sent.length));
  };

describe('rows that a 422 names', () => {
  test('are left out with their reasons, and the rest is sent again at once', async () => {
    await using service = await startImports(refusing([3, 60, 61]));
    const { rejected, ...summary } = await service.participants.importAll(rowsOf(130), {
      ...bisect,
      batchSize: 100,
    });
    const reason = 'email: The email must be a valid email address.';
    expect(rejected).toEqual([3, 60, 61].map((index) => ({ index, reason })));
    expect(summary).toMatchObject({ imported: 127, failed: 3, processed: 130, batches: 2, resumeFrom: 130 });
    expect(service.sent().map(({ length }) => length)).toEqual([100, 97, 30]);
  });

  test('may be all of a batch, of which nothing is sent again', async () => {
    await using service = await startImports(refusing([0, 1, 2]));
    const summary = await service.participants.importAll(rowsOf(6), { ...bisect, batchSize: 3 });
    expect(summary.rejected.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(service.server.requests).toHaveLength(2);
  });

  test('may be named one after the other, by a service that stops at the first', async () => {
    const first: Handler = naming([1, 4, 6], ([position]) => [`participants.${position}.email`]);
    await using service = await startImports(first);
    const summary = await service.participants.importAll(rowsOf(8), bisect);
    expect(summary.rejected.map(({ index }) => index)).toEqual([1, 4, 6]);
    expect(service.server.requests).toHaveLength(4);
  });

  test('may be named as a whole, with several columns, or beside a field that is no row', async () => {
    await using service = await startImports(
      naming([1, 3], ([a = 0, b]) =>
        b === undefined
          ? [`participants.${a}`]
          : [`participants`, `participants.${a}`, `participants.${b}.email`, `participants.${b}.name`],
      ),
    );
    const summary = await service.participants.importAll(rowsOf(5), bisect);
    expect(summary.rejected).toEqual([
      { index: 1, reason: 'is wrong' },
      { index: 3, reason: 'email: is wrong name: is wrong' },
    ]);
    expect(service.server.requests).toHaveLength(2);
  });

  test.each<[string, Parameters<typeof naming>[1]]>([
    ['no row', () => ['participants']],
    ['nothing at all', () => []],
    ['a row that was not sent', (_, sent) => [`participants.${sent}.email`]],
    ['rows counted from 1', (positions) => positions.map((position) => `participants.${position + 1}.email`)],
    ['the first row, whichever is at fault', () => ['participants.0.email']],
  ])('are found by halving where it names %s', async (_, name) => {
    for (const bad of [[0], [5], [6], [9], [2, 3], [0, 9]]) {
      await using service = await startImports(naming(bad, name));
      const summary = await service.participants.importAll(rowsOf(10), bisect);
      expect(summary.rejected.map(({ index }) => index)).toEqual(bad);
      expect(summary.imported).toBe(10 - bad.length);
      expect(service.server.requests.length).toBeLessThanOrEqual(30);
    }
  });

  test('are not done with when the rest meets an outage', async () => {
    const answer = refusing([0, 3]);
    await using service = await startImports((request, exchange) =>
      exchange.number === 2 ? { status: 503 } : answer(request, exchange),
    );
    const { summary } = await service.stopped(rowsOf(4), bisect);
    expect(summary).toMatchObject({ imported: 0, failed: 0, resumeFrom: 0 });
  });
});

test('a service that refuses everything is asked at most twice for each row', async () => {
  await using service = await startImports(() => refuse(['participants']));
  const summary = await service.participants.importAll(rowsOf(64), { ...bisect, batchSize: 32 });
  expect(summary).toMatchObject({ imported: 0, failed: 64 });
  expect(service.server.requests).toHaveLength(2 * (2 * 32 - 1));
});

test('a row that is too large alone is left out', async () => {
  await using service = await startImports(refusing([2], 413));
  const { rejected } = await service.participants.importAll(rowsOf(4), bisect);
  expect(rejected).toEqual([{ index: 2, reason: expect.stringContaining('413') }]);
});

describe('a row on which the service fails', () => {
  const failing =
    (bad: readonly number[]): Handler =>
    (request) =>
      sentIn(request).some((number) => bad.includes(number)) ? { status: 500 } : taken;

  test.each(Array.from({ length: 8 }, (_, index) => index))('is found when it is row %i', async (index) => {
    await using service = await startImports(failing([index]));
    const summary = await service.participants.importAll(rowsOf(8), bisect);
    expect(summary.rejected).toEqual([{ index, reason: expect.stringContaining('500') }]);
    expect(summary).toMatchObject({ imported: 7, resumeFrom: 8 });
    // Up to two rows alone, then halves, each of which that fails is followed by a row that was taken.
    expect(service.server.requests.length).toBeLessThanOrEqual(16);
  });

  test('is found however many there are, and wherever they stand', async () => {
    const bad = Array.from({ length: 30 }, (_, index) => index * 33 + (index % 2));
    await using service = await startImports(failing(bad));
    const summary = await service.participants.importAll(rowsOf(1_000), bisect);
    expect(summary.rejected.map(({ index }) => index)).toEqual(bad);
    expect(summary).toMatchObject({ imported: 970, resumeFrom: 1_000 });
    expect(service.server.requests.length).toBeLessThan(40 + 30 * 20);
  });

  test('is found where it is alone in the last batch', async () => {
    await using service = await startImports(failing([25]));
    const summary = await service.participants.importAll(rowsOf(26), bisect);
    expect(summary.rejected.map(({ index }) => index)).toEqual([25]);
    expect(service.sent().slice(1)).toEqual([[25], [24], [25], [24]]);
  });

  test('is found beside rows that the service refuses', async () => {
    const crash = failing([5]);
    const refusal = refusing([1, 4]);
    await using service = await startImports(async (request, exchange) => {
      const answer = await crash(request, exchange);
      return answer === taken ? refusal(request, exchange) : answer;
    });
    const { rejected } = await service.participants.importAll(rowsOf(8), bisect);
    expect(rejected.map(({ index }) => index)).toEqual([1, 4, 5]);
  });

  test('is not looked for when the service fails on a row that it took before: it is down', async () => {
    await using service = await startImports((_, { number }) => (number > 1 ? { status: 500 } : taken));
    const { summary } = await service.stopped(rowsOf(300), bisect);
    expect(summary).toMatchObject({ imported: 25, failed: 0, resumeFrom: 25 });
    expect(service.server.requests).toHaveLength(1 + 2);
  });

  test('is looked for row by row before the service took any, and when it takes none it is down', async () => {
    await using service = await startImports(() => ({ status: 500 }));
    const { summary } = await service.stopped(rowsOf(300), bisect);
    expect(summary).toMatchObject({ imported: 0, failed: 0, resumeFrom: 0 });
    expect(service.server.requests).toHaveLength(1 + 25);
  });

  test('is found in a batch of its own, too', async () => {
    await using service = await startImports(failing([1]));
    const summary = await service.participants.importAll(rowsOf(3), { ...bisect, batchSize: 1 });
    expect(summary).toMatchObject({ imported: 2, failed: 1, resumeFrom: 3 });
  });

  test.each([
    ['begins', [201, 500, 500], { imported: 1, resumeFrom: 1 }],
    ['begins a little later', [201, 500, 201, 500, 503], { imported: 1, resumeFrom: 1 }],
    ['ends', [201, 500, 201, 201], { imported: 2, resumeFrom: 2 }],
    ['comes and goes', [201, 500, 201, 500, 500], { imported: 1, resumeFrom: 1 }],
  ])('is never taken for one when an outage %s meanwhile', async (_, statuses, expected) => {
    await using service = await startImports((__, { number }) => ({ status: statuses[number - 1] ?? 500 }));
    const summary = await service.participants
      .importAll(rowsOf(2), { ...bisect, batchSize: 1 })
      .catch(({ summary: stopped }) => stopped);
    expect(summary).toMatchObject({ failed: 0, ...expected });
    expect(service.server.requests).toHaveLength(statuses.length);
  });
});

test('halving keeps the rows in order', async () => {
  await using service = await startImports(naming([2, 7], () => []));
  const rows: ParticipantImport[] = rowsOf(10);
  await service.participants.importAll(rows, { ...bisect, batchSize: 5 });
  const accepted = service.sent().filter((numbers) => !numbers.some((number) => [2, 7].includes(number)));
  expect(accepted.flat()).toEqual([0, 1, 3, 4, 5, 6, 8, 9]);
});
