import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type ClientOptions, type ExamServiceError, RateLimitError, TimeoutError } from '../../src/index.ts';
import { createClient, failure, nowhere, rejection } from '../helpers/client.ts';
import { startFakeTime } from '../helpers/fake-time.ts';

startFakeTime();

beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));

const rejected = (seconds: number) =>
  new Response(null, { status: 429, headers: { 'Retry-After': String(seconds) } });

const accepted = () => Response.json({ id: 1 });

const later = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** A client of a service that responds to each request, by its number from 1. */
function connect(respond: (number: number, path: string) => Promise<Response>, options: ClientOptions = {}) {
  const starts: number[] = [];
  const begin = performance.now();
  const fetch = (url: string) => {
    starts.push(performance.now() - begin);
    return respond(starts.length, new URL(url).pathname);
  };
  return { starts, client: createClient(nowhere, { maxRetries: 2, fetch, ...options }) };
}

const factsOf = ({ name, outcome, attempts, retryable }: ExamServiceError & { attempts?: number }) => [
  name,
  outcome,
  attempts,
  retryable,
];

describe('a limit that does not lift', () => {
  test('fails the call that tries, after maxRetries + 1 rejections in a row, and all that wait behind it', async () => {
    const { client, starts } = connect(async () => rejected(1), { maxConcurrency: 1 });
    const calls = [1, 2, 3].map((id) => failure(client.exams.retrieve(id), RateLimitError));
    await vi.advanceTimersByTimeAsync(5_000);
    const errors = await Promise.all(calls);
    expect(starts).toHaveLength(3);
    expect(errors.map(factsOf)).toEqual([
      ['RateLimitError', 'rejected', 3, true],
      ['RateLimitError', 'not_sent', 0, true],
      ['RateLimitError', 'not_sent', 0, true],
    ]);
    expect(errors.every(({ status }) => status === 429)).toBe(true);
  });

  test('does not fail a call with more maxRetries: it goes on', async () => {
    const { client, starts } = connect(async (number) => (number < 5 ? rejected(1) : accepted()), {
      maxConcurrency: 1,
    });
    const first = failure(client.exams.retrieve(1), RateLimitError);
    const patient = client.exams.retrieve(2, { maxRetries: 4 });
    await vi.advanceTimersByTimeAsync(10_000);
    await first;
    expect(await patient).toEqual({ id: 1 });
    expect(starts).toHaveLength(5);
  });

  test('is found out also while calls go on coming', async () => {
    const { client } = connect(async () => rejected(1));
    const errors: unknown[] = [];
    for (let count = 0; count < 12; count += 1) {
      client.exams.retrieve(1).catch((error) => errors.push(error));
      await vi.advanceTimersByTimeAsync(500);
    }
    expect(errors.length).toBeGreaterThanOrEqual(4);
    expect(errors.every((error) => error instanceof RateLimitError)).toBe(true);
    await vi.runAllTimersAsync();
    expect(errors).toHaveLength(12);
  });

  test('is not held against a call that is made later', async () => {
    const { client } = connect(async (number) => (number === 6 ? accepted() : rejected(1)));
    const first = failure(client.exams.retrieve(1), RateLimitError);
    await vi.advanceTimersByTimeAsync(5_000);
    await first;
    const second = client.exams.retrieve(1);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await second).toEqual({ id: 1 });
  });
});

describe('these do not count as rejections in a row', () => {
  test('those of a burst, for what was sent with them is in flight', async () => {
    const { client } = connect(async (number) => (number <= 40 ? rejected(1) : accepted()));
    const calls = Array.from({ length: 40 }, (_, index) => client.exams.retrieve(index + 1));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await Promise.all(calls)).toHaveLength(40);
  });

  test('those while an older request is in flight, which may have used the limit up', async () => {
    const { client } = connect(async (number) => {
      if (number === 1) await later(9_500);
      return number === 1 || number > 10 ? accepted() : rejected(1);
    });
    const calls = [1, 2].map((id) => client.exams.retrieve(id));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(await Promise.all(calls)).toHaveLength(2);
  });

  test('those with an accepted request in between', async () => {
    const { client } = connect(async (number) => (number % 3 === 0 ? accepted() : rejected(1)), {
      maxConcurrency: 1,
    });
    const calls = [1, 2, 3].map((id) => client.exams.retrieve(id));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await Promise.all(calls)).toHaveLength(3);
  });
});

test('a success that comes after a faster rejection ends the row of rejections', async () => {
  const { client, starts } = connect(
    async (_, path) => {
      if (!path.endsWith('/2')) return starts.length <= 3 ? rejected(1) : accepted();
      await later(300);
      return accepted();
    },
    { maxRetries: 1 },
  );
  const calls = [1, 2].map((id) => client.exams.retrieve(id));
  await vi.advanceTimersByTimeAsync(10_000);
  await Promise.all(calls);
  expect(starts).toHaveLength(4);
});

test.each([
  ['of one', 1],
  ['of two at once', 2],
])('with maxRetries 0 no rejected request is sent again: %s', async (_, count) => {
  const { client, starts } = connect(async (number) => (number <= count ? rejected(7) : accepted()), {
    maxRetries: 0,
  });
  const calls = Array.from({ length: count }, (_each, id) =>
    failure(client.exams.retrieve(id + 1), RateLimitError),
  );
  await vi.advanceTimersByTimeAsync(20_000);
  await Promise.all(calls);
  expect(starts).toHaveLength(count);
});

describe('with maxRetries 0, a rejected call fails', () => {
  /** How many of 1,000 calls fail, and how many are sent, when the service rejects the request with this number. */
  async function failuresOf(number: number, headers: HeadersInit, maxConcurrency: number) {
    const { client, starts } = connect(
      async (sent) => {
        await later(10);
        return sent === number ? new Response(null, { status: 429, headers }) : accepted();
      },
      { maxRetries: 0, maxConcurrency },
    );
    const calls = Array.from({ length: 1_000 }, () => rejection(client.exams.retrieve(1)).catch(() => null));
    await vi.advanceTimersByTimeAsync(60_000);
    const errors = (await Promise.all(calls)).filter((error) => error !== null);
    return { failed: errors.length, sent: starts.length };
  }

  const silent = {};
  const inASecond = { 'Retry-After': '1' };

  test.each<[what: string, number: number, headers: HeadersInit, maxConcurrency: number, failed: number]>([
    ['and it alone, of many in flight', 100, silent, 50, 1],
    ['and it alone, of many in flight, if the service says how long', 100, inASecond, 50, 1],
    ['and it alone, as the only one in flight, if the service says how long', 100, inASecond, 1, 1],
    ['and all that wait, as the only one in flight, if the service does not say', 100, silent, 1, 901],
    ['and all that wait, if the service asks for no wait', 100, { 'Retry-After': '0' }, 1, 901],
  ])('%s', async (_, number, headers, maxConcurrency, failed) => {
    expect(await failuresOf(number, headers, maxConcurrency)).toEqual({ failed, sent: 1_001 - failed });
  });
});

describe('a pause of which more is left than maxRetryAfter', () => {
  test('fails the call, those that wait and those made during it, without sending them', async () => {
    const { client, starts } = connect(async (number) => (number === 1 ? rejected(66) : accepted()), {
      maxConcurrency: 1,
    });
    const calls = [1, 2].map((id) => failure(client.exams.retrieve(id), RateLimitError));
    await vi.advanceTimersByTimeAsync(0);
    calls.push(failure(client.exams.retrieve(3), RateLimitError));
    await vi.advanceTimersByTimeAsync(0);
    expect((await Promise.all(calls)).map(factsOf)).toEqual([
      ['RateLimitError', 'rejected', 1, true],
      ['RateLimitError', 'not_sent', 0, true],
      ['RateLimitError', 'not_sent', 0, true],
    ]);
    await vi.advanceTimersByTimeAsync(1_000);
    const waiting = client.exams.retrieve(4);
    await vi.advanceTimersByTimeAsync(65_000);
    expect(await waiting).toEqual({ id: 1 });
    expect(starts).toEqual([0, 66_000]);
  });

  test('1,000 calls during it cost no further request', async () => {
    const { client, starts } = connect(async () => rejected(3_600));
    for (let count = 0; count < 1_000; count += 1) await failure(client.exams.retrieve(1), RateLimitError);
    expect(starts).toHaveLength(1);
  });

  test('does not fail a call whose maxRetryAfter is as long', async () => {
    const { client, starts } = connect(async (number) => (number === 1 ? rejected(60) : accepted()));
    const calls = [1, 2].map((id) => client.exams.retrieve(id));
    await vi.advanceTimersByTimeAsync(60_000);
    await Promise.all(calls);
    expect(starts).toEqual([0, 0, 60_000]);
  });
});

describe('a pause that does not fit into totalTimeout', () => {
  test('fails the rejected call with its rejection', async () => {
    const { client, starts } = connect(async () => rejected(20), { totalTimeout: 10_000 });
    expect(factsOf(await failure(client.exams.retrieve(1), RateLimitError))).toEqual([
      'RateLimitError',
      'rejected',
      1,
      true,
    ]);
    expect(starts).toHaveLength(1);
  });

  test('fails those that wait, also behind one that has the time, and those made during it', async () => {
    const { client, starts } = connect(async (number) => (number === 1 ? rejected(7) : accepted()), {
      maxConcurrency: 1,
    });
    const patient = [1, 2].map((id) => client.exams.retrieve(id));
    const hurried = [failure(client.exams.retrieve(3, { totalTimeout: 3_000 }), TimeoutError)];
    await vi.advanceTimersByTimeAsync(0);
    hurried.push(failure(client.exams.retrieve(4, { totalTimeout: 3_000 }), TimeoutError));
    await vi.advanceTimersByTimeAsync(0);
    for (const error of await Promise.all(hurried))
      expect(error).toMatchObject({ scope: 'total', outcome: 'not_sent', retryable: true, attempts: 0 });
    await vi.advanceTimersByTimeAsync(7_000);
    await Promise.all(patient);
    expect(starts).toEqual([0, 7_000, 7_000]);
  });

  test('fails a call that was sent before with what its last attempt did', async () => {
    const { client } = connect(async (number) => {
      if (number === 1) return new Response(null, { status: 500 });
      return number === 2 ? rejected(60) : accepted();
    });
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const call = failure(client.exams.retrieve(1, { totalTimeout: 10_000 }), TimeoutError);
    await vi.advanceTimersByTimeAsync(100);
    const other = client.exams.retrieve(2);
    await vi.advanceTimersByTimeAsync(400);
    expect(await call).toMatchObject({ scope: 'total', attempts: 1, outcome: 'unknown', retryable: true });
    await vi.advanceTimersByTimeAsync(70_000);
    expect(await other).toEqual({ id: 1 });
  });
});

test('the time of the attempt does not count a pause', async () => {
  const { client, starts } = connect(async (number) => (number === 1 ? rejected(7) : accepted()));
  const calls = [1, 2].map((id) => client.exams.retrieve(id, { timeout: 1_000 }));
  await vi.advanceTimersByTimeAsync(7_000);
  await Promise.all(calls);
  expect(starts).toHaveLength(3);
});

test('an abort ends the wait immediately, with its own reason', async () => {
  const { client, starts } = connect(async () => rejected(7), { maxRetries: 0 });
  await failure(client.exams.retrieve(1), RateLimitError);
  const controller = new AbortController();
  const waiting = rejection(client.exams.retrieve(2, { signal: controller.signal }));
  await vi.advanceTimersByTimeAsync(10);
  controller.abort('gone');
  expect(await waiting).toBe('gone');
  expect(starts).toEqual([0]);
});

describe('a pause is known from the headers of its 429', () => {
  const controller = new AbortController();
  const hooks = {
    onResponse: ({ status }: { status: number }) => status === 429 && controller.abort('enough'),
  };

  test('also where a hook aborts its call: the next one fails without being sent', async () => {
    const { client, starts } = connect(async () => rejected(3_000), { hooks });
    expect(await rejection(client.exams.retrieve(1, { signal: controller.signal }))).toBe('enough');
    expect(await failure(client.exams.retrieve(2), RateLimitError)).toMatchObject({
      outcome: 'not_sent',
      attempts: 0,
    });
    expect(starts).toHaveLength(1);
  });
});
