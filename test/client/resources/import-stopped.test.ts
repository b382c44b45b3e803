import { inspect } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import {
  AuthenticationError,
  ImportStoppedError,
  InternalServerError,
  isExamServiceError,
  type ParticipantImport,
  RequestValidationError,
} from '../../../src/index.ts';
import { createClient, failure, rejection } from '../../helpers/client.ts';
import { createGate, nextTurn } from '../../helpers/gate.ts';
import { rejecting, row, rowsOf, sentIn, startImports } from './helpers.ts';

describe('an import that an error stops', () => {
  test('says so although closing its source takes for ever', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const fetch = async () => new Response('{}', { status: 403 });
    const { participants } = createClient({ url: 'https://h.test' }, { fetch });
    const source = (async function* () {
      try {
        yield* rowsOf(100);
      } finally {
        await new Promise(() => {});
      }
    })();
    const ended = failure(participants.importAll(source), ImportStoppedError);
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    await vi.advanceTimersByTimeAsync(5_000);
    expect((await ended).cause).toMatchObject({ status: 403 });
  });

  test('names the row that breaks a rule, after the rows before it were sent', async () => {
    await using service = await startImports();
    const rows = rowsOf(10).with(5, { ...row(5), name: '' });
    const error = await service.stopped(rows, { batchSize: 3 });
    expect(error).toMatchObject({ name: 'ImportStoppedError', code: 'import_stopped' });
    expect(error.summary).toMatchObject({
      imported: 5,
      rejected: 0,
      processed: 5,
      resumeFrom: 5,
      rejections: [],
    });
    expect(error.cause).toBeInstanceOf(RequestValidationError);
    expect(error.cause).toMatchObject({ issues: [{ path: '5.name', message: 'must not be empty' }] });
    expect(isExamServiceError(error)).toBe(true);
    expect(inspect(error)).not.toContain('Nothing was sent');
    expect(inspect(error)).toContain('The row was not sent.');
    expect(service.sent()).toEqual([
      [0, 1, 2],
      [3, 4],
    ]);
  });

  test.each([
    [401, 'rejected'],
    [400, 'rejected'],
    [500, 'unknown'],
    [302, 'unknown'],
  ] as const)('has the outcome of its cause: %i is %s', async (status, outcome) => {
    await using service = await startImports(() => ({ status }));
    const error = await service.stopped(rowsOf(2));
    expect(error).toMatchObject({ outcome, cause: { outcome } });
  });

  test('lets the requests under way end, and counts them', async () => {
    const second = createGate();
    const gate = createGate();
    await using service = await startImports(async (_, { number }) => {
      if (number > 1) second.open();
      await (number === 1 ? second : gate).promise;
      return { status: number === 1 ? 422 : 201 };
    });
    const stopping = service.stopped(rowsOf(8), { batchSize: 2, concurrency: 2 });
    await second.promise;
    gate.open();
    const { summary } = await stopping;
    expect(summary.resumeFrom).toBe(0);
    expect(summary.imported).toBe(2 * (service.server.requests.length - 1));
  });

  test('in the middle of halving resumes behind the halves that are done', async () => {
    await using service = await startImports((_, { number }) => ({
      status: [413, 201, 401][number - 1] ?? 201,
    }));
    const { summary, cause } = await service.stopped(rowsOf(8), { failedBatches: 'bisect' });
    expect(cause).toBeInstanceOf(AuthenticationError);
    expect(summary).toMatchObject({ imported: 4, resumeFrom: 4 });
  });

  test('shows no row that the error of a parser holds, and names its code', async () => {
    await using service = await startImports();
    const source = async function* () {
      yield* rowsOf(3);
      const record = ['eva@example.com', 'Eva Lind', 'amber-quill-118'];
      throw Object.assign(new Error('Invalid record on line 5'), {
        code: 'CSV_INCONSISTENT_COLUMNS',
        record,
      });
    };
    const error = await service.stopped(source(), { batchSize: 2 });
    expect(error.message).toContain('after 3 rows (CSV_INCONSISTENT_COLUMNS): see `error.cause`');
    expect(inspect(error, { depth: 9, showHidden: true })).toContain('Invalid record on line 5');
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('amber-quill-118');
  });

  test.each([
    ['a parser', 'Invalid Closing Quote at line 2: field "password", value is "amber-quill-118', 'at line 2'],
    ['a generator', 'Unexpected token, "{"password":amber-quill-118}" is not valid JSON', 'Unexpected token'],
    ['a file', "ENOENT: no such file, open 'people.csv'", "open 'people.csv'"],
  ])('shows no cell that the words of %s quote', async (_, message, kept) => {
    await using service = await startImports();
    const source = async function* () {
      yield* rowsOf(1);
      throw new Error(message);
    };
    const error = await service.stopped(source());
    expect((error.cause as Error).message).toContain(kept);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('amber-quill-118');
  });
});

test('a batch that fails while the source hangs ends the import immediately', async () => {
  const gate = createGate();
  await using service = await startImports(async () => {
    await gate.promise;
    return { status: 500 };
  });
  const source = async function* (): AsyncGenerator<ParticipantImport> {
    yield* rowsOf(2);
    gate.open();
    await new Promise(() => {});
  };
  // Closing the source would be waited for.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const { cause } = await service.stopped(source(), { batchSize: 2, concurrency: 2 });
  expect(cause).toBeInstanceOf(InternalServerError);
});

test('a source that cannot be closed does not hide why the import stopped', async () => {
  await using service = await startImports(() => ({ status: 500 }));
  const source = {
    [Symbol.iterator]: () => ({
      next: () => ({ done: false as const, value: row(0) }),
      return: () => {
        throw new Error('the file is locked');
      },
    }),
  };
  const error = await rejection(service.participants.importAll(source, { batchSize: 1 }));
  expect(error).toMatchObject({ cause: { status: 500 } });
});

test('rows count as sent once, however often the service was asked', async () => {
  await using service = await startImports((_, { number }) => ({ status: number < 4 ? 413 : 401 }));
  const { summary } = await service.stopped(rowsOf(8), { failedBatches: 'bisect' });
  expect(summary.sent).toBe(8);
});

test('a row at fault does not end the batches that are under way', async () => {
  const reject = rejecting([0, 1]);
  const gate = createGate();
  await using service = await startImports(async (request, exchange) => {
    await gate.promise;
    return reject(request, exchange);
  });
  const rows = rowsOf(7).with(4, { ...row(4), name: '' });
  const stopping = service.stopped(rows, { batchSize: 2, concurrency: 3, failedBatches: 'bisect' });
  await service.server.arrival(2);
  gate.open();
  const { cause, summary } = await stopping;
  expect(cause).toBeInstanceOf(RequestValidationError);
  expect(summary).toMatchObject({ imported: 2, rejected: 2, resumeFrom: 4 });
});

test.each([
  ['breaks a rule', () => rowsOf(7).with(4, { ...row(4), name: '' })],
  [
    'the source fails on',
    function* () {
      yield* rowsOf(4);
      throw new Error('the file is cut');
    },
  ],
] as const)('rows before one that %s are imported, in as many requests as it takes', async (_, source) => {
  const gate = createGate();
  await using service = await startImports(async (request, { number }) => {
    if (number === 1) await gate.promise;
    return { status: sentIn(request).length > 1 ? 413 : 201, body: {} };
  });
  const stopping = service.stopped(source(), { batchSize: 4, concurrency: 2 });
  await service.server.arrival(1);
  for (let turn = 0; turn < 20; turn += 1) await nextTurn();
  gate.open();
  const { summary, message } = await stopping;
  expect(summary).toMatchObject({ imported: 4, resumeFrom: 4 });
  expect(message).toContain('stopped at row 4');
});

test('a batch that fails while an earlier one is not done has none of its rows reported, which a rerun would report again', async () => {
  const hasFailed = createGate();
  await using service = await startImports(async (request) => {
    const sent = sentIn(request);
    if (sent.includes(0)) await hasFailed.promise;
    // Row 2 is rejected alone; then the key does not work.
    return { status: sent.join() === '3' ? 401 : 422, body: {} };
  });
  const source = function* () {
    try {
      yield* rowsOf(10);
    } finally {
      hasFailed.open();
    }
  };
  const { cause, summary } = await service.stopped(source(), {
    batchSize: 2,
    concurrency: 2,
    failedBatches: 'bisect',
  });
  expect(service.sent()).toEqual([[0, 1], [2, 3], [2], [3]]);
  expect(cause).toBeInstanceOf(AuthenticationError);
  expect(summary).toMatchObject({ imported: 0, rejected: 0, rejections: [], resumeFrom: 0 });
});
