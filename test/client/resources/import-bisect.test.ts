import { describe, expect, test } from 'vitest';
import { nextTurn } from '../../helpers/gate.ts';
import type { Handler } from '../../helpers/server.ts';
import { rejecting, rowsOf, sentIn, startImports } from './helpers.ts';

const taken = { status: 201, body: { message: 'Imported' } };
const invalid = (fields: readonly string[]) => ({
  status: 422,
  body: { message: 'Invalid.', errors: Object.fromEntries(fields.map((field) => [field, ['is wrong']])) },
});
const bisect = { failedBatches: 'bisect' } as const;

/** Rejects every request that holds one of these rows; what it names is made of their places in the request. */
const naming =
  (
    bad: readonly number[],
    name: (positions: readonly number[], sent: number) => readonly string[],
  ): Handler =>
  (request) => {
    const sent = sentIn(request);
    const positions = sent.flatMap((number, position) => (bad.includes(number) ? [position] : []));
    return positions.length === 0 ? taken : invalid(name(positions, sent.length));
  };

describe('rows that a 422 names', () => {
  test('are left out with their reasons, and the rest is sent again immediately', async () => {
    await using service = await startImports(rejecting([3, 60, 61]));
    const { rejections, ...summary } = await service.participants.importAll(rowsOf(130), {
      ...bisect,
      batchSize: 100,
    });
    const message = 'email: The email must be a valid email address.';
    expect(rejections).toEqual(
      [3, 60, 61].map((index) => ({ index, message, outcome: 'rejected', duplicateOf: null })),
    );
    expect(summary).toMatchObject({
      imported: 127,
      rejected: 3,
      processed: 130,
      batches: 2,
      resumeFrom: 130,
    });
    expect(service.sent().map(({ length }) => length)).toEqual([100, 97, 30]);
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
    expect(summary.rejections).toEqual([
      { index: 1, message: 'is wrong', outcome: 'rejected', duplicateOf: null },
      { index: 3, message: 'email: is wrong name: is wrong', outcome: 'rejected', duplicateOf: null },
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
      expect(summary.rejections.map(({ index }) => index)).toEqual(bad);
      expect(summary.imported).toBe(10 - bad.length);
      expect(service.server.requests.length).toBeLessThanOrEqual(30);
    }
  });

  test('are not done with when the rest meets an error that concerns all', async () => {
    const reject = rejecting([0, 3]);
    await using service = await startImports((request, exchange) =>
      exchange.number === 2 ? { status: 401 } : reject(request, exchange),
    );
    const { summary } = await service.stopped(rowsOf(4), bisect);
    expect(summary).toMatchObject({ imported: 0, rejected: 0, resumeFrom: 0 });
  });
});

test('a service that rejects everything gets at most two requests for each row', async () => {
  await using service = await startImports(() => invalid(['participants']));
  const summary = await service.participants.importAll(rowsOf(64), { ...bisect, batchSize: 32 });
  expect(summary).toMatchObject({ imported: 0, rejected: 64 });
  expect(service.server.requests).toHaveLength(2 * (2 * 32 - 1));
});

describe('a row on which the service fails', () => {
  const failing =
    (bad: readonly number[]): Handler =>
    (request) =>
      sentIn(request).some((number) => bad.includes(number)) ? { status: 500 } : taken;

  test.each(Array.from({ length: 7 }, (_, index) => index))(
    'is rejected when it fails again after another row was accepted: row %i',
    async (index) => {
      await using service = await startImports(failing([index]));
      const summary = await service.participants.importAll(rowsOf(8), bisect);
      expect(summary.rejections).toMatchObject([
        { index, message: expect.stringMatching(/500.* It may have been imported\.$/), outcome: 'unknown' },
      ]);
      expect(summary).toMatchObject({ imported: 7, resumeFrom: 8 });
      expect(summary.requests).toBe(service.server.requests.length);
      expect(summary.requests).toBeLessThanOrEqual(10);
    },
  );

  test.each([1, 8])(
    'is not blamed where nothing is accepted after it: it is the last of %i',
    async (count) => {
      await using service = await startImports(failing([count - 1]));
      const error = await service.stopped(rowsOf(count), bisect);
      expect(error).toMatchObject({
        resumeFrom: count - 1,
        outcome: 'unknown',
        retryable: true,
        cause: { status: 500 },
      });
      expect(error.summary).toMatchObject({ imported: count - 1, rejected: 0 });
      // The message names the row and says how to leave it out.
      expect(error.message).toContain(`row ${count - 1}`);
      expect(error.message).toContain(`resumeFrom: ${count}\``);
      const rest = await service.participants.importAll(rowsOf(count), { ...bisect, resumeFrom: count });
      expect(rest).toMatchObject({ imported: 0, resumeFrom: count });
    },
  );

  test('is found however many there are, and wherever they stand', async () => {
    const bad = Array.from({ length: 30 }, (_, index) => index * 33 + (index % 2));
    await using service = await startImports(failing(bad));
    const summary = await service.participants.importAll(rowsOf(1_000), bisect);
    expect(summary.rejections.map(({ index }) => index)).toEqual(bad);
    expect(summary).toMatchObject({ imported: 970, resumeFrom: 1_000 });
    expect(service.server.requests.length).toBeLessThan(40 + 30 * 12);
  });

  test('is found beside rows that the service rejects', async () => {
    const fail = failing([5]);
    const reject = rejecting([1, 4]);
    await using service = await startImports(async (request, exchange) => {
      const response = await fail(request, exchange);
      return response === taken ? reject(request, exchange) : response;
    });
    const { rejections } = await service.participants.importAll(rowsOf(8), bisect);
    expect(rejections.map(({ index }) => index)).toEqual([1, 4, 5]);
    // They were in a batch that got a server error.
    expect(new Set(rejections.map(({ outcome }) => outcome))).toEqual(new Set(['unknown']));
  });

  test.each([201, 500])('is none of the rows of an outage, before which %i came', async (first) => {
    await using service = await startImports((_, { number }) => ({ status: number > 1 ? 500 : first }));
    const error = await service.stopped(rowsOf(300), bisect);
    const imported = first === 201 ? 25 : 0;
    expect(error).toMatchObject({ resumeFrom: imported, retryable: true });
    expect(error.summary).toMatchObject({ imported, rejected: 0 });
    // Halves down to five single rows.
    expect(service.sent().filter(({ length }) => length === 1)).toHaveLength(5);
    expect(service.server.requests.length).toBeLessThanOrEqual(14);
  });

  test.each([
    ['begins', [201, 500, 500, 500, 500, 500]],
    ['begins while it is tried again', [201, 500, 201, 201, 500, 500, 500, 500, 500]],
    ['ends', [201, 500, 201, 201, 201]],
  ])('is never taken for one when an outage %s meanwhile', async (_, statuses) => {
    await using service = await startImports((__, { number }) => ({ status: statuses[number - 1] ?? 201 }));
    const rows = rowsOf(8);
    let rejected = 0;
    for (let resumeFrom = 0; resumeFrom < rows.length; ) {
      const summary = await service.participants
        .importAll(rows, { ...bisect, batchSize: 1, resumeFrom })
        .catch(({ summary: stopped }) => stopped);
      rejected += summary.rejected;
      resumeFrom = summary.resumeFrom;
    }
    expect(rejected).toBe(0);
  });
});

describe.each(['stop', 'reject', 'bisect'] as const)(
  'with several requests under way and failedBatches %s',
  (failedBatches) => {
    test('a batch that got a server error beside others is sent once more alone, as a locked database needs it', async () => {
      let underWay = 0;
      let isCrowded = false;
      await using service = await startImports(async () => {
        underWay += 1;
        isCrowded ||= underWay > 1;
        const status = underWay > 1 ? 500 : 201;
        await nextTurn();
        await nextTurn();
        underWay -= 1;
        return { status };
      });
      const summary = await service.participants.importAll(rowsOf(100), {
        batchSize: 10,
        concurrency: 4,
        failedBatches,
      });
      expect(isCrowded).toBe(true);
      expect(summary).toMatchObject({ imported: 100, rejected: 0 });
      expect(service.server.requests.length).toBeLessThanOrEqual(20);
    });
  },
);
