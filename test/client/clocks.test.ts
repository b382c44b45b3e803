import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type ClientOptions, type Fetch, RateLimitError, TimeoutError } from '../../src/index.ts';
import { createClient, failure, nowhere } from '../helpers/client.ts';
import { startFakeTime } from '../helpers/fake-time.ts';

startFakeTime();

beforeEach(() => {
  // A wait that the service asks for is exceeded by a random time.
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

const year = 365 * 24 * 3_600 * 1_000;

/** What the wall clock shows during a call, by the number of times that it was asked. */
const clocks: [string, (real: number, asked: number) => number][] = [
  ['stands still', () => Date.parse('2026-03-01T08:00:00Z')],
  ['jumps a year ahead', (real, asked) => real + (asked > 1 ? year : 0)],
  ['jumps a year back', (real, asked) => real - (asked > 1 ? year : 0)],
  ['shows no time', () => Number.NaN],
];

function setClock(show: (real: number, asked: number) => number): void {
  const now = Date.now.bind(Date);
  let asked = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => show(now(), ++asked));
}

const clientOf = (fetch: Fetch, options: ClientOptions = {}) => createClient(nowhere, { fetch, ...options });

const limited = (headers: Record<string, string>) => new Response(null, { status: 429, headers });

/** Notes when, by the monotonic clock, each request is sent; the first gets `first`. */
function timed(first: () => Response) {
  const starts: number[] = [];
  const fetch: Fetch = async () => {
    starts.push(performance.now());
    return starts.length === 1 ? first() : Response.json([]);
  };
  return { starts, fetch, gap: () => (starts.at(-1) ?? 0) - (starts[0] ?? 0) };
}

describe.each(clocks)('where the wall clock %s', (_, show) => {
  test('a pause after a 429 lasts as long as it was asked for, for every call of the client', async () => {
    const { fetch, starts, gap } = timed(() => limited({ 'Retry-After': '20' }));
    const client = clientOf(fetch, { maxRetries: 1 });
    setClock(show);
    const first = client.exams.list();
    await vi.advanceTimersByTimeAsync(1);
    const second = client.exams.retrieve(3, { validation: 'off' });
    second.catch(() => {});
    await vi.advanceTimersByTimeAsync(19_998);
    expect(starts).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2);
    await first;
    expect(starts).toHaveLength(3);
    expect(gap()).toBeLessThanOrEqual(20_001);
  });

  test('a call ends neither before its time nor after', async () => {
    const client = clientOf(() => new Promise(() => {}), { timeout: false, totalTimeout: 5_000 });
    setClock(show);
    const ended = vi.fn();
    const call = failure(client.exams.list(), TimeoutError).finally(ended);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await call).toMatchObject({ scope: 'total' });
  });

  test('a retry is begun as long as the total time leaves room for its wait', async () => {
    const { fetch, starts, gap } = timed(() => limited({ 'Retry-After': '4' }));
    const client = clientOf(fetch, { maxRetries: 1, totalTimeout: 5_000 });
    setClock(show);
    const call = client.exams.list();
    await vi.advanceTimersByTimeAsync(4_000);
    await call;
    expect([starts.length, gap()]).toEqual([2, 4_000]);
  });

  test('a date to retry after counts from the Date of the response', async () => {
    const headers = {
      Date: 'Sun, 01 Mar 2026 08:00:00 GMT',
      'Retry-After': 'Sun, 01 Mar 2026 08:00:12 GMT',
    };
    const { fetch, gap } = timed(() => limited(headers));
    const client = clientOf(fetch, { maxRetries: 1 });
    setClock(show);
    const call = client.exams.list();
    await vi.advanceTimersByTimeAsync(12_000);
    await call;
    expect(gap()).toBe(12_000);
  });
});

describe('a date to retry after', () => {
  const retryAfterMs = async (headers: Record<string, string>) =>
    (await failure(clientOf(async () => limited(headers)).exams.list(), RateLimitError)).retryAfterMs;

  test('makes no sense where neither the response nor this machine knows the time', async () => {
    vi.spyOn(Date, 'now').mockReturnValue(Number.NaN);
    expect(await retryAfterMs({ 'Retry-After': 'Sun, 01 Mar 2026 08:00:00 GMT' })).toBeNull();
  });
});
