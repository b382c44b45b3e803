import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';
import { ReadableStream } from 'node:stream/web';
import { describe, expect, test } from 'vitest';
import {
  AssignmentsStoppedError,
  BadRequestError,
  ConfigurationError,
  ImportStoppedError,
} from '../../../src/index.ts';
import { createClient, failure, rejection } from '../../helpers/client.ts';
import { createGate, nextTurn } from '../../helpers/gate.ts';
import { startService } from '../../helpers/server.ts';
import { closable } from './helpers.ts';
import { accept, jobs, settle, upTo } from './jobs-helpers.ts';

/** A source that goes on for ever, and never ends to be closed. */
function stuck(closing = () => {}): AsyncIterable<number> {
  let number = 0;
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => ({ done: false, value: number++ }),
      return: () => {
        closing();
        return new Promise(() => {});
      },
    }),
  };
}

async function stopped(job: Promise<unknown>): Promise<ImportStoppedError | AssignmentsStoppedError> {
  const error = await rejection(job);
  if (error instanceof ImportStoppedError || error instanceof AssignmentsStoppedError) return error;
  throw error;
}

describe.each(jobs)('an abort of %s', (_, run) => {
  test('before it begins takes no row and gives no verdict, even for the reason of another call', async () => {
    await using server = startService({ status: 400 });
    const client = createClient(server);
    const reason = await failure(client.exams.list(), BadRequestError);
    const { source, state } = closable(upTo(3));
    const error = await stopped(run(client, source, { signal: AbortSignal.abort(reason) }));
    expect(error).toMatchObject({ cause: reason, outcome: 'not_sent', retryable: false, resumeFrom: 0 });
    expect(state.taken).toBe(0);
    expect(server.requests).toHaveLength(1);
  });

  test('during a request ends it with the reason, closes the source and leaves no listener', async () => {
    await using server = startService((_, { number }) =>
      number < 3 ? { status: 201, body: {} } : undefined,
    );
    const { signal, abort } = controllerOf();
    const { source, state } = closable(upTo(100));
    const ended = stopped(run(createClient(server), source, { signal, concurrency: 1 }));
    await server.arrival(3);
    abort('enough');
    expect(await ended).toMatchObject({
      cause: 'enough',
      outcome: 'unknown',
      retryable: false,
      resumeFrom: 2,
    });
    expect(state.closed).toBe(true);
    await nextTurn();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('while the source hangs ends it', async () => {
    await using server = startService(accept);
    const { signal, abort } = controllerOf();
    const hanging = createGate();
    async function* source() {
      yield 0;
      hanging.open();
      await new Promise(() => {});
    }
    const ended = stopped(run(createClient(server), source(), { signal }));
    await hanging.promise;
    await settle();
    abort('enough');
    expect(await ended).toMatchObject({ cause: 'enough', outcome: 'not_sent', resumeFrom: 1 });
  });

  test('in a callback sends nothing further, and asks for no further row', async () => {
    await using server = startService(accept);
    const { signal, abort } = controllerOf();
    const { source, state } = closable(upTo(10));
    await stopped(run(createClient(server), source, { signal, concurrency: 1, onRow: () => abort() }));
    expect(server.requests).toHaveLength(1);
    expect(state.taken).toBeLessThan(3);
  });

  test('ends it although its source cannot be closed', async () => {
    await using server = startService(() => undefined);
    const { signal, abort } = controllerOf();
    const ended = stopped(run(createClient(server), stuck(), { signal }));
    await server.arrival(1);
    abort('enough');
    expect(await ended).toMatchObject({ cause: 'enough', outcome: 'unknown', resumeFrom: 0 });
  });

  test('while an error closes the source leaves it that error', async () => {
    await using server = startService({ status: 403 });
    const { signal, abort } = controllerOf();
    const closing = createGate();
    const ended = stopped(run(createClient(server), stuck(closing.open), { signal }));
    await closing.promise;
    abort('enough');
    expect((await ended).cause).toMatchObject({ status: 403 });
  });
});

function controllerOf() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: (reason?: unknown) => controller.abort(reason) };
}

describe.each(jobs)('the source of %s', (_, run, numberIn) => {
  test.each([1, 8])(
    'that fails stops it after the rows before that (concurrency %i)',
    async (concurrency) => {
      await using server = startService(accept);
      function* source() {
        yield* upTo(3);
        throw new Error('the file is broken');
      }
      const error = await stopped(run(createClient(server), source(), { concurrency }));
      const cause = new Error('the file is broken');
      expect(error).toMatchObject({ cause, resumeFrom: 3, outcome: 'not_sent', retryable: false });
      expect(server.requests).toHaveLength(3);
    },
  );

  test.each([
    ['an iterator', () => upTo(2).values()],
    ['a stream', () => ReadableStream.from(upTo(2))],
    ['a Node stream', () => Readable.from(upTo(2))],
  ])('cannot be %s that a job has read before', async (_, make) => {
    await using server = startService(accept);
    const source: Iterable<number> | AsyncIterable<number> = make();
    expect(await run(createClient(server), source)).toMatchObject({ processed: 2 });
    const error = await failure(run(createClient(server), source), ConfigurationError);
    expect(error.message).toContain('A job has read this source');
  });

  test('is passed again from its first row on, and goes on where the job stopped', async () => {
    let isOver = false;
    await using server = startService((request) =>
      numberIn(request) > 4 && !isOver ? { status: 403 } : { status: 201, body: {} },
    );
    const client = createClient(server);
    const error = await stopped(run(client, upTo(9), { resumeFrom: 2, concurrency: 1 }));
    expect(error).toMatchObject({ resumeFrom: 5, summary: { processed: 5, resumeFrom: 5 } });
    isOver = true;
    const { resumeFrom } = error;
    const called: number[] = [];
    const summary = await run(client, upTo(9), { resumeFrom, onRow: (index) => called.push(index) });
    expect(called).toEqual([5, 6, 7, 8]);
    expect(summary).toMatchObject({ processed: 9, resumeFrom: 9 });
  });

  test('that ends before resumeFrom is not the same one, and stops it', async () => {
    await using server = startService(accept);
    const error = await stopped(run(createClient(server), upTo(3), { resumeFrom: 4 }));
    expect(error).toMatchObject({ outcome: 'not_sent', resumeFrom: 4 });
    expect(error.cause).toBeInstanceOf(ConfigurationError);
    expect(error.message).toContain('the source has 3 rows: pass all of them again');
    expect(error.message).not.toContain('resumeFrom');
    expect(await run(createClient(server), upTo(3), { resumeFrom: 3 })).toMatchObject({ resumeFrom: 3 });
  });
});
