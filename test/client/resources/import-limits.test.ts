import { describe, expect, test } from 'vitest';
import { emulate, rowsOf } from './helpers.ts';

describe('2,000 rows against a ceiling of 130 participants', () => {
  test.each(
    (['stop', 'reject', 'bisect'] as const).flatMap((mode) => [[mode, 1, 2] as const, [mode, 4, 8] as const]),
  )('with %s and a concurrency of %i take at most %i requests', async (failedBatches, concurrency, most) => {
    const { emulator, stopped } = emulate({ maxParticipants: 130 });
    const { cause, summary, retryable } = await stopped(rowsOf(2_000), {
      batchSize: 100,
      concurrency,
      failedBatches,
    });
    expect({ cause, retryable }).toMatchObject({ cause: { status: 400 }, retryable: false });
    expect(summary).toMatchObject({ imported: 100, rejected: 0, rejections: [], resumeFrom: 100 });
    expect(emulator.requests.length).toBeLessThanOrEqual(most);
  });
});
