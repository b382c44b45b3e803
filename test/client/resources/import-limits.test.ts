import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Fault } from '../../../src/testing/index.ts';
import { skipWaits } from '../../helpers/fake-time.ts';
import { emulate, rowsOf } from './helpers.ts';

skipWaits();

const everyMode = ['stop', 'reject', 'bisect'] as const;

beforeEach(() => {
  // The waits between attempts are random parts of their longest; none of it is waited here.
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('2,000 rows against a ceiling of 130 participants', () => {
  test.each(everyMode.flatMap((mode) => [[mode, 1, 2] as const, [mode, 4, 8] as const]))(
    'with %s and a concurrency of %i take at most %i requests',
    async (failedBatches, concurrency, most) => {
      const { emulator, stopped } = emulate({ maxParticipants: 130 });
      const { cause, summary, retryable } = await stopped(rowsOf(2_000), {
        batchSize: 100,
        concurrency,
        failedBatches,
      });
      expect({ cause, retryable }).toMatchObject({ cause: { status: 400 }, retryable: false });
      expect(summary).toMatchObject({ imported: 100, rejected: 0, rejections: [], resumeFrom: 100 });
      expect(emulator.requests.length).toBeLessThanOrEqual(most);
    },
  );
});

describe('an outage that begins at the third batch', () => {
  const outages: [string, Fault][] = [
    ['a reset connection', { effect: 'reset' }],
    ['500', { effect: 'respond', status: 500 }],
    ['502', { effect: 'respond', status: 502 }],
    ['503', { effect: 'respond', status: 503 }],
    ['504', { effect: 'respond', status: 504 }],
    ['429', { effect: 'respond', status: 429 }],
    ['a page of HTML', { effect: 'html' }],
    ['a redirect', { effect: 'redirect', to: 'https://login.example.test/' }],
  ];

  test.each(outages.flatMap((outage) => [1, 4].map((concurrency) => [...outage, concurrency] as const)))(
    'with %s stops the import in every mode, and no row is rejected',
    async (_, fault, concurrency) => {
      for (const failedBatches of everyMode) {
        const { emulator, stopped } = emulate();
        const { summary } = await stopped(rowsOf(2_000), {
          batchSize: 100,
          concurrency,
          failedBatches,
          onBatch: ({ to }) => {
            if (to === 200) emulator.faults.inject({ ...fault, times: Number.POSITIVE_INFINITY });
          },
        });
        expect(summary).toMatchObject({ rejected: 0, rejections: [] });
        expect(summary.resumeFrom).toBe(summary.imported);
        expect(summary.requests).toBeLessThanOrEqual(summary.imported / 100 + 20 * concurrency);
      }
    },
  );
});
