import { expect, test, vi } from 'vitest';
import { type ClientOptions, RateLimitError, TimeoutError } from '../../../src/index.ts';
import { createClient, failure, rejection } from '../../helpers/client.ts';
import { useFakeTime } from '../../helpers/fake-time.ts';

useFakeTime();

/** A service that answers 429 to its first request, and a client of it; the times of all requests are noted. */
function connect(retryAfter: string | null, options: ClientOptions = {}) {
  const starts: number[] = [];
  const begin = Date.now();
  const client = createClient(
    { url: 'https://h.test' },
    {
      maxRetries: 1,
      fetch: async () => {
        starts.push(Date.now() - begin);
        if (starts.length > 1) return Response.json({ id: 1 });
        const headers: HeadersInit = retryAfter === null ? {} : { 'Retry-After': retryAfter };
        return new Response(null, { status: 429, headers });
      },
      ...options,
    },
  );
  return { client, starts };
}

test('after a 429 with Retry-After, every request of the client waits for it', async () => {
  const { client, starts } = connect('7');
  const first = client.exams.retrieve(1);
  await vi.advanceTimersByTimeAsync(0);
  const others = [
    client.exams.retrieve(2),
    client.examParticipants.assign({ participant_id: 1, exam_id: 1 }),
  ];
  await vi.advanceTimersByTimeAsync(6_999);
  expect(starts).toEqual([0]);
  await vi.advanceTimersByTimeAsync(1);
  await Promise.all([first, ...others]);
  expect(starts).toEqual([0, 7_000, 7_000, 7_000]);
});

test('also where the request that was answered with it is not sent again', async () => {
  const { client, starts } = connect('7', { maxRetries: 0 });
  expect((await failure(client.exams.retrieve(1), RateLimitError)).retryAfter).toBe(7_000);
  const next = client.exams.retrieve(2);
  await vi.advanceTimersByTimeAsync(7_000);
  await next;
  expect(starts).toEqual([0, 7_000]);
});

test.each([
  ['without Retry-After', null],
  ['with a Retry-After longer than maxRetryAfter', '61'],
])('%s, nobody else waits', async (_, retryAfter) => {
  const { client, starts } = connect(retryAfter, { maxRetries: 0 });
  await failure(client.exams.retrieve(1), RateLimitError);
  await client.exams.retrieve(2);
  expect(starts).toEqual([0, 0]);
});

test('a Retry-After of exactly maxRetryAfter is waited for, by the call and by all others', async () => {
  const { client, starts } = connect('60');
  const calls = [client.exams.retrieve(1)];
  await vi.advanceTimersByTimeAsync(0);
  calls.push(client.exams.retrieve(2));
  await vi.advanceTimersByTimeAsync(60_000);
  await Promise.all(calls);
  expect(starts).toEqual([0, 60_000, 60_000]);
});

test('a longer pause is not cut short by a shorter one that comes later', async () => {
  const starts: number[] = [];
  const begin = Date.now();
  const answers = ['7', '2'].values();
  const fetch = async () => {
    starts.push(Date.now() - begin);
    const { value } = answers.next();
    if (value === undefined) return Response.json({ id: 1 });
    return new Response(null, { status: 429, headers: { 'Retry-After': value } });
  };
  const client = createClient({ url: 'https://h.test' }, { fetch, maxRetries: 0 });
  const limited = [1, 2].map((id) => failure(client.exams.retrieve(id), RateLimitError));
  await Promise.all(limited);
  const waiting = client.exams.retrieve(3);
  await vi.advanceTimersByTimeAsync(6_999);
  expect(starts).toEqual([0, 0]);
  await vi.advanceTimersByTimeAsync(1);
  await waiting;
  expect(starts).toEqual([0, 0, 7_000]);
});

test('another client does not wait', async () => {
  const { client } = connect('7', { maxRetries: 0 });
  await failure(client.exams.retrieve(1), RateLimitError);
  const other = connect('7');
  const waiting = other.client.exams.retrieve(1);
  await vi.advanceTimersByTimeAsync(0);
  expect(other.starts).toEqual([0]);
  await vi.advanceTimersByTimeAsync(7_000);
  await waiting;
});

test('an abort ends the pause at once for its call', async () => {
  const { client, starts } = connect('7', { maxRetries: 0 });
  await failure(client.exams.retrieve(1), RateLimitError);
  const controller = new AbortController();
  const waiting = rejection(client.exams.retrieve(2, { signal: controller.signal }));
  await vi.advanceTimersByTimeAsync(10);
  controller.abort('gone');
  expect(await waiting).toBe('gone');
  expect(starts).toEqual([0]);
});

test('the pause counts for the total time', async () => {
  const { client, starts } = connect('7', { maxRetries: 0 });
  await failure(client.exams.retrieve(1), RateLimitError);
  const waiting = failure(client.exams.retrieve(2, { totalTimeout: 3_000 }), TimeoutError);
  await vi.advanceTimersByTimeAsync(3_000);
  expect((await waiting).scope).toBe('total');
  expect(starts).toEqual([0]);
});

test('the pause does not count for the time of the attempt', async () => {
  const { client, starts } = connect('7', { maxRetries: 0 });
  await failure(client.exams.retrieve(1), RateLimitError);
  const waiting = client.exams.retrieve(2, { timeout: 1_000 });
  await vi.advanceTimersByTimeAsync(7_000);
  expect(await waiting).toEqual({ id: 1 });
  expect(starts).toEqual([0, 7_000]);
});
