import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { describe, expect, test } from 'vitest';
import { ConfigurationError, type ImportAllOptions, type ImportProgress } from '../../../src/index.ts';
import { failure } from '../../helpers/client.ts';
import { createGate, nextTurn } from '../../helpers/gate.ts';
import { refusing, row, rowsOf, startImports } from './helpers.ts';

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

describe('a whole import', () => {
  test('sends the rows in batches, in order, and sums up', async () => {
    await using service = await startImports();
    const summary = await service.importAll(rowsOf(250));
    expect(service.sent()).toEqual([range(0, 100), range(100, 200), range(200, 250)]);
    expect(service.server.requests[0]?.path).toBe('/participants/import');
    const { elapsedMs, ...counts } = summary;
    expect(counts).toEqual({
      processed: 250,
      imported: 250,
      failed: 0,
      batches: 3,
      rejected: [],
      resumeFrom: 250,
    });
    expect(elapsedMs).toBeGreaterThanOrEqual(0);
  });

  test.each([
    ['a generator', () => rowsOf(5).values()],
    ['a set', () => new Set(rowsOf(5))],
    ['a stream', () => Readable.from(rowsOf(5))],
    ['a web stream', () => ReadableStream.from(rowsOf(5))],
  ])('takes them from %s', async (_, source) => {
    await using service = await startImports();
    expect((await service.importAll(source(), { batchSize: 2 })).imported).toBe(5);
    expect(service.sent()).toEqual([[0, 1], [2, 3], [4]]);
  });

  test('of nothing sends nothing', async () => {
    await using service = await startImports();
    expect(await service.importAll([])).toMatchObject({ processed: 0, batches: 0, resumeFrom: 0 });
    expect(service.server.requests).toHaveLength(0);
  });

  test('passes over the rows before resumeFrom, whatever they are', async () => {
    await using service = await startImports();
    const broken = { ...row(0), email: '' };
    const summary = await service.importAll([broken, ...rowsOf(6).slice(1)], { batchSize: 2, resumeFrom: 3 });
    expect(service.sent()).toEqual([[3, 4], [5]]);
    expect(summary).toMatchObject({ processed: 3, imported: 3, resumeFrom: 6 });
  });

  test('sends rows as they were when they were read, also from a source that reuses one object', async () => {
    await using service = await startImports();
    const source = function* () {
      const reused = { ...row(0) };
      for (let index = 0; index < 3; index += 1) yield Object.assign(reused, row(index));
    };
    await service.importAll(source());
    expect(service.sent()).toEqual([[0, 1, 2]]);
  });

  test('gives its call options to every request', async () => {
    await using service = await startImports();
    await service.importAll(rowsOf(4), { batchSize: 2, headers: { 'X-Trace': 'abc' } });
    expect(service.server.requests.map(({ headers }) => headers['x-trace'])).toEqual(['abc', 'abc']);
  });
});

test('the progress is told after every batch, and waited for', async () => {
  await using service = await startImports();
  const told: ImportProgress[] = [];
  const gate = createGate();
  const importing = service.importAll(rowsOf(5), {
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
    told.map(({ processed, imported, failed, batches }) => [processed, imported, failed, batches]),
  ).toEqual([
    [2, 2, 0, 1],
    [4, 4, 0, 2],
    [5, 5, 0, 3],
  ]);
});

test('rows are taken only as there is room for their batch', async () => {
  const gates = Array.from({ length: 6 }, () => createGate());
  await using service = await startImports(async (_, { number }) => {
    await gates[number]?.promise;
    return { status: 201 };
  });
  let taken = 0;
  const source = function* () {
    for (; taken < 10; taken += 1) yield row(taken);
  };
  const importing = service.importAll(source(), { batchSize: 2, concurrency: 2 });
  await service.server.arrival(2);
  await nextTurn();
  expect(taken).toBeLessThanOrEqual(4);
  expect(service.server.requests).toHaveLength(2);
  gates[2]?.open();
  await service.server.arrival(3);
  await nextTurn();
  expect(taken).toBeLessThanOrEqual(6);
  for (const gate of gates) gate.open();
  expect(await importing).toMatchObject({ imported: 10, batches: 5, resumeFrom: 10 });
});

describe('rows that are left out are named with the reason', () => {
  const at = (index: number, change: object) =>
    rowsOf(5).map((r, i) => (i === index ? { ...r, ...change } : r));

  test.each([
    [{ email: undefined }, 'email is required'],
    [{ name: ' ' }, 'name must not be empty'],
    [{ role: 'admin' }, 'does not take role'],
  ])('where %j breaks a rule', async (change, reason) => {
    await using service = await startImports();
    const summary = await service.importAll(at(2, change), { batchSize: 2, onInvalid: 'skip' });
    expect(summary).toMatchObject({ imported: 4, failed: 1, processed: 5, rejected: [{ index: 2, reason }] });
    expect(service.sent()).toEqual([
      [0, 1],
      [3, 4],
    ]);
  });

  test('where the service refuses them, which halving finds out', async () => {
    await using service = await startImports(refusing([3, 60, 61]));
    const { rejected, ...summary } = await service.importAll(rowsOf(130), { onBatchError: 'bisect' });
    const reason = 'email: The email must be a valid email address.';
    expect(rejected).toEqual([3, 60, 61].map((index) => ({ index, reason })));
    expect(summary).toMatchObject({ imported: 127, failed: 3, processed: 130, batches: 2, resumeFrom: 130 });
  });

  test.each([400, 413])('also where it answers %i', async (status) => {
    await using service = await startImports(refusing([1], status));
    const { rejected } = await service.importAll(rowsOf(4), { onBatchError: 'bisect' });
    expect(rejected.map(({ index }) => index)).toEqual([1]);
  });

  test('with their batch, where the import is to continue without it', async () => {
    await using service = await startImports(refusing([1]));
    const summary = await service.importAll(rowsOf(6), { batchSize: 3, onBatchError: 'continue' });
    expect(summary).toMatchObject({ imported: 3, failed: 3, batches: 2 });
    expect(summary.rejected.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(summary.rejected[1]?.reason).toBe('email: The email must be a valid email address.');
    expect(summary.rejected[0]?.reason).toContain('The given data was invalid');
  });

  test.each(['continue', 'bisect'] as const)(
    'with %s, a batch that fails otherwise is not halved',
    async (mode) => {
      await using service = await startImports((_, { number }) => ({ status: number === 1 ? 500 : 201 }));
      const summary = await service.importAll(rowsOf(4), { batchSize: 2, onBatchError: mode });
      expect(service.sent()).toEqual([
        [0, 1],
        [2, 3],
      ]);
      expect(summary.rejected.map(({ index }) => index)).toEqual([0, 1]);
    },
  );

  test('and never with a password, whatever the service says', async () => {
    await using service = await startImports(({ text }) => ({ status: 422, body: { message: text } }));
    const summary = await service.importAll(rowsOf(3), { onBatchError: 'bisect' });
    expect(summary.failed).toBe(3);
    expect(JSON.stringify(summary)).not.toContain('password-of');
  });
});

test.each<[string, ImportAllOptions]>([
  ['batchSize', { batchSize: 0 }],
  ['concurrency', { concurrency: 1.5 }],
  ['resumeFrom', { resumeFrom: -1 }],
  ['onInvalid', { onInvalid: 'ignore' as 'skip' }],
  ['onBatchError', { onBatchError: 'retry' as 'stop' }],
  ['onProgress', { onProgress: 'log' as never }],
])('%s that cannot work is refused before a row is read', async (name, options) => {
  await using service = await startImports();
  const error = await failure(service.importAll(rowsOf(2), options), ConfigurationError);
  expect(error.message).toContain(`\`${name}\``);
  expect(service.server.requests).toHaveLength(0);
});

test.each([undefined, null, 5, { email: 'a@b.test' }])('%j is refused as a source', async (source) => {
  await using service = await startImports();
  const error = await failure(service.importAll(source as never), ConfigurationError);
  expect(error.message).toContain('iterable');
});
