import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { ImportAllOptions, ImportedBatch, ImportProgress, RejectedRow } from '../../../src/index.ts';
import { throwing } from '../../helpers/client.ts';
import { rejecting, row, rowsOf, startImports } from './helpers.ts';

describe('onProgress', () => {
  test('is called after every batch', async () => {
    await using service = await startImports();
    const reported: ImportProgress[] = [];
    const onProgress = (progress: ImportProgress) => void reported.push(progress);
    await service.participants.importAll(rowsOf(5), { batchSize: 2, onProgress });
    expect(
      reported.map(({ processed, imported, rejected, batches }) => [processed, imported, rejected, batches]),
    ).toEqual([
      [2, 2, 0, 1],
      [4, 4, 0, 2],
      [5, 5, 0, 3],
    ]);
  });

  test('counts from the start of the source after resumeFrom, so that processed of total is the part done', async () => {
    await using service = await startImports();
    const reported: [number, number | null][] = [];
    await service.participants.importAll(rowsOf(10), {
      batchSize: 2,
      resumeFrom: 5,
      map: (participant, index) => (index === 6 ? null : participant),
      onProgress: ({ processed, total }) => reported.push([processed, total]),
    });
    expect(reported).toEqual([
      [8, 10],
      [10, 10],
    ]);
  });

  test.each<[string, () => Iterable<unknown> | AsyncIterable<unknown>, number | null]>([
    ['an array', () => [0, 1, 2], 3],
    ['a Set', () => new Set([0, 1, 2]), 3],
    ['a Map', () => new Map([[0, 1]]), 1],
    ['a typed array', () => new Float64Array(4), 4],
    ['a generator', () => [0, 1].values(), null],
    [
      'an async source, even with a length',
      () =>
        Object.assign(
          (async function* () {
            yield 0;
          })(),
          { length: 7 },
        ),
      null,
    ],
  ])('knows the total of %s, or that it is unknown', async (_, source, total) => {
    await using service = await startImports();
    const reported: (number | null)[] = [];
    const summary = await service.participants.importAll(source(), {
      map: (__, index) => row(index),
      onProgress: (progress) => reported.push(progress.total),
    });
    expect(reported).toEqual([total]);
    expect(summary.total).toBe(total);
  });
});

describe('onRejected', () => {
  test('gets each rejected row as it is found, and the summary lists them too', async () => {
    await using service = await startImports(rejecting([3]));
    const reported: (RejectedRow | string)[] = [];
    const summary = await service.participants.importAll(rowsOf(6).with(1, { ...row(1), name: '' }), {
      batchSize: 3,
      invalidRows: 'reject',
      failedBatches: 'bisect',
      onRejected: (rejection) => reported.push(rejection),
      onProgress: ({ rejected }) => reported.push(`${rejected} so far`),
    });
    const rejections = [
      { index: 1, message: 'name must not be empty', outcome: 'not_sent', duplicateOf: null },
      {
        index: 3,
        message: 'email: The email must be a valid email address.',
        outcome: 'rejected',
        duplicateOf: null,
      },
    ];
    expect(reported).toEqual([...rejections, '2 so far', '2 so far']);
    expect(summary).toMatchObject({ imported: 4, rejected: 2, processed: 6 });
    expect(summary.rejections).toEqual(rejections);
  });

  test('gets the row as the source gave it, which no printed rejection shows', async () => {
    await using service = await startImports(rejecting([1]));
    const lines = rowsOf(2).map((participant, line) => ({ line, participant }));
    const reported: RejectedRow<(typeof lines)[number]>[] = [];
    const summary = await service.participants.importAll(lines, {
      failedBatches: 'bisect',
      map: ({ participant }) => participant,
      onRejected: (rejection) => reported.push(rejection),
    });
    expect(reported[0]?.row).toBe(lines[1]);
    expect(inspect(reported) + JSON.stringify([reported, summary])).not.toContain('password-of');
  });
});

describe('onBatch', () => {
  const importing = async (options: ImportAllOptions, bad: number[] = []) => {
    await using service = await startImports(rejecting(bad));
    const reported: ImportedBatch[] = [];
    await service.participants.importAll(rowsOf(6), {
      batchSize: 3,
      failedBatches: 'bisect',
      onBatch: (batch) => reported.push(batch),
      ...options,
    });
    return reported;
  };

  test('gets every accepted request, with its rows and its response', async () => {
    const acknowledgement = { message: 'Imported', data: null };
    expect(await importing({})).toMatchObject([
      { from: 0, to: 3, acknowledgement },
      { from: 3, to: 6, acknowledgement },
    ]);
  });

  test('counts rows from the start of the source, the ones left out in between included', async () => {
    const reported = await importing({ resumeFrom: 1 }, [2]);
    expect(reported.map(({ from, to }) => [from, to])).toEqual([
      [1, 4],
      [4, 6],
    ]);
  });
});

test.each<[name: string, fail: (full: Error) => ImportAllOptions, summary: object]>([
  ['onProgress', (full) => ({ onProgress: throwing(full) }), { imported: 3, rejected: 0, resumeFrom: 3 }],
  [
    'onRejected',
    (full) => ({ onRejected: ({ index }) => index > 3 && throwing(full)() }),
    { imported: 4, rejected: 0, resumeFrom: 4 },
  ],
])('%s that throws stops the import at what a rerun reports again', async (name, fail, expected) => {
  await using service = await startImports(rejecting([4, 5]));
  const full = new Error('the disk is full');
  const options = { batchSize: 3, failedBatches: 'bisect', ...fail(full) } as const;
  const { cause, summary, message } = await service.stopped(rowsOf(9), options);
  expect(cause).toBe(full);
  expect(message).toContain(`\`${name}\` failed`);
  expect(summary).toMatchObject(expected);
});
