import { expect, test, vi } from 'vitest';
import type { ExamClient, Fetch } from '../../../src/index.ts';
import { createClient } from '../../helpers/client.ts';
import { startFakeTime } from '../../helpers/fake-time.ts';
import { rowsOf } from './helpers.ts';

startFakeTime();

const MINUTE = 60_000;
const ADMITTED = 60;
const LATENCY = 100;

/** A service with Laravel's `throttle:60,1`: it says what is left, and with a 429 how many seconds to wait. */
function throttled() {
  const counts = { accepted: 0, rejected: 0 };
  let endsAt = 0;
  let left = 0;
  const fetch: Fetch = async (url) => {
    await new Promise((resolve) => setTimeout(resolve, LATENCY));
    const now = performance.now();
    if (now >= endsAt) [endsAt, left] = [now + MINUTE, ADMITTED];
    left -= 1;
    const isAccepted = left >= 0;
    counts[isAccepted ? 'accepted' : 'rejected'] += 1;
    const headers = {
      'X-RateLimit-Limit': String(ADMITTED),
      'X-RateLimit-Remaining': String(Math.max(0, left)),
      ...(!isAccepted && { 'Retry-After': String(Math.ceil((endsAt - now) / 1_000)) }),
    };
    if (!isAccepted) return Response.json({ message: 'Too Many Attempts.' }, { status: 429, headers });
    const body = url.includes('/link') ? { link: 'https://h.test/take/1' } : { message: 'Done' };
    return Response.json(body, { status: url.includes('/link') ? 200 : 201, headers });
  };
  return { counts, client: createClient({ url: 'https://h.test' }, { fetch, maxRetries: 2 }) };
}

async function finish<T>(job: PromiseLike<T>): Promise<T> {
  let isOver = false;
  const ended = Promise.resolve(job).finally(() => {
    isOver = true;
  });
  ended.catch(() => {});
  while (!isOver) await vi.advanceTimersByTimeAsync(LATENCY);
  return ended;
}

const importing = ({ participants }: ExamClient) => participants.importAll(rowsOf(2_000), { concurrency: 4 });
const assigning = ({ examParticipants }: ExamClient) => {
  const pairs = Array.from({ length: 500 }, (_, index) => ({ participant_id: index + 1, exam_id: 1 }));
  return examParticipants.assignAll(pairs, { concurrency: 8 });
};

test('at 60 requests a minute, 2,000 rows and 500 pairs have at most 8 % of their requests rejected, and none lost', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  const { counts, client } = throttled();
  const summary = await finish(importing(client));
  expect(summary).toMatchObject({ imported: 2_000, rejected: 0 });
  expect(await finish(assigning(client))).toMatchObject({ assigned: 500, failed: 0 });
  expect(counts.accepted).toBe(80 + 500);
  expect(counts.rejected).toBeLessThanOrEqual((counts.accepted + counts.rejected) * 0.08);
});

test('so it is when both meet the limit together', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  const { counts, client } = throttled();
  const [summary, assigned] = await finish(Promise.all([importing(client), assigning(client)]));
  expect(summary).toMatchObject({ imported: 2_000, requests: expect.any(Number) });
  expect(assigned).toMatchObject({ assigned: 500, failed: 0 });
  expect(counts.rejected).toBeLessThanOrEqual((counts.accepted + counts.rejected) * 0.08);
});
