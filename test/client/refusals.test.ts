import { beforeEach, expect, test, vi } from 'vitest';
import { type ClientOptions, RateLimitError, type TimeoutError } from '../../src/index.ts';
import { createClient, failure, rejection } from '../helpers/client.ts';
import { startFakeTime } from '../helpers/fake-time.ts';

startFakeTime();

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

const refusal = (seconds: number) =>
  new Response(null, { status: 429, headers: { 'Retry-After': String(seconds) } });

const later = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

function connect(fetch: (url: string) => Promise<Response>, options: ClientOptions = {}) {
  return createClient({ url: 'https://h.test' }, { fetch: fetch as never, ...options });
}

test('maxRetries 0: none of several refused calls is sent again', async () => {
  const sent: string[] = [];
  const client = connect(
    async (url) => {
      sent.push(url);
      if (url.endsWith('/2')) await later(10);
      return sent.length > 2 ? Response.json({ id: 1 }) : refusal(7);
    },
    { maxRetries: 0 },
  );
  const calls = [1, 2].map((id) => failure(client.exams.retrieve(id), RateLimitError));
  await vi.advanceTimersByTimeAsync(20_000);
  await Promise.all(calls);
  expect(sent).toHaveLength(2);
});

test('maxRetries 0: a late refusal is not sent again either', async () => {
  const sent: string[] = [];
  const client = connect(
    async (url) => {
      sent.push(url);
      if (url.endsWith('/2')) await later(3_000);
      return url.endsWith('/3') || sent.length > 3 ? Response.json({ id: 1 }) : refusal(1);
    },
    { maxRetries: 0 },
  );
  const calls = [1, 2].map((id) => failure(client.exams.retrieve(id), RateLimitError));
  await vi.advanceTimersByTimeAsync(10);
  const third = client.exams.retrieve(3);
  await vi.advanceTimersByTimeAsync(20_000);
  await third;
  await Promise.all(calls);
  expect(sent).toHaveLength(3);
});

test('a refused call whose time is up in line says that nothing was done', async () => {
  let count = 0;
  const client = connect(
    async () => {
      count += 1;
      return refusal(count <= 2 ? 1 : 20);
    },
    { maxRetries: 5, totalTimeout: 10_000 },
  );
  const calls = [1, 2].map((id) =>
    rejection(client.examParticipants.assign({ participant_id: id, exam_id: 1 })),
  );
  await vi.advanceTimersByTimeAsync(20_000);
  const errors = (await Promise.all(calls)) as TimeoutError[];
  expect(errors.map(({ name, outcome, retryable }) => [name, outcome, retryable])).toEqual([
    ['RateLimitError', 'rejected', true],
    ['TimeoutError', 'rejected', true],
  ]);
});

test('a call that comes when nobody waits finds out anew', async () => {
  let count = 0;
  const client = connect(
    async () => {
      count += 1;
      return count === 4 ? Response.json({ id: 1 }) : refusal(1);
    },
    { maxRetries: 2 },
  );
  const controller = new AbortController();
  const first = rejection(client.exams.retrieve(1, { signal: controller.signal }));
  await vi.advanceTimersByTimeAsync(1_500);
  expect(count).toBe(2);
  controller.abort('gone');
  await first;
  await vi.advanceTimersByTimeAsync(3_600_000);
  const second = client.exams.retrieve(1);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await second).toEqual({ id: 1 });
});

test('after a pause one request goes as a probe, whoever waits', async () => {
  const starts: number[] = [];
  const client = connect(
    async () => {
      starts.push(performance.now());
      if (starts.length === 1) return refusal(1);
      await later(50);
      return Response.json({ id: 1 });
    },
    { maxRetries: 2 },
  );
  const other = client.withOptions({ maxConcurrency: 50 });
  const first = client.exams.retrieve(1);
  await vi.advanceTimersByTimeAsync(10);
  const calls = Array.from({ length: 30 }, () => other.exams.retrieve(2));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(starts).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(10_000);
  await Promise.all([first, ...calls]);
});

test('after a pause one request goes as a probe, although an older one hangs', async () => {
  const starts: string[] = [];
  const client = connect(
    async (url) => {
      starts.push(url);
      if (url.endsWith('/9')) await later(5_000);
      else if (starts.length === 2) return refusal(1);
      else await later(50);
      return Response.json({ id: 1 });
    },
    { maxRetries: 2 },
  );
  const calls = [client.exams.retrieve(9), client.exams.retrieve(1)];
  await vi.advanceTimersByTimeAsync(10);
  for (let id = 0; id < 30; id += 1) calls.push(client.exams.retrieve(2));
  await vi.advanceTimersByTimeAsync(1_005);
  expect(starts).toHaveLength(3);
  await vi.advanceTimersByTimeAsync(10_000);
  await Promise.all(calls);
});

test('a refused call that would have too little time after the pause fails at once, with the refusal', async () => {
  const client = connect(async () => refusal(9.5), { maxRetries: 2, totalTimeout: 10_000 });
  const first = failure(client.exams.retrieve(1), RateLimitError);
  await vi.advanceTimersByTimeAsync(10);
  const begin = performance.now();
  const second = rejection(client.exams.retrieve(1)).finally(() => {
    expect(performance.now() - begin).toBeLessThan(10);
  });
  await vi.advanceTimersByTimeAsync(20_000);
  await first;
  expect(((await second) as Error).message).toContain('asked to wait');
});

test('clients that share a limit but not their room take turns', async () => {
  const order: string[] = [];
  const client = connect(
    async (url) => {
      await later(20);
      order.push(new URL(url).pathname);
      return order.length === 11 ? refusal(1) : Response.json({ id: 1 });
    },
    { maxRetries: 2, maxConcurrency: 1 },
  );
  const other = client.withOptions({ maxConcurrency: 2 });
  const third = client.withOptions({ maxConcurrency: 3 });
  const many = Array.from({ length: 200 }, () => client.exams.retrieve(1));
  const few = [other, third].flatMap((each, index) =>
    Array.from({ length: 20 }, () => each.exams.retrieve(index + 2)),
  );
  await vi.advanceTimersByTimeAsync(60_000);
  await Promise.all([...many, ...few]);
  expect(order.lastIndexOf('/exams/2')).toBeLessThan(90);
  expect(order.lastIndexOf('/exams/3')).toBeLessThan(90);
});

test('one of them with a long line does not starve another while the limit is known', async () => {
  const order: string[] = [];
  const client = connect(
    async (url) => {
      await later(20);
      order.push(new URL(url).pathname);
      return order.length === 3 ? refusal(1) : Response.json({ id: 1 });
    },
    { maxRetries: 2 },
  );
  const other = client.withOptions({ maxConcurrency: 5 });
  const many = Array.from({ length: 300 }, () => client.exams.retrieve(1));
  const few = Array.from({ length: 3 }, () => other.exams.retrieve(2));
  await vi.advanceTimersByTimeAsync(60_000);
  await Promise.all([...many, ...few]);
  expect(order.lastIndexOf('/exams/2')).toBeLessThan(100);
});
