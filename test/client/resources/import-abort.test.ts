import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { ApiError, type ImportAllOptions, type ParticipantImport } from '../../../src/index.ts';
import { failure } from '../../helpers/client.ts';
import { createGate, nextTurn } from '../../helpers/gate.ts';
import { closable, rejecting, row, rowsOf, startImports } from './helpers.ts';

describe('an abort', () => {
  test('before the import sends nothing', async () => {
    await using service = await startImports();
    const reason = new Error('not now');
    const { source, state } = closable(3);
    const error = await service.stopped(source, { signal: AbortSignal.abort(reason) });
    expect(error.cause).toBe(reason);
    expect(error.summary).toMatchObject({ processed: 0, sent: 0, resumeFrom: 0 });
    expect(state.taken).toBe(0);
  });

  test('gives no verdict and no advice, even if its reason is an error of another call', async () => {
    await using service = await startImports(() => ({ status: 413 }));
    const reason = await failure(service.participants.import(rowsOf(1)), ApiError);
    const error = await service.stopped(rowsOf(3), { signal: AbortSignal.abort(reason) });
    expect(error).toMatchObject({ cause: reason, outcome: 'not_sent', retryable: false });
  });

  test('during a request ends it, carries the reason and leaves no listener', async () => {
    await using service = await startImports((_, { number }) => (number < 3 ? { status: 201 } : undefined));
    const controller = new AbortController();
    const { source, state } = closable(100);
    const options = { batchSize: 2, signal: controller.signal, failedBatches: 'reject' } as const;
    const stopping = service.stopped(source, options);
    await service.server.arrival(3);
    controller.abort('enough');
    const { cause, summary, outcome } = await stopping;
    expect({ cause, outcome }).toEqual({ cause: 'enough', outcome: 'unknown' });
    expect(summary).toMatchObject({ imported: 4, rejected: 0, sent: 6, resumeFrom: 4 });
    expect(state.closed).toBe(true);
    await nextTurn();
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  test('while the source hangs ends immediately', async () => {
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
    expect(summary).toMatchObject({ imported: 2, sent: 2, resumeFrom: 2 });
  });

  test('between two batches sends no further one and asks for no further row', async () => {
    await using service = await startImports();
    const controller = new AbortController();
    const { source, state } = closable(10);
    const { summary } = await service.stopped(source, {
      batchSize: 2,
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    expect(summary).toMatchObject({ imported: 2, sent: 2, resumeFrom: 2 });
    expect(service.server.requests).toHaveLength(1);
    expect(state.taken).toBeLessThan(4);
  });
});

const bad = { ...row(2), name: '' };

describe.each<[string, object, (pending: () => Promise<unknown>) => ImportAllOptions]>([
  ['onProgress', { imported: 2, sent: 2, rejected: 0, resumeFrom: 2 }, (onProgress) => ({ onProgress })],
  // A rerun reports a batch whose callback has not returned again.
  ['onBatch', { imported: 2, sent: 2, rejected: 0, resumeFrom: 0 }, (onBatch) => ({ onBatch })],
  [
    'onRejected, of a row that breaks a rule',
    { imported: 2, sent: 2, rejected: 0, rejections: [], resumeFrom: 2 },
    (onRejected) => ({ onRejected, invalidRows: 'reject' }),
  ],
  [
    'onRejected, of a row that was rejected',
    { imported: 1, sent: 2, rejected: 0, rejections: [], resumeFrom: 1 },
    (onRejected) => ({ onRejected, failedBatches: 'bisect' }),
  ],
])('an abort while %s is pending', (name, expected, optionsOf) => {
  const handler = name.endsWith('rejected') ? rejecting([1]) : undefined;

  test.each(['fulfils', 'rejects'])(
    'ends the import immediately, and is not undone when it %s later',
    async (ending) => {
      await using service = await startImports(handler);
      const controller = new AbortController();
      const called = createGate();
      const gate = createGate<void>();
      let calls = 0;
      const options = optionsOf(() => {
        calls += 1;
        called.open();
        return gate.promise;
      });
      const { source, state } = closable(10, [bad]);
      const stopping = service.stopped(source, { batchSize: 2, signal: controller.signal, ...options });
      await called.promise;
      controller.abort();
      const { cause, summary } = await stopping;
      expect(cause).toBe(controller.signal.reason);
      expect(state.closed).toBe(true);
      if (ending === 'fulfils') gate.open();
      else gate.fail(new Error('too late'));
      await nextTurn();
      await nextTurn();
      expect(summary).toMatchObject(expected);
      expect(calls).toBe(1);
      expect(service.server.requests.length).toBeLessThanOrEqual(2);
    },
  );
});

test('a summary does not change after an abort, when a pending function returns', async () => {
  await using service = await startImports(rejecting([1, 2]));
  const controller = new AbortController();
  const called = createGate();
  const gate = createGate<void>();
  const stopping = service.stopped(rowsOf(4), {
    failedBatches: 'bisect',
    signal: controller.signal,
    onBatch: () => {
      called.open();
      return gate.promise;
    },
  });
  await called.promise;
  controller.abort();
  const { summary } = await stopping;
  gate.open();
  await nextTurn();
  expect(summary).toMatchObject({ imported: 2, rejected: 0, rejections: [], resumeFrom: 0 });
});

describe("an abort while the source's return() is pending", () => {
  const stuck = (closing: () => void) => {
    let index = 0;
    return {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: false as const, value: row(index++) }),
        return: () => {
          closing();
          return new Promise<never>(() => {});
        },
      }),
    };
  };

  test('ends the import immediately', async () => {
    await using service = await startImports(() => undefined);
    const controller = new AbortController();
    const stopping = service.stopped(
      stuck(() => {}),
      { batchSize: 2, signal: controller.signal },
    );
    await service.server.arrival(1);
    controller.abort('enough');
    const { cause, summary } = await stopping;
    expect(cause).toBe('enough');
    expect(summary).toMatchObject({ imported: 0, sent: 2, resumeFrom: 0 });
  });

  test('that an error began still gives that error', async () => {
    await using service = await startImports(() => ({ status: 503 }));
    const controller = new AbortController();
    const closing = createGate();
    const stopping = service.stopped(stuck(closing.open), { batchSize: 2, signal: controller.signal });
    await closing.promise;
    controller.abort();
    expect((await stopping).cause).toMatchObject({ status: 503 });
  });
});
