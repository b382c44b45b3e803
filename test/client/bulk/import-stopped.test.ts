import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import {
  AuthenticationError,
  InternalServerError,
  isExamServiceError,
  type ParticipantImport,
  RequestValidationError,
} from '../../../src/index.ts';
import { rejection } from '../../helpers/client.ts';
import { createGate, nextTurn } from '../../helpers/gate.ts';
import { refusing, row, rowsOf, startImports } from './helpers.ts';

/** A source that notes whether it was closed. */
function closable(count: number) {
  const state = { closed: false, taken: 0 };
  const source = (function* () {
    try {
      for (; state.taken < count; state.taken += 1) yield row(state.taken);
    } finally {
      state.closed = true;
    }
  })();
  return { state, source };
}

describe('an import that an error stops', () => {
  test('names the row that breaks a rule, after the rows before it were sent', async () => {
    await using service = await startImports();
    const rows = rowsOf(10).with(5, { ...row(5), name: '' });
    const error = await service.stopped(rows, { batchSize: 3 });
    expect(error).toMatchObject({ name: 'ImportStoppedError', code: 'import_stopped' });
    expect(error.summary).toMatchObject({
      imported: 5,
      failed: 0,
      processed: 5,
      resumeFrom: 5,
      rejected: [],
    });
    expect(error.cause).toBeInstanceOf(RequestValidationError);
    expect(error.cause).toMatchObject({ issues: [{ path: '5.name', message: 'must not be empty' }] });
    expect(isExamServiceError(error)).toBe(true);
    expect(service.sent()).toEqual([
      [0, 1, 2],
      [3, 4],
    ]);
  });

  test('carries the error of the batch, and a rerun does the rest', async () => {
    let isDown = true;
    await using service = await startImports((_, { number }) => ({
      status: number === 3 && isDown ? 500 : 201,
    }));
    const { source, state } = closable(10);
    const error = await service.stopped(source, { batchSize: 2 });
    expect(error.cause).toBeInstanceOf(InternalServerError);
    expect(error.message).toContain('resumeFrom: 4');
    expect(error.summary).toMatchObject({ imported: 4, batches: 2, resumeFrom: 4 });
    expect(state.closed).toBe(true);
    isDown = false;
    const rest = await service.importAll(rowsOf(10), { batchSize: 2, resumeFrom: error.summary.resumeFrom });
    expect(rest.imported + error.summary.imported).toBe(10);
  });

  test('lets the requests under way end, and counts them', async () => {
    const gate = createGate();
    await using service = await startImports(async (_, { number }) => {
      if (number === 1) return { status: 422 };
      await gate.promise;
      return { status: 201 };
    });
    const stopping = service.stopped(rowsOf(8), { batchSize: 2, concurrency: 2 });
    await service.server.arrival(2);
    gate.open();
    const { summary } = await stopping;
    expect(summary.resumeFrom).toBe(0);
    expect(summary.imported).toBe(2 * (service.server.requests.length - 1));
  });

  test.each([401, 403])('stops at %i in every mode, because no batch would pass', async (status) => {
    await using service = await startImports(() => ({ status }));
    for (const onBatchError of ['stop', 'continue', 'bisect'] as const) {
      const { summary } = await service.stopped(rowsOf(4), { batchSize: 2, onBatchError });
      expect(summary).toMatchObject({ imported: 0, failed: 0, resumeFrom: 0 });
    }
    expect(service.server.requests).toHaveLength(3);
  });

  test('in the middle of halving resumes behind the halves that are done', async () => {
    const refuse = refusing([5]);
    await using service = await startImports((request, exchange) =>
      exchange.number === 4 ? { status: 401 } : refuse(request, exchange),
    );
    const { summary, cause } = await service.stopped(rowsOf(8), { onBatchError: 'bisect' });
    expect(cause).toBeInstanceOf(AuthenticationError);
    expect(summary).toMatchObject({ imported: 4, resumeFrom: 4 });
  });

  test('carries what the source threw, after the rows before it were sent', async () => {
    await using service = await startImports();
    const broken = new Error('line 3 of the file is cut short: secret-of-the-file');
    const source = async function* () {
      yield* rowsOf(3);
      throw broken;
    };
    const error = await service.stopped(source(), { batchSize: 2 });
    expect(error.cause).toBe(broken);
    expect(error.message).not.toContain('secret-of-the-file');
    expect(error.summary).toMatchObject({ imported: 3, resumeFrom: 3 });
  });

  test('carries what onProgress threw', async () => {
    await using service = await startImports();
    const full = new Error('the disk is full');
    const { cause, summary } = await service.stopped(rowsOf(6), {
      batchSize: 2,
      onProgress: () => {
        throw full;
      },
    });
    expect(cause).toBe(full);
    expect(summary).toMatchObject({ imported: 2, resumeFrom: 2 });
  });
});

describe('an abort', () => {
  test('before the import sends nothing', async () => {
    await using service = await startImports();
    const reason = new Error('not now');
    const { source, state } = closable(3);
    const error = await service.stopped(source, { signal: AbortSignal.abort(reason) });
    expect(error.cause).toBe(reason);
    expect(error.summary).toMatchObject({ processed: 0, resumeFrom: 0 });
    expect(state.taken).toBe(0);
  });

  test('during a request ends it, carries the reason and leaves no listener', async () => {
    await using service = await startImports((_, { number }) => (number < 3 ? { status: 201 } : undefined));
    const controller = new AbortController();
    const { source, state } = closable(100);
    const options = { batchSize: 2, signal: controller.signal, onBatchError: 'continue' } as const;
    const stopping = service.stopped(source, options);
    await service.server.arrival(3);
    controller.abort('enough');
    const { cause, summary } = await stopping;
    expect(cause).toBe('enough');
    expect(summary).toMatchObject({ imported: 4, failed: 0, resumeFrom: 4 });
    expect(state.closed).toBe(true);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  test('while the source hangs ends at once', async () => {
    await using service = await startImports();
    const controller = new AbortController();
    const waiting = createGate();
    const source = async function* (): AsyncGenerator<ParticipantImport> {
      yield* rowsOf(3);
      waiting.open();
      await new Promise(() => {});
    };
    const stopping = service.stopped(source(), { batchSize: 2, signal: controller.signal });
    await waiting.promise;
    await nextTurn();
    controller.abort();
    const { cause, summary } = await stopping;
    expect(cause).toBe(controller.signal.reason);
    expect(summary).toMatchObject({ imported: 2, resumeFrom: 2 });
  });
});

test('a batch that fails while the source hangs ends the import at once', async () => {
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
  const error = await rejection(service.importAll(source, { batchSize: 1 }));
  expect(error).toMatchObject({ cause: { status: 500 } });
});
