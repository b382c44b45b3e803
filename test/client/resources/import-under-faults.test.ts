import { describe, expect, test } from 'vitest';
import type { ClientOptions, ImportStoppedError, ParticipantImport } from '../../../src/index.ts';
import { createEmulator, type Emulator, type Fault } from '../../../src/testing/index.ts';
import { clientOf } from '../../helpers/client.ts';
import { skipWaits } from '../../helpers/fake-time.ts';
import { isLong } from '../../helpers/requirements.ts';
import { row } from './helpers.ts';

const rows = 5_000;
/** Rejected by the client before sending. */
const isInvalid = (index: number) => index % 250 === 17;
/** Looks valid to the client, and is rejected by the service. */
const isRejected = (index: number) => index % 400 === 33;
const indexes = Array.from({ length: rows }, (_, index) => index);
const good = indexes.filter((index) => !isInvalid(index) && !isRejected(index));

function* source(): Generator<ParticipantImport> {
  for (const index of indexes) {
    const { email, ...rest } = row(index);
    yield { ...rest, email: isInvalid(index) ? '' : isRejected(index) ? `no-address-${index}` : email };
  }
}

const faults: ReadonlyArray<Fault> = [
  { rate: 0.05, effect: 'respond', status: 500 },
  { rate: 0.02, effect: 'reset' },
  { rate: 0.01, effect: 'respond', status: 429, headers: { 'Retry-After': '0' } },
];

function start(seed: number, options: ClientOptions, processed = false) {
  const emulator = createEmulator({ seed });
  const injected = faults.map((fault) =>
    emulator.faults.inject({
      ...fault,
      on: 'participants.import',
      times: Number.POSITIVE_INFINITY,
      processed,
    }),
  );
  const client = clientOf(emulator, options);
  return { emulator, client, injected };
}

/** The rows that the emulator holds, by their number, as often as it holds them. */
async function held(emulator: Emulator): Promise<number[]> {
  emulator.faults.clear();
  const { participants } = clientOf(emulator);
  const numbers: number[] = [];
  for await (const { email } of participants.list({ limit: 100 }, { concurrency: 4 })) {
    numbers.push(Number(/^p(\d+)@/.exec(String(email))?.[1]));
  }
  return numbers.sort((a, b) => a - b);
}

skipWaits();

describe.each(isLong ? [1, 2, 3] : [1])(
  'with 5 % of requests rejected, 2 % reset and 1 % limited by 429 (series %i)',
  (seed) => {
    test.each([
      ['before', false],
      ['after', true],
    ])('and the faults %s the work is done, every good row is held exactly once', async (_, processed) => {
      const { emulator, client, injected } = start(seed, { maxRetries: 8 }, processed);
      const summary = await client.participants.importAll(source(), {
        batchSize: 20,
        concurrency: 4,
        invalidRows: 'reject',
        failedBatches: 'bisect',
      });
      for (const fault of injected) expect(fault.struck).toBeGreaterThan(0);
      expect(await held(emulator)).toEqual(good);
      expect(summary).toMatchObject({
        imported: good.length,
        rejected: rows - good.length,
        processed: rows,
        resumeFrom: rows,
      });
      expect(summary.rejections.map(({ index }) => index)).toEqual(
        indexes.filter((i) => isInvalid(i) || isRejected(i)),
      );
    });

    test('and without retries, no row ever fails because of a fault, and reruns do the work', async () => {
      const { emulator, client, injected } = start(seed, { maxRetries: 0 });
      const rejected: number[] = [];
      let runs = 0;
      for (let resumeFrom = 0; resumeFrom < rows; runs += 1) {
        const summary = await client.participants
          .importAll(source(), {
            batchSize: 20,
            resumeFrom,
            invalidRows: 'reject',
            failedBatches: 'bisect',
            onRejected: ({ index }) => rejected.push(index),
          })
          .catch((error: ImportStoppedError) => error.summary);
        resumeFrom = summary.resumeFrom;
      }
      for (const fault of injected) expect(fault.struck).toBeGreaterThan(0);
      expect(runs).toBeGreaterThan(1);
      expect(await held(emulator)).toEqual(good);
      expect([...new Set(rejected)].sort((a, b) => a - b)).toEqual(
        indexes.filter((i) => isInvalid(i) || isRejected(i)),
      );
    });
  },
);
