import { beforeEach, expect, test, vi } from 'vitest';
import { type ClientOptions, RateLimitError, TimeoutError } from '../../src/index.ts';
import { createClient, failure, recordLog, rejection } from '../helpers/client.ts';
import { startFakeTime } from '../helpers/fake-time.ts';

startFakeTime();

beforeEach(() => {
  // A wait that the service asks for is exceeded by a random time.
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

/** A service that answers 429 to its first request, and a client of it; the times of all requests are noted. */
function connect(retryAfterMs: string | null, options: ClientOptions = {}) {
  const starts: number[] = [];
  const begin = Date.now();
  const client = createClient(
    { url: 'https://h.test' },
    {
      maxRetries: 1,
      fetch: async () => {
        starts.push(Date.now() - begin);
        if (starts.length > 1) return Response.json({ id: 1 });
        const headers: HeadersInit = retryAfterMs === null ? {} : { 'Retry-After': retryAfterMs };
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
  expect((await failure(client.exams.retrieve(1), RateLimitError)).retryAfterMs).toBe(7_000);
  const next = client.exams.retrieve(2);
  await vi.advanceTimersByTimeAsync(7_000);
  await next;
  expect(starts).toEqual([0, 7_000]);
});

test('without Retry-After, every request of the client waits for the backoff', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const { client, starts } = connect(null, { maxRetries: 0 });
  await failure(client.exams.retrieve(1), RateLimitError);
  const next = client.exams.retrieve(2);
  await vi.advanceTimersByTimeAsync(499);
  expect(starts).toEqual([0]);
  await vi.advanceTimersByTimeAsync(1);
  await next;
  expect(starts).toEqual([0, 500]);
});

test('with a Retry-After longer than maxRetryAfter, nobody else waits', async () => {
  const { client, starts } = connect('61', { maxRetries: 0 });
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

test('a call without time for the pause is told at once, also behind one that has the time', async () => {
  const { client, starts } = connect('7', { maxConcurrency: 1 });
  const patient = [client.exams.retrieve(1), client.exams.retrieve(2)];
  const hurried = failure(client.exams.retrieve(3, { totalTimeout: 3_000 }), TimeoutError);
  let told: TimeoutError | undefined;
  hurried.then((error) => {
    told = error;
  });
  await vi.advanceTimersByTimeAsync(0);
  expect(told?.message).toContain('the service has asked to wait until');
  expect(told?.message).toContain('longer than `totalTimeout` (3000 ms) allows.');
  expect(told?.outcome).toBe('not_sent');
  await vi.advanceTimersByTimeAsync(7_000);
  await Promise.all(patient);
  expect(starts).toEqual([0, 7_000, 7_000]);
});

test('calls that go on coming do not keep a limit from being told that is not lifting', async () => {
  const starts: number[] = [];
  const fetch = async () => {
    starts.push(performance.now());
    return new Response(null, { status: 429, headers: { 'Retry-After': '1' } });
  };
  const client = createClient({ url: 'https://h.test' }, { maxRetries: 2, fetch });
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

test('a pause that is over stays so when fake timers set the clocks back', async () => {
  const { client, starts } = connect('7');
  const first = client.exams.retrieve(1);
  await vi.advanceTimersByTimeAsync(7_000);
  await first;
  vi.useRealTimers();
  vi.useFakeTimers({ now: Date.now() - 7_000 });
  const next = client.exams.retrieve(2);
  await vi.advanceTimersByTimeAsync(0);
  await next;
  expect(starts).toHaveLength(3);
});

test.each([
  ['a connection that is lost between refusals is no answer, so the limit is told', true, RateLimitError],
  ['an answer that is cut off between refusals is one, so the limit is not told', false, TimeoutError],
])('%s', async (_, isLost, expected) => {
  let count = 0;
  const fetch = async () => {
    count += 1;
    if (count % 2 === 1) return new Response(null, { status: 429, headers: { 'Retry-After': '1' } });
    if (isLost)
      throw new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) });
    return new Response(new ReadableStream());
  };
  const client = createClient({ url: 'https://h.test' }, { maxRetries: 2, timeout: 1_000, fetch });
  const call = rejection(client.exams.retrieve(1));
  await vi.runAllTimersAsync();
  expect(await call).toBeInstanceOf(expected);
});

test('the pause does not count for the time of the attempt', async () => {
  const { client, starts } = connect('7', { maxRetries: 0 });
  await failure(client.exams.retrieve(1), RateLimitError);
  const waiting = client.exams.retrieve(2, { timeout: 1_000 });
  await vi.advanceTimersByTimeAsync(7_000);
  expect(await waiting).toEqual({ id: 1 });
  expect(starts).toEqual([0, 7_000]);
});

/** A service that admits so many requests in a period, and answers any other with 429 and that share of the wait. */
function limitedService(admitted: number, periodMs: number, options: ClientOptions = {}, told = 1) {
  const counts = { passed: 0, refused: 0 };
  const latencyMs = 5;
  let endsAt = 0;
  let left = 0;
  const client = createClient(
    { url: 'https://h.test' },
    {
      maxRetries: 2,
      fetch: async () => {
        await new Promise((resolve) => setTimeout(resolve, latencyMs));
        const now = performance.now();
        if (now >= endsAt) {
          endsAt = now + periodMs;
          left = admitted;
        }
        left -= 1;
        if (left >= 0) {
          counts.passed += 1;
          return Response.json({ id: 1 });
        }
        counts.refused += 1;
        const headers = { 'Retry-After': String(((endsAt - now) * told) / 1_000) };
        return new Response(null, { status: 429, headers });
      },
      ...options,
    },
  );
  return { client, counts };
}

async function elapsed(work: Promise<unknown>): Promise<number> {
  const begin = performance.now();
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  for (let step = 0; !isOver && step < 200_000; step += 1) await vi.advanceTimersByTimeAsync(5);
  await over;
  return performance.now() - begin;
}

test('a limit that is told to end too soon is not met by a burst again', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  const { client, counts } = limitedService(60, 4_000, { maxRetries: 9 }, 0.5);
  await elapsed(Promise.all(Array.from({ length: 300 }, (_, index) => client.exams.retrieve(index + 1))));
  expect(counts.passed).toBe(300);
  // In each of the five periods, some come too soon; a burst at its beginning would be refused as a whole.
  expect(counts.refused).toBeLessThanOrEqual(5 * 16);
});

test.each([
  ['1,000 calls at once', 1_000, {}],
  ['3,000 calls with room for 20', 3_000, { maxConcurrency: 20 }],
  ['3,000 calls with room for 50', 3_000, { maxConcurrency: 50 }],
])('a limit costs %s waits, and none of them', async (_, count, options) => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  const { client, counts } = limitedService(60, 400, options);
  const calls = Array.from({ length: count }, (__, index) => client.exams.retrieve(index + 1));
  const time = await elapsed(Promise.all(calls));
  expect(counts.passed).toBe(count);
  expect(counts.refused).toBeLessThanOrEqual((counts.passed + counts.refused) / 10);
  // What the limit itself takes: a period for every 60 requests.
  expect(time).toBeLessThanOrEqual((count / 60) * 400 * 1.3);
});

test('an import, an assignment and a list get through one limit at once', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  const { client, counts } = limitedService(10, 400);
  const row = (index: number) => ({ email: `p${index}@x.test`, name: 'Ada', password: 'secret-1' });
  const jobs = Promise.all([
    client.participants.importAll(
      Array.from({ length: 100 }, (_, index) => row(index)),
      { batchSize: 5 },
    ),
    client.examParticipants.assignAll(
      Array.from({ length: 60 }, (_, index) => ({ participant_id: index + 1, exam_id: 1 })),
      { concurrency: 32 },
    ),
    Promise.all(Array.from({ length: 40 }, (_, index) => client.exams.retrieve(index + 1))),
  ]);
  await elapsed(jobs);
  const [summary, assigned] = await jobs;
  expect(summary).toMatchObject({ imported: 100, failed: 0 });
  expect(assigned).toMatchObject({ total: 60, failed: 0 });
  expect(counts.refused).toBeGreaterThan(0);
});

test('a refused call keeps its place: those that waited behind it come after it', async () => {
  const order: string[] = [];
  let isLimited = true;
  const fetch = async (url: string) => {
    order.push(new URL(url).pathname);
    const status = isLimited ? 429 : 200;
    isLimited = false;
    return Response.json({ id: 1 }, { status, headers: { 'Retry-After': '1' } });
  };
  const client = createClient({ url: 'https://h.test' }, { fetch, maxRetries: 1, maxConcurrency: 1 });
  const calls = [1, 2, 3].map((id) => client.exams.retrieve(id));
  await vi.advanceTimersByTimeAsync(1_000);
  await Promise.all(calls);
  expect(order).toEqual(['/exams/1', '/exams/1', '/exams/2', '/exams/3']);
});

test('a limit that does not lift fails the call that probes it and all that wait', async () => {
  const starts: number[] = [];
  const fetch = async () => {
    starts.push(performance.now());
    return new Response(null, { status: 429, headers: { 'Retry-After': '1' } });
  };
  const client = createClient({ url: 'https://h.test' }, { fetch, maxRetries: 2, maxConcurrency: 1 });
  const calls = [1, 2, 3].map((id) => failure(client.exams.retrieve(id), RateLimitError));
  await vi.advanceTimersByTimeAsync(5_000);
  const errors = await Promise.all(calls);
  expect(starts).toHaveLength(3);
  expect(errors.map(({ outcome, attempts }) => [outcome, attempts])).toEqual([
    ['rejected', 3],
    ['not_sent', 0],
    ['not_sent', 0],
  ]);
  expect(errors.every(({ retryable, status }) => retryable && status === 429)).toBe(true);
  for (const { message } of errors) expect(message).toContain('failed with 429');
});

test('a call that was sent before, and has no time for the pause, is not said to have been held back', async () => {
  const answers = [
    new Response(null, { status: 500 }),
    new Response(null, { status: 429, headers: { 'Retry-After': '60' } }),
  ];
  const client = createClient(
    { url: 'https://h.test' },
    { fetch: async () => answers.shift() ?? Response.json({ id: 1 }), maxRetries: 1 },
  );
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  const call = failure(client.exams.retrieve(1, { totalTimeout: 10_000 }), TimeoutError);
  await vi.advanceTimersByTimeAsync(100);
  const other = client.exams.retrieve(2);
  await vi.advanceTimersByTimeAsync(400);
  const error = await call;
  expect(error).toMatchObject({ scope: 'total', attempts: 1, outcome: 'unknown', retryable: true });
  expect(error.message).toContain('could not be completed within 10000 ms');
  await vi.advanceTimersByTimeAsync(70_000);
  expect(await other).toMatchObject({ id: 1 });
});

test('a call that has no time for the pause is refused at once, naming its end', async () => {
  vi.setSystemTime(new Date('2026-03-01T08:00:00Z'));
  const { client, starts } = connect('30', { maxRetries: 0 });
  await failure(client.exams.retrieve(1), RateLimitError);
  const error = await failure(client.exams.retrieve(2, { totalTimeout: 1_500 }), TimeoutError);
  expect(error).toMatchObject({ outcome: 'not_sent', retryable: true, attempts: 0 });
  expect(error.message).toContain('the service has asked to wait until 2026-03-01T08:00:30.000Z (30000 ms)');
  expect(starts).toEqual([0]);
});

test('a pause is logged once, and hooks are told how long a request was held back', async () => {
  const lines: string[] = [];
  const log = (line: string) => lines.push(line);
  const held: number[] = [];
  await vi.advanceTimersByTimeAsync(10_000);
  const durations: number[] = [];
  const { client } = connect('7', {
    logger: { debug: log, info: log, warn: log, error: log },
    logLevel: 'info',
    hooks: {
      onRequest: ({ queuedMs }) => held.push(queuedMs),
      onEnd: ({ durationMs }) => durations.push(durationMs),
    },
  });
  const calls = [1, 2, 3].map((id) => client.exams.retrieve(id));
  await vi.advanceTimersByTimeAsync(7_000);
  await Promise.all(calls);
  expect(lines.filter((line) => line.includes('all calls of this client wait'))).toEqual([
    'exam-service-sdk: The service refuses requests (429): all calls of this client wait for 7000 ms.',
  ]);
  expect(held.at(0)).toBe(0);
  expect(Math.max(...held)).toBe(7_000);
  expect(durations).toEqual([0, 0, 7_000]);
});

test('calls whose time is up in line are not sent', async () => {
  const fetch = vi.fn(() => new Promise<Response>(() => {}));
  const client = createClient({ url: 'https://h.test' }, { fetch, maxConcurrency: 1, totalTimeout: 300 });
  const calls = Array.from({ length: 1_000 }, (_, index) =>
    failure(client.examParticipants.assign({ participant_id: index + 1, exam_id: 1 }), TimeoutError),
  );
  await vi.advanceTimersByTimeAsync(300);
  const errors = await Promise.all(calls);
  const outcomes = errors.map(({ outcome }) => outcome);
  expect(fetch).toHaveBeenCalledTimes(1);
  expect(errors.at(-1)?.message).toContain('waited in line for its `totalTimeout` of 300 ms');
  expect(outcomes.filter((outcome) => outcome === 'unknown')).toHaveLength(1);
  expect(outcomes.filter((outcome) => outcome === 'not_sent')).toHaveLength(999);
});

test('nothing is left of having waited in line', async () => {
  const { client } = connect(null, { maxConcurrency: 1, totalTimeout: 60_000 });
  const calls = [1, 2, 3].map((id) => client.exams.retrieve(id));
  await vi.advanceTimersByTimeAsync(10_000);
  await Promise.all(calls);
  expect(vi.getTimerCount()).toBe(0);
});

test('after a refusal, a service that does not answer gets one request after the other, and no burst', async () => {
  const fetch = vi.fn(() => new Promise<Response>(() => {}));
  fetch.mockResolvedValueOnce(new Response(null, { status: 429, headers: { 'Retry-After': '1' } }));
  const client = createClient({ url: 'https://h.test' }, { fetch, maxConcurrency: 50, totalTimeout: 9_000 });
  const calls = Array.from({ length: 50 }, (_, index) => rejection(client.exams.retrieve(index + 1)));
  await vi.advanceTimersByTimeAsync(0);
  const atOnce = fetch.mock.calls.length;
  await vi.advanceTimersByTimeAsync(1_450);
  expect(fetch.mock.calls.length - atOnce).toBe(5);
  await vi.advanceTimersByTimeAsync(9_000);
  await Promise.all(calls);
});

test('a service that is slow does not hold up a burst of calls for its answers', async () => {
  const fetch = vi.fn(() => new Promise<Response>(() => {}));
  const client = createClient({ url: 'https://h.test' }, { fetch });
  const calls = Array.from({ length: 100 }, (_, index) => rejection(client.exams.retrieve(index + 1)));
  await vi.advanceTimersByTimeAsync(500);
  expect(fetch).toHaveBeenCalledTimes(100);
  await vi.advanceTimersByTimeAsync(40_000);
  await Promise.all(calls);
});

/** A service whose answers the test gives, in the order of the requests. */
function startAnswered(options: ClientOptions = {}) {
  const answers: ((answer: Response) => void)[] = [];
  const client = createClient(
    { url: 'https://h.test' },
    { fetch: () => new Promise<Response>((resolve) => answers.push(resolve)), ...options },
  );
  const answer = async (index: number, status: number, headers: HeadersInit = {}) => {
    answers[index]?.(status === 200 ? Response.json({ id: 1 }) : new Response(null, { status, headers }));
    await vi.advanceTimersByTimeAsync(0);
  };
  return { client, answers, answer };
}

const inAMinute = { 'Retry-After': '60' };

test('whoever waits for room behind others, and has no time for a pause that begins, is told at once', async () => {
  const { client, answer } = startAnswered({ maxConcurrency: 1, maxRetries: 1 });
  const patient = [client.exams.retrieve(1), client.exams.retrieve(2)];
  const hurried = failure(client.exams.retrieve(3, { totalTimeout: 5_000 }), TimeoutError);
  await vi.advanceTimersByTimeAsync(0);
  await answer(0, 429, inAMinute);
  expect(await hurried).toMatchObject({ scope: 'total', outcome: 'not_sent' });
  const later = failure(client.exams.retrieve(4, { totalTimeout: 5_000 }), TimeoutError);
  await vi.advanceTimersByTimeAsync(0);
  expect((await later).message).toContain('the service has asked to wait until');
  await vi.advanceTimersByTimeAsync(60_000);
  await answer(1, 200);
  await answer(2, 200);
  expect(await Promise.all(patient)).toHaveLength(2);
});

test('who gives up as the last one in line leaves no timer behind', async () => {
  const { client, answer } = startAnswered({ timeout: false });
  const refused = rejection(client.exams.retrieve(1));
  await vi.advanceTimersByTimeAsync(0);
  await answer(0, 429, inAMinute);
  await refused;
  const controller = new AbortController();
  const waiting = rejection(client.exams.retrieve(2, { signal: controller.signal }));
  await vi.advanceTimersByTimeAsync(0);
  expect(vi.getTimerCount()).toBe(1);
  controller.abort('enough');
  expect(await waiting).toBe('enough');
  expect(vi.getTimerCount()).toBe(0);
});

test('neither a lost connection nor a late answer is logged as a pause', async () => {
  const logger = recordLog();
  const { client, answer, answers } = startAnswered({ logger, logLevel: 'info' });
  const calls = [1, 2, 3].map((id) => rejection(client.exams.retrieve(id)).catch(() => null));
  await vi.advanceTimersByTimeAsync(0);
  answers[0]?.(Promise.reject(new TypeError('fetch failed')) as never);
  await answer(1, 429, inAMinute);
  await answer(2, 200);
  await Promise.all(calls);
  expect(logger.lines.map(({ message }) => message)).toEqual([
    expect.stringContaining('all calls of this client wait for 60000 ms'),
  ]);
});

test('a pause is logged at the level info only', async () => {
  const logger = recordLog();
  const { client, answer } = startAnswered({ logger, logLevel: 'warn' });
  const call = rejection(client.exams.retrieve(1));
  await vi.advanceTimersByTimeAsync(0);
  await answer(0, 429, inAMinute);
  await call;
  expect(logger.lines).toEqual([]);
});

test('a short wait that the service asks for is not made a longer one', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.9);
  const { client, starts } = connect('0.1');
  const call = client.exams.retrieve(1);
  await vi.advanceTimersByTimeAsync(150);
  await call;
  expect(starts).toHaveLength(2);
});

test('a pause ends with its timer, also where tests replace the timers and no clock', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { client, starts } = connect('30');
  const call = client.exams.retrieve(1);
  await vi.advanceTimersByTimeAsync(31_000);
  expect(await call).toEqual({ id: 1 });
  expect(starts).toHaveLength(2);
});
