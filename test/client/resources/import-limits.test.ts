import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { FaultEffect } from '../../../src/testing/index.ts';
import { emulate, rowsOf } from './helpers.ts';

const everyMode = ['stop', 'continue', 'bisect'] as const;

beforeEach(() => {
  // The waits between attempts are random parts of their longest; none of it is waited here.
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('2,000 rows against a ceiling of 130 participants', () => {
  test.each([
    [1, 2],
    [4, 8],
  ])('with bisect and a concurrency of %i take at most %i requests', async (concurrency, most) => {
    const { emulator, stopped } = emulate({ maxParticipants: 130 });
    const { cause, summary } = await stopped(rowsOf(2_000), {
      batchSize: 100,
      concurrency,
      onBatchError: 'bisect',
    });
    expect(cause).toMatchObject({ status: 400 });
    expect(summary).toMatchObject({ imported: 100, failed: 0, rejected: [], resumeFrom: 100 });
    expect(emulator.requests.length).toBeLessThanOrEqual(most);
  });

  test('with continue take a request for each batch, because a batch of known emails would be taken', async () => {
    const { emulator, participants } = emulate({ maxParticipants: 130 });
    const summary = await participants.importAll(rowsOf(2_000), {
      batchSize: 100,
      onBatchError: 'continue',
    });
    expect(summary).toMatchObject({ imported: 100, failed: 1_900, resumeFrom: 2_000 });
    expect(emulator.requests).toHaveLength(20);
  });

  test('and a rerun after the ceiling was raised does the rest', async () => {
    const { emulator, stopped } = emulate({ maxParticipants: 130 });
    const { summary } = await stopped(rowsOf(250), { batchSize: 100, onBatchError: 'bisect' });
    const { emulator: raised, participants } = emulate({ maxParticipants: 1_000 });
    raised.restore(emulator.snapshot());
    const rest = await participants.importAll(rowsOf(250), {
      batchSize: 100,
      resumeFrom: summary.resumeFrom,
    });
    expect(rest).toMatchObject({ imported: 150, processed: 250, resumeFrom: 250 });
  });
});

describe('an outage that begins at the third batch', () => {
  // With bisect, a failure that rows could cause is followed by a row that the service took before. So is a 504 in every
  // mode, since fewer rows could be quicker.
  const outages: [string, FaultEffect, { always: number; bisect: number }][] = [
    ['a reset connection', { type: 'reset' }, { always: 1, bisect: 2 }],
    ['500', { type: 'respond', status: 500 }, { always: 1, bisect: 2 }],
    ['502', { type: 'respond', status: 502 }, { always: 1, bisect: 2 }],
    ['503', { type: 'respond', status: 503 }, { always: 1, bisect: 1 }],
    ['504', { type: 'respond', status: 504 }, { always: 2, bisect: 2 }],
    ['429', { type: 'respond', status: 429 }, { always: 1, bisect: 1 }],
    ['a page of HTML', { type: 'html' }, { always: 1, bisect: 2 }],
    ['a redirect', { type: 'redirect', to: 'https://login.example.test/' }, { always: 1, bisect: 1 }],
  ];

  test.each(outages)(
    'with %s stops the import in every mode, and no row fails',
    async (_, effect, { always, bisect }) => {
      for (const onBatchError of everyMode) {
        const { emulator, stopped } = emulate();
        const { summary } = await stopped(rowsOf(2_000), {
          batchSize: 100,
          onBatchError,
          onBatch: ({ to }) => {
            if (to === 200) emulator.faults.inject({ effect, times: Number.POSITIVE_INFINITY });
          },
        });
        expect(summary).toMatchObject({ imported: 200, failed: 0, rejected: [], resumeFrom: 200 });
        expect(emulator.requests).toHaveLength(2 + (onBatchError === 'bisect' ? bisect : always));
      }
    },
  );

  test.each(outages)(
    'with %s and a concurrency of 4 stops after the requests under way',
    async (_, effect) => {
      const { emulator, stopped } = emulate();
      const { summary } = await stopped(rowsOf(2_000), {
        concurrency: 4,
        onBatchError: 'bisect',
        onBatch: ({ to }) => {
          if (to === 200) emulator.faults.inject({ effect, times: Number.POSITIVE_INFINITY });
        },
      });
      expect(summary.failed).toBe(0);
      expect(summary.resumeFrom).toBe(summary.imported);
      // Those before it, the four under way, and the halves of at most four.
      expect(emulator.requests.length).toBeLessThanOrEqual(summary.imported / 100 + 4 + 2 * 4);
    },
  );

  test('is asked for again by the retries of the client only', async () => {
    const { emulator, stopped } = emulate({}, { maxRetries: 2 });
    emulator.faults.inject({
      effect: { type: 'respond', status: 500 },
      times: Number.POSITIVE_INFINITY,
    });
    await stopped(rowsOf(2_000), { onBatchError: 'bisect', batchSize: 2 });
    expect(emulator.requests).toHaveLength((1 + 2) * 3);
  });
});

test.each([401, 403])('a key that is answered with %i is tried once in every mode', async (status) => {
  for (const onBatchError of everyMode) {
    const { emulator, stopped } = emulate();
    emulator.faults.inject({ effect: { type: 'respond', status }, times: Number.POSITIVE_INFINITY });
    const { summary } = await stopped(rowsOf(2_000), { onBatchError });
    expect(summary).toMatchObject({ imported: 0, failed: 0, resumeFrom: 0 });
    expect(emulator.requests).toHaveLength(1);
  }
});

test('10 rows at fault among 2,000 take two requests for each batch that holds one', async () => {
  const { emulator, participants } = emulate();
  const bad = (index: number) => index % 100 === 42 && index < 1_000;
  const summary = await participants.importAll(
    rowsOf(2_000).map((row, index) => (bad(index) ? { ...row, email: `no-address-${index}` } : row)),
    { batchSize: 100, onBatchError: 'bisect' },
  );
  expect(summary).toMatchObject({ imported: 1_990, failed: 10, resumeFrom: 2_000 });
  expect(emulator.requests).toHaveLength(20 + 10);
});
