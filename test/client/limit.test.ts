import { beforeEach, expect, test, vi } from 'vitest';
import { type Fetch, TimeoutError } from '../../src/index.ts';
import { createClient, failure } from '../helpers/client.ts';
import { startFakeTime } from '../helpers/fake-time.ts';

startFakeTime();

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

/** A service that answers in 10 ms, and refuses the requests of these numbers in 5; the most under way at once are noted. */
function connect(refused: readonly number[]) {
  const state = { count: 0, underWay: 0, most: 0 };
  const fetch: Fetch = async () => {
    state.count += 1;
    const isRefused = refused.includes(state.count);
    state.underWay += 1;
    state.most = Math.max(state.most, state.underWay);
    await new Promise((resolve) => setTimeout(resolve, isRefused ? 5 : 10));
    state.underWay -= 1;
    return isRefused
      ? new Response(null, { status: 429, headers: { 'Retry-After': '1' } })
      : Response.json({ id: 1 });
  };
  return { state, client: createClient({ url: 'https://h.test' }, { fetch, maxRetries: 2 }) };
}

test('where far more goes through than before a refusal, the limit has gone, and calls leave side by side again', async () => {
  const { state, client } = connect([3]);
  for (const id of [1, 2]) {
    const call = client.exams.retrieve(id);
    await vi.advanceTimersByTimeAsync(10);
    await call;
  }
  const refused = client.exams.retrieve(3);
  await vi.advanceTimersByTimeAsync(5);
  const calls = Array.from({ length: 30 }, (_, index) => client.exams.retrieve(index + 4));
  await vi.advanceTimersByTimeAsync(1_000 + 30);
  // As many as before go one by one, and twice as many show that more may go.
  expect(state).toMatchObject({ count: 7, most: 1 });
  await vi.advanceTimersByTimeAsync(200);
  await Promise.all([refused, ...calls]);
  expect(state.most).toBeGreaterThan(5);
});

test('what was under way at a refusal and is answered counts for what the limit lets through', async () => {
  const { state, client } = connect([3]);
  for (const id of [1, 2]) {
    const call = client.exams.retrieve(id);
    await vi.advanceTimersByTimeAsync(10);
    await call;
  }
  const calls = Array.from({ length: 12 }, (_, index) => client.exams.retrieve(index + 3));
  await vi.advanceTimersByTimeAsync(10);
  expect(state).toMatchObject({ count: 14, underWay: 0 });
  const more = Array.from({ length: 12 }, (_, index) => client.exams.retrieve(index + 15));
  state.most = 0;
  await vi.advanceTimersByTimeAsync(995 + 25);
  expect(state.most).toBe(3);
  await vi.advanceTimersByTimeAsync(1_000);
  await Promise.all([...calls, ...more]);
});

test('a call that waited until less than a tenth of its time is left is not sent any more', async () => {
  let sent = 0;
  const fetch: Fetch = async () => {
    sent += 1;
    await new Promise((resolve) => setTimeout(resolve, 950));
    return Response.json({ id: 1 });
  };
  const client = createClient({ url: 'https://h.test' }, { fetch, maxConcurrency: 1 });
  const first = client.exams.retrieve(1);
  const second = failure(client.exams.retrieve(2, { totalTimeout: 1_000 }), TimeoutError);
  await vi.advanceTimersByTimeAsync(950);
  expect(await second).toMatchObject({ scope: 'total', outcome: 'not_sent', attempts: 0 });
  expect(await first).toEqual({ id: 1 });
  expect(sent).toBe(1);
});
