import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { describe, expect, test } from 'vitest';
import { ConfigurationError, type ImportAllOptions } from '../../../src/index.ts';
import { createClient, failure, nowhere } from '../../helpers/client.ts';
import { createGate, nextTurn } from '../../helpers/gate.ts';
import { rejecting, row, rowsOf, startImports } from './helpers.ts';

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

describe('a whole import', () => {
  test('sends the rows in batches, in order, and sums up', async () => {
    await using service = await startImports();
    const summary = await service.participants.importAll(rowsOf(60));
    expect(service.sent()).toEqual([range(0, 25), range(25, 50), range(50, 60)]);
    expect(service.server.requests[0]?.path).toBe('/participants/import');
    const { elapsedMs, ...counts } = summary;
    expect(counts).toEqual({
      processed: 60,
      imported: 60,
      rejected: 0,
      skipped: 0,
      batches: 3,
      total: 60,
      known: null,
      sent: 60,
      requests: 3,
      rejections: [],
      resumeFrom: 60,
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
    expect((await service.participants.importAll(source(), { batchSize: 2 })).imported).toBe(5);
    expect(service.sent()).toEqual([[0, 1], [2, 3], [4]]);
  });

  test('of nothing sends nothing', async () => {
    await using service = await startImports();
    expect(await service.participants.importAll([])).toMatchObject({
      processed: 0,
      batches: 0,
      resumeFrom: 0,
    });
    expect(service.server.requests).toHaveLength(0);
  });

  test('skips the rows before resumeFrom, even invalid ones', async () => {
    await using service = await startImports();
    const broken = { ...row(0), email: '' };
    const summary = await service.participants.importAll([broken, ...rowsOf(6).slice(1)], {
      batchSize: 2,
      resumeFrom: 3,
    });
    expect(service.sent()).toEqual([[3, 4], [5]]);
    expect(summary).toMatchObject({ processed: 6, imported: 3, resumeFrom: 6 });
  });

  test('sends rows as they were when they were read, also from a source that reuses one object', async () => {
    await using service = await startImports();
    const source = function* () {
      const reused = { ...row(0) };
      for (let index = 0; index < 3; index += 1) yield Object.assign(reused, row(index));
    };
    await service.participants.importAll(source());
    expect(service.sent()).toEqual([[0, 1, 2]]);
  });
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
  const importing = service.participants.importAll(source(), { batchSize: 2, concurrency: 2 });
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
  ])('where %j breaks a rule', async (change, message) => {
    await using service = await startImports();
    const summary = await service.participants.importAll(at(2, change), {
      batchSize: 2,
      invalidRows: 'reject',
    });
    expect(summary).toMatchObject({
      imported: 4,
      rejected: 1,
      processed: 5,
      rejections: [{ index: 2, message }],
    });
    expect(service.sent()).toEqual([
      [0, 1],
      [3, 4],
    ]);
  });

  test.each([409, 422])('with their batch, which %i rejects, where the import continues', async (status) => {
    await using service = await startImports(rejecting([1], status));
    const summary = await service.participants.importAll(rowsOf(6), {
      batchSize: 3,
      failedBatches: 'reject',
    });
    expect(summary).toMatchObject({ imported: 3, rejected: 3, batches: 2 });
    expect(summary.rejections.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(summary.rejections[1]?.message).toContain('must be a valid email address.');
    expect(summary.rejections[0]?.message).toContain('The given data was invalid');
  });

  test('and never with a password, even if the service quotes it', async () => {
    await using service = await startImports(({ text }) => ({ status: 422, body: { message: text } }));
    const summary = await service.participants.importAll(rowsOf(3), { failedBatches: 'bisect' });
    expect(summary.rejected).toBe(3);
    expect(JSON.stringify(summary)).not.toContain('password-of');
  });
});

test.each<[string, ImportAllOptions]>([
  ['batchSize', { batchSize: 0 }],
  ['concurrency', { concurrency: 1.5 }],
  ['resumeFrom', { resumeFrom: -1 }],
  ['invalidRows', { invalidRows: 'ignore' as 'reject' }],
  ['failedBatches', { failedBatches: 'retry' as 'stop' }],
  ['signal', { signal: 5 as never }],
  ['map', { map: {} as never }],
  ['onRejected', { onRejected: [] as never }],
  ['onBatch', { onBatch: true as never }],
  ['onProgress', { onProgress: 'log' as never }],
  ['timeout', { timeout: -1 }],
  ['batchsize', { batchsize: 5 } as never],
  ['maxItems', { maxItems: undefined } as never],
  ['toString', { toString: () => '' } as never],
])('%s that is unknown or cannot work is rejected before a row is read', async (name, options) => {
  await using service = await startImports();
  const error = await failure(service.participants.importAll(rowsOf(2), options), ConfigurationError);
  expect(error.message).toContain(`\`${name}\``);
  expect(service.server.requests).toHaveLength(0);
});

test.each<[unknown, string]>([
  [undefined, 'iterable'],
  [{ email: 'a@b.test' }, 'iterable'],
  ['students.csv', 'The source is a string: pass rows'],
  [Promise.resolve([]), 'await a Promise first'],
])('%j is rejected as a source', async (source, advice) => {
  const { participants } = createClient(nowhere);
  const error = await failure(participants.importAll(source as never), ConfigurationError);
  expect(error.message).toContain(advice);
});
