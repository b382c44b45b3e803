import { describe, expect, test } from 'vitest';
import type { ImportedBatch } from '../../../src/index.ts';
import { someOf } from '../../helpers/requirements.ts';
import type { Handler } from '../../helpers/server.ts';
import { rowsOf, startImports } from './helpers.ts';

const json = { 'content-type': 'application/json' };
const html = { 'content-type': 'text/html' };

describe.each<[string, Handler]>([
  [
    'a warning of PHP before its JSON',
    () => ({ status: 201, headers: html, body: 'Warning: Undefined variable $x\n{"message":"Imported"}' }),
  ],
  ['a body that is cut short', () => ({ status: 201, headers: json, body: '{"message":"Imp' })],
  [
    'a connection that breaks within its body',
    (_, { begin, reset }) => {
      begin({ status: 201, headers: json }, '{"message":"Imp');
      setImmediate(reset);
      return undefined;
    },
  ],
])('a success with %s', (_, handler) => {
  test.each(['stop', 'reject', 'bisect'] as const)('counts as all rows of its batch (%s)', async (mode) => {
    await using service = await startImports(handler);
    const reported: ImportedBatch[] = [];
    const summary = await service.participants.importAll(rowsOf(5), {
      batchSize: 2,
      failedBatches: mode,
      onBatch: (batch) => reported.push(batch),
    });
    expect(summary).toMatchObject({ imported: 5, rejected: 0, batches: 3, resumeFrom: 5 });
    expect(service.sent()).toEqual([[0, 1], [2, 3], [4]]);
    const acknowledgement = { message: null, data: null, body: null };
    expect(reported).toEqual([
      { from: 0, to: 2, acknowledgement },
      { from: 2, to: 4, acknowledgement },
      { from: 4, to: 5, acknowledgement },
    ]);
  });
});

test('a success that cannot be read shows that the service is up, so a row on which it fails is left out', async () => {
  await using service = await startImports((_, { number }) =>
    [2, 4].includes(number) ? { status: 500 } : { status: 201, headers: json, body: '{"message":"Imp' },
  );
  const options = { batchSize: 1, failedBatches: 'bisect' } as const;
  const summary = await service.participants.importAll(rowsOf(3), options);
  expect(service.sent()).toEqual([[0], [1], [2], [1]]);
  expect(summary).toMatchObject({ imported: 2, rejected: 1, rejections: [{ index: 1 }] });
});

test('a rejection behind a PHP warning is a rejection', async () => {
  const body = 'Warning: Undefined variable $x\n{"success":false,"message":"No."}';
  await using service = await startImports(() => ({ status: 201, headers: html, body }));
  const summary = await service.participants.importAll(rowsOf(2), { failedBatches: 'reject' });
  expect(summary).toMatchObject({ imported: 0, rejected: 2 });
});

describe.each(['error', 'errors', 'failed', 'failures', 'rejected', 'skipped', 'invalid'])(
  'a success that names failed rows under %s',
  (key) => {
    const list = { message: 'Imported', data: { id: 1 }, [key]: [{ row: 1 }] };
    const count = { message: 'Imported', data: { [key]: 1, imported: 2 } };

    test.each(someOf([list, count]))('stops the import, and its rows may be stored: %j', async (body) => {
      await using service = await startImports(() => ({ status: 201, body }));
      const { message, ...error } = await service.stopped(rowsOf(3), { failedBatches: 'bisect' });
      expect(error).toMatchObject({ outcome: 'unknown', retryable: false, resumeFrom: 0 });
      expect(message).toContain(key);
    });

    test('is judged by `onBatch` where there is one', async () => {
      await using service = await startImports(() => ({ status: 201, body: count }));
      const reported: unknown[] = [];
      const onBatch = ({ acknowledgement }: ImportedBatch) => reported.push(acknowledgement.data);
      expect(await service.participants.importAll(rowsOf(3), { onBatch })).toMatchObject({ imported: 3 });
      expect(reported).toEqual([count.data]);
    });
  },
);

test.each([{ message: 'Multi-Status' }, '', { success: true }])(
  'a 207, by which parts may have failed, stops the import unless `onBatch` judges it: %j',
  async (body) => {
    await using service = await startImports(() => ({ status: 207, body }));
    const error = await service.stopped(rowsOf(3), { failedBatches: 'bisect' });
    expect(error).toMatchObject({ outcome: 'unknown', retryable: false, resumeFrom: 0 });
    expect(error.message).toContain('207');
    const onBatch = () => {};
    expect(await service.participants.importAll(rowsOf(3), { onBatch })).toMatchObject({ imported: 3 });
  },
);

test.each([[], 0, null, 'none', {}])('a success that names nobody (%j) is one', async (failed) => {
  await using service = await startImports(() => ({
    status: 201,
    body: { failed, data: { errors: failed } },
  }));
  expect(await service.participants.importAll(rowsOf(3))).toMatchObject({ imported: 3 });
});

test.each([
  ['plain text', 'text/plain', 'Imported'],
  ['a page', 'text/html', '<html>Imported</html>'],
])('a success with %s, which a proxy may have sent, stops the import', async (_, type, body) => {
  await using service = await startImports(() => ({ status: 201, headers: { 'content-type': type }, body }));
  const { outcome, summary } = await service.stopped(rowsOf(2));
  expect({ outcome, imported: summary.imported }).toEqual({ outcome: 'unknown', imported: 0 });
});
