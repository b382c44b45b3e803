import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { ImportAllOptions, ImportedBatch, ImportProgress, RejectedRow } from '../../../src/index.ts';
import { createGate, nextTurn } from '../../helpers/gate.ts';
import { refusing, row, rowsOf, startImports } from './helpers.ts';

describe('onProgress', () => {
  test('is told after every batch, and waited for', async () => {
    await using service = await startImports();
    const told: ImportProgress[] = [];
    const gate = createGate();
    const importing = service.participants.importAll(rowsOf(5), {
      batchSize: 2,
      onProgress: async (progress) => {
        told.push(progress);
        await gate.promise;
      },
    });
    await service.server.arrival(1);
    while (told.length === 0) await nextTurn();
    await nextTurn();
    expect(service.server.requests).toHaveLength(1);
    gate.open();
    await importing;
    expect(
      told.map(({ processed, imported, rejected, batches }) => [processed, imported, rejected, batches]),
    ).toEqual([
      [2, 2, 0, 1],
      [4, 4, 0, 2],
      [5, 5, 0, 3],
    ]);
  });

  test('counts from the start of the source after resumeFrom, so that processed of total is the part done', async () => {
    await using service = await startImports();
    const told: [number, number | null][] = [];
    await service.participants.importAll(rowsOf(10), {
      batchSize: 2,
      resumeFrom: 5,
      map: (participant, index) => (index === 6 ? null : participant),
      onProgress: ({ processed, total }) => told.push([processed, total]),
    });
    expect(told).toEqual([
      [8, 10],
      [10, 10],
    ]);
  });

  test.each<[string, () => Iterable<unknown> | AsyncIterable<unknown>, number | null]>([
    ['an array', () => [0, 1, 2], 3],
    ['a Set', () => new Set([0, 1, 2]), 3],
    ['a Map', () => new Map([[0, 1]]), 1],
    ['a typed array', () => new Float64Array(4), 4],
    ['a string', () => 'ab', null],
    ['a generator', () => [0, 1].values(), null],
    [
      'an async source, whatever its length means',
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
    const told: (number | null)[] = [];
    const summary = await service.participants.importAll(source(), {
      map: (__, index) => row(index),
      onProgress: (progress) => told.push(progress.total),
    });
    expect(told).toEqual([total]);
    expect(summary.total).toBe(total);
  });
});

describe('onRejected', () => {
  test('is told of each row as it is found, and then nothing is gathered', async () => {
    await using service = await startImports(refusing([3]));
    const told: (RejectedRow | string)[] = [];
    const summary = await service.participants.importAll(rowsOf(6).with(1, { ...row(1), name: '' }), {
      batchSize: 3,
      onInvalid: 'reject',
      onBatchError: 'bisect',
      onRejected: (rejection) => told.push(rejection),
      onProgress: ({ rejected }) => told.push(`${rejected} so far`),
    });
    expect(told).toEqual([
      { index: 1, reason: 'name must not be empty', outcome: 'not_sent' },
      { index: 3, reason: 'email: The email must be a valid email address.', outcome: 'rejected' },
      '2 so far',
      '2 so far',
    ]);
    expect(summary).toMatchObject({ imported: 4, rejected: 2, processed: 6, rejections: [] });
  });

  test('gets the row as the source gave it, which no printed rejection shows', async () => {
    await using service = await startImports(refusing([1]));
    const lines = rowsOf(2).map((participant, line) => ({ line, participant }));
    const told: RejectedRow<(typeof lines)[number]>[] = [];
    const summary = await service.participants.importAll(lines, {
      onBatchError: 'bisect',
      map: ({ participant }) => participant,
      onRejected: (rejection) => told.push(rejection),
    });
    expect(told[0]?.row).toBe(lines[1]);
    expect(inspect(told) + JSON.stringify([told, summary])).not.toContain('password-of');
  });

  test('is waited for before further rows are taken', async () => {
    await using service = await startImports();
    const gate = createGate();
    const waiting = createGate();
    let taken = 0;
    const source = function* () {
      for (; taken < 50; taken += 1) yield { ...row(taken), name: '' };
    };
    const importing = service.participants.importAll(source(), {
      onInvalid: 'reject',
      onRejected: () => {
        waiting.open();
        return gate.promise;
      },
    });
    await waiting.promise;
    await nextTurn();
    expect(taken).toBe(0);
    gate.open();
    expect((await importing).rejected).toBe(50);
  });

  test('that throws stops the import at a row that it has not taken note of, for a rerun to tell again', async () => {
    await using service = await startImports(refusing([4, 5]));
    const full = new Error('the disk is full');
    const told: number[] = [];
    const { cause, summary, message } = await service.stopped(rowsOf(9), {
      batchSize: 3,
      onBatchError: 'bisect',
      onRejected: ({ index }) => {
        if (index === 5) throw full;
        told.push(index);
      },
    });
    expect(cause).toBe(full);
    expect(message).toContain('`onRejected` failed');
    expect(told).toEqual([4]);
    expect(summary).toMatchObject({ imported: 4, rejected: 1, resumeFrom: 5 });
  });
});

describe('onBatch', () => {
  const importing = async (options: ImportAllOptions, bad: number[] = []) => {
    await using service = await startImports(refusing(bad));
    const told: ImportedBatch[] = [];
    await service.participants.importAll(rowsOf(6), {
      batchSize: 3,
      onBatchError: 'bisect',
      onBatch: (batch) => told.push(batch),
      ...options,
    });
    return told;
  };

  test('is told of every request that the service took, with its rows and its answer', async () => {
    const acknowledgement = { message: 'Imported', data: null };
    expect(await importing({})).toMatchObject([
      { from: 0, to: 3, acknowledgement },
      { from: 3, to: 6, acknowledgement },
    ]);
  });

  test('counts rows from the start of the source, the ones left out in between included', async () => {
    const told = await importing({ resumeFrom: 1 }, [2]);
    expect(told.map(({ from, to }) => [from, to])).toEqual([
      [1, 4],
      [4, 6],
    ]);
  });

  test('that throws stops the import, behind the rows that the service took', async () => {
    await using service = await startImports();
    const full = new Error('the disk is full');
    const { cause, summary, message } = await service.stopped(rowsOf(6), {
      batchSize: 2,
      onBatch: ({ from }) => {
        if (from === 2) throw full;
      },
    });
    expect(cause).toBe(full);
    expect(message).toContain('`onBatch` failed');
    expect(summary).toMatchObject({ imported: 4, batches: 1, resumeFrom: 4 });
    expect(service.server.requests).toHaveLength(2);
  });
});
