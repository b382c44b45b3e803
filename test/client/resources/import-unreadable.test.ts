import { describe, expect, test } from 'vitest';
import type { ImportedBatch } from '../../../src/index.ts';
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
  test.each(['stop', 'continue', 'bisect'] as const)('counts as all rows of its batch (%s)', async (mode) => {
    await using service = await startImports(handler);
    const told: ImportedBatch[] = [];
    const summary = await service.participants.importAll(rowsOf(5), {
      batchSize: 2,
      onBatchError: mode,
      onBatch: (batch) => told.push(batch),
    });
    expect(summary).toMatchObject({ imported: 5, failed: 0, batches: 3, resumeFrom: 5 });
    expect(service.sent()).toEqual([[0, 1], [2, 3], [4]]);
    const acknowledgement = { message: null, data: null, body: null };
    expect(told).toEqual([
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
  const options = { batchSize: 1, onBatchError: 'bisect' } as const;
  const summary = await service.participants.importAll(rowsOf(3), options);
  expect(service.sent()).toEqual([[0], [1], [0], [1], [0], [2]]);
  expect(summary).toMatchObject({ imported: 2, failed: 1, rejected: [{ index: 1 }] });
});

test('a refusal behind a warning of PHP is a refusal', async () => {
  const body = 'Warning: Undefined variable $x\n{"success":false,"message":"No."}';
  await using service = await startImports(() => ({ status: 201, headers: html, body }));
  const summary = await service.participants.importAll(rowsOf(2), { onBatchError: 'continue' });
  expect(summary).toMatchObject({ imported: 0, failed: 2 });
});

test.each([
  ['plain text', 'text/plain', 'Imported'],
  ['a page', 'text/html', '<html>Imported</html>'],
])('a success with %s, which a proxy may have sent, stops the import', async (_, type, body) => {
  await using service = await startImports(() => ({ status: 201, headers: { 'content-type': type }, body }));
  const { outcome, summary } = await service.stopped(rowsOf(2));
  expect({ outcome, imported: summary.imported }).toEqual({ outcome: 'unknown', imported: 0 });
});
