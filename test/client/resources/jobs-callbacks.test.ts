import { describe, expect, test } from 'vitest';
import { ConfigurationError } from '../../../src/index.ts';
import { createClient, failure, nowhere, rejection } from '../../helpers/client.ts';
import { createGate, nextTurn } from '../../helpers/gate.ts';
import { startService } from '../../helpers/server.ts';
import { accept, jobs, settle, upTo } from './jobs-helpers.ts';

describe.each(jobs)('the callbacks of %s', (_, run, numberIn) => {
  test('are called one at a time, in the order of the source, and awaited', async () => {
    // Later ones are settled first.
    await using server = startService(async (request) => {
      for (let turn = numberIn(request) % 4; turn < 4; turn += 1) await nextTurn();
      return { status: 201, body: {} };
    });
    const called: number[] = [];
    let running = 0;
    const summary = await run(createClient(server), upTo(40), {
      concurrency: 4,
      onRow: async (index) => {
        running += 1;
        expect(running).toBe(1);
        await nextTurn();
        running -= 1;
        called.push(index);
      },
    });
    expect(called).toEqual(upTo(40));
    expect(summary).toMatchObject({ processed: 40, resumeFrom: 40 });
  });

  test('get a row that is settled while the source is still waited for', async () => {
    await using server = startService(accept);
    const gate = createGate();
    const reported = createGate();
    async function* source() {
      yield 0;
      await gate.promise;
      yield 1;
    }
    const job = run(createClient(server), source(), { concurrency: 2, onRow: () => reported.open() });
    await reported.promise;
    gate.open();
    expect(await job).toMatchObject({ processed: 2 });
  });

  test('let nothing new begin while one runs, even if the source gives a row then', async () => {
    await using server = startService(accept);
    const inCallback = createGate();
    const returning = createGate();
    async function* source() {
      yield 0;
      await inCallback.promise;
      yield* upTo(9);
    }
    const job = run(createClient(server), source(), {
      concurrency: 4,
      onRow: (index) => {
        if (index > 0) return;
        inCallback.open();
        return returning.promise;
      },
    });
    await inCallback.promise;
    await settle();
    expect(server.requests).toHaveLength(1);
    returning.open();
    expect(await job).toMatchObject({ processed: 10 });
  });

  test('that wait for a row let at most 1,000 others be settled behind it', async () => {
    const slow = createGate();
    await using server = startService(async (request) => {
      if (numberIn(request) === 0) await slow.promise;
      return { status: 201, body: {} };
    });
    const called: number[] = [];
    const job = run(createClient(server), upTo(1_500), {
      concurrency: 2,
      onRow: (index) => called.push(index),
    });
    await server.arrival(1 + 1_000);
    await settle();
    expect(server.requests).toHaveLength(1 + 1_000);
    expect(called).toEqual([]);
    slow.open();
    expect(await job).toMatchObject({ processed: 1_500 });
    expect(called).toEqual(upTo(1_500));
  });

  test('stop the job with what one throws, at its row, which a rerun reports again', async () => {
    await using server = startService(accept);
    const client = createClient(server);
    const full = new Error('the disk is full');
    const called: number[] = [];
    const job = run(client, upTo(9), {
      concurrency: 2,
      onRow: (index) => {
        if (index === 3) throw full;
        called.push(index);
      },
    });
    const error = (await rejection(job)) as Error;
    expect(error).toMatchObject({
      code: expect.stringContaining('stopped'),
      cause: full,
      message: expect.stringContaining('the disk is full'),
      resumeFrom: 3,
      summary: { resumeFrom: 3 },
      retryable: false,
    });
    const { resumeFrom } = error as unknown as { resumeFrom: number };
    await run(client, upTo(9), { resumeFrom, onRow: (index) => called.push(index) });
    expect(called).toEqual(upTo(9));
  });

  test.each(['returns', 'throws'])(
    'that are pending at an abort change nothing when one %s later',
    async (way) => {
      await using server = startService(accept);
      const controller = new AbortController();
      const called: number[] = [];
      const inCallback = createGate();
      const returning = createGate();
      const job = run(createClient(server), upTo(9), {
        concurrency: 2,
        signal: controller.signal,
        onRow: (index) => {
          called.push(index);
          if (index < 2) return;
          inCallback.open();
          return returning.promise;
        },
      });
      await inCallback.promise;
      controller.abort('the office closed');
      const error = await rejection(job);
      const expected = { cause: 'the office closed', resumeFrom: 2, outcome: 'unknown', retryable: false };
      expect(error).toMatchObject(expected);
      const { summary } = error as { summary: object };
      const before = JSON.stringify(summary);
      if (way === 'returns') returning.open();
      else returning.fail(new Error('too late'));
      await settle();
      expect(JSON.stringify(summary)).toBe(before);
      expect(called).toEqual([0, 1, 2]);
    },
  );

  test('belong to a job that has no more requests in flight than its client allows', async () => {
    const tooMany = run(createClient(nowhere, { maxConcurrency: 2 }), upTo(9), { concurrency: 3 });
    expect((await failure(tooMany, ConfigurationError)).message).toContain('maxConcurrency');
    await using server = startService(accept);
    const client = createClient(server, { maxConcurrency: 2 });
    expect(await run(client, upTo(9))).toMatchObject({ processed: 9 });
  });
});
