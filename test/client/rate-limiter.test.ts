import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type ClientOptions, type Fetch, RateLimitError, TimeoutError } from '../../src/index.ts';
import { createClient, failure, nowhere, recordLog, rejection } from '../helpers/client.ts';
import { startFakeTime } from '../helpers/fake-time.ts';

startFakeTime();

beforeEach(() => {
  // A wait that the service asks for is exceeded by a random time.
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

/** A service that responds with 429 to its first request, and a client of it; the times of all requests are noted. */
function connect(retryAfter: string | null, options: ClientOptions = {}) {
  const starts: number[] = [];
  const begin = performance.now();
  const fetch = async () => {
    starts.push(performance.now() - begin);
    if (starts.length > 1) return Response.json({ id: 1 });
    const headers: HeadersInit = retryAfter === null ? {} : { 'Retry-After': retryAfter };
    return new Response(null, { status: 429, headers });
  };
  return { starts, client: createClient(nowhere, { maxRetries: 1, fetch, ...options }) };
}

/** A service whose responses the test gives, in the order of the requests. */
function connectByHand(options: ClientOptions = {}) {
  const pending: { readonly path: string; readonly respond: (response: Response) => void }[] = [];
  const fetch: Fetch = (url) =>
    new Promise<Response>((resolve) => {
      pending.push({ path: url.slice(nowhere.url.length), respond: resolve });
    });
  const client = createClient(nowhere, { maxRetries: 2, fetch, ...options });
  const respond = async (index: number, status: number, headers: HeadersInit = {}) => {
    const body = status === 200 ? { id: 1 } : {};
    pending[index]?.respond(Response.json(body, { status, headers }));
    await vi.advanceTimersByTimeAsync(0);
  };
  /** The headers of a response, and a function that sends its body. */
  const respondSlowly = async (index: number, status: number, headers: HeadersInit = {}) => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    pending[index]?.respond(new Response(readable, { status, headers }));
    await vi.advanceTimersByTimeAsync(0);
    return async () => {
      await new Response('{"id":1}').body?.pipeTo(writable);
      await vi.advanceTimersByTimeAsync(0);
    };
  };
  const paths = () => pending.map(({ path }) => path);
  return { client, respond, respondSlowly, paths, count: () => pending.length };
}

const inASecond = { 'Retry-After': '1' };
const later = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

describe('a 429', () => {
  test('pauses every request of the client, as long as the service asks', async () => {
    const { client, starts } = connect('7');
    const calls: Promise<unknown>[] = [client.exams.retrieve(1)];
    await vi.advanceTimersByTimeAsync(0);
    calls.push(client.exams.retrieve(2), client.examParticipants.assign({ participant_id: 1, exam_id: 1 }));
    await vi.advanceTimersByTimeAsync(6_999);
    expect(starts).toEqual([0]);
    await vi.advanceTimersByTimeAsync(1);
    await Promise.all(calls);
    expect(starts).toEqual([0, 7_000, 7_000, 7_000]);
  });

  test('pauses the others also where its own call fails', async () => {
    const { client, starts } = connect('7', { maxRetries: 0 });
    expect(await failure(client.exams.retrieve(1), RateLimitError)).toMatchObject({ retryAfterMs: 7_000 });
    const next = client.exams.retrieve(2);
    await vi.advanceTimersByTimeAsync(7_000);
    await next;
    expect(starts).toEqual([0, 7_000]);
  });

  test('does not pause another client', async () => {
    const { client } = connect('7', { maxRetries: 0 });
    await failure(client.exams.retrieve(1), RateLimitError);
    const other = connect(null);
    const call = rejection(other.client.exams.retrieve(1, { maxRetries: 0 }));
    await vi.advanceTimersByTimeAsync(0);
    expect(other.starts).toEqual([0]);
    await call;
  });

  test.each([
    ['says how long', '7', [7_700]],
    ['asks for half a minute: a second more at most', '30', [31_000]],
    ['does not say: a second, and up to a quarter more', null, [1_250]],
    ['asks for no wait: a fraction of a second may have been rounded away', '0', [1_250]],
  ])(
    'pauses a little longer than asked for, so that clients do not come back together: it %s',
    async (_, retryAfter, expected) => {
      vi.spyOn(Math, 'random').mockReturnValue(1);
      const { client, starts } = connect(retryAfter);
      const call = client.exams.retrieve(1);
      await vi.advanceTimersByTimeAsync(40_000);
      await call;
      expect(starts.slice(1)).toEqual(expected);
    },
  );

  test('that does not say how long doubles the pause with each in a row, up to 8 seconds', async () => {
    const starts: number[] = [];
    const fetch = async () => {
      starts.push(performance.now());
      return new Response(null, { status: 429 });
    };
    const client = createClient(nowhere, { maxRetries: 6, fetch });
    const call = failure(client.exams.retrieve(1), RateLimitError);
    await vi.advanceTimersByTimeAsync(60_000);
    await call;
    const waits = starts.slice(1).map((start, index) => start - Number(starts[index]));
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
  });

  test('that asks for more than an hour pauses for an hour', async () => {
    const { client, starts } = connect('86400', { maxRetryAfter: 100_000_000 });
    const call = client.exams.retrieve(1);
    await vi.advanceTimersByTimeAsync(3_600_000);
    await call;
    expect(starts).toEqual([0, 3_600_000]);
  });

  test('pauses as soon as its headers are there, however long its body takes', async () => {
    let sent = 0;
    const fetch = async () => {
      sent += 1;
      if (sent > 1) return Response.json({ id: 1 });
      return new Response(new ReadableStream(), { status: 429, headers: { 'Retry-After': '60' } });
    };
    const client = createClient(nowhere, { maxRetries: 1, maxConcurrency: 1, fetch });
    const calls = [client.exams.retrieve(1)];
    await vi.advanceTimersByTimeAsync(10);
    const other = client.withOptions({ maxConcurrency: 50 });
    for (let id = 2; id < 70; id += 1) calls.push(other.exams.retrieve(id));
    await vi.advanceTimersByTimeAsync(59_000);
    expect(sent).toBe(1);
    await vi.advanceTimersByTimeAsync(10_000);
    await Promise.all(calls);
  });

  test('is not cut short by a shorter one that comes later', async () => {
    const { client, respond, count } = connectByHand({ maxRetries: 0 });
    const calls = [1, 2].map((id) => failure(client.exams.retrieve(id), RateLimitError));
    await vi.advanceTimersByTimeAsync(0);
    await respond(0, 429, { 'Retry-After': '7' });
    await respond(1, 429, { 'Retry-After': '2' });
    await Promise.all(calls);
    const waiting = client.exams.retrieve(3);
    await vi.advanceTimersByTimeAsync(6_999);
    expect(count()).toBe(2);
    await vi.advanceTimersByTimeAsync(1);
    await respond(2, 200);
    await waiting;
  });

  test('lengthens a pause for those that wait already as soon as its headers are there', async () => {
    const { client, respond, respondSlowly, count } = connectByHand();
    const calls = [1, 2].map((id) => client.exams.retrieve(id));
    await vi.advanceTimersByTimeAsync(0);
    await respond(0, 429, { 'Retry-After': '2' });
    const sendBody = await respondSlowly(1, 429, { 'Retry-After': '7' });
    await vi.advanceTimersByTimeAsync(3_000);
    await sendBody();
    await vi.advanceTimersByTimeAsync(3_999);
    expect(count()).toBe(2);
    await vi.advanceTimersByTimeAsync(1);
    await respond(2, 200);
    await respond(3, 200);
    await Promise.all(calls);
  });

  test('is logged once as a pause, and hooks learn how long a request was queued', async () => {
    const logger = recordLog();
    const queued: number[] = [];
    const hooks = { onRequest: ({ queuedMs }: { queuedMs: number }) => queued.push(queuedMs) };
    const { client } = connect('7', { logger, logLevel: 'info', hooks });
    const calls = [1, 2, 3].map((id) => client.exams.retrieve(id));
    await vi.advanceTimersByTimeAsync(7_000);
    await Promise.all(calls);
    expect(logger.lines.filter(({ message }) => message.includes('7000 ms'))).toHaveLength(1);
    expect(queued[0]).toBe(0);
    expect(Math.max(...queued)).toBe(7_000);
  });
});

describe('after a pause', () => {
  test('one request goes first, whoever waits, and each response lets two more go', async () => {
    const { client, respond, count } = connectByHand();
    const other = client.withOptions({ maxConcurrency: 40 });
    const calls = Array.from({ length: 8 }, (_, index) => client.exams.retrieve(index + 1));
    await vi.advanceTimersByTimeAsync(0);
    calls.push(...Array.from({ length: 30 }, () => other.exams.retrieve(9)));
    await vi.advanceTimersByTimeAsync(0);
    expect(count()).toBe(38);
    for (let index = 0; index < 38; index += 1) await respond(index, 429, inASecond);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(count()).toBe(39);
    await respond(38, 200);
    expect(count()).toBe(41);
    await respond(39, 200);
    expect(count()).toBe(43);
    for (let index = 40; index < 80; index += 1) await respond(index, 200);
    await Promise.all(calls);
  });

  test.each([
    ['above half of what was in flight, only every row of responses lets one more go', 0],
    ['that follows another, in which one request alone was rejected, so it is as well', 1],
  ])('%s', async (_, probes) => {
    const { client, respond, count } = connectByHand();
    const calls = Array.from({ length: 40 }, (_, index) => client.exams.retrieve(index + 1));
    await vi.advanceTimersByTimeAsync(0);
    // The first 24 are accepted, so that 16 are in flight when the pause begins.
    for (let index = 0; index < 24; index += 1) await respond(index, 200);
    for (let index = 24; index < 40; index += 1) await respond(index, 429, inASecond);
    calls.push(...Array.from({ length: 60 }, () => client.exams.retrieve(9)));
    await vi.advanceTimersByTimeAsync(1_000);
    for (let probe = 0; probe < probes; probe += 1) {
      await respond(40 + probe, 429, inASecond);
      await vi.advanceTimersByTimeAsync(1_000);
    }
    const waves: number[] = [];
    let done = 40 + probes;
    while (waves.length < 6) {
      const wave = count() - done;
      waves.push(wave);
      for (let index = 0; index < wave; index += 1, done += 1) await respond(done, 200);
    }
    expect(waves).toEqual([1, 2, 4, 8, 8, 9]);
    for (let index = done; index < 120 + probes; index += 1) await respond(index, 200);
    await Promise.all(calls);
  });

  test('a 429 looks at no call that waits on', async () => {
    const { client, respond, count } = connectByHand({ maxConcurrency: 1 });
    const calls = Array.from({ length: 2_000 }, () => client.exams.retrieve(9).catch(() => {}));
    await vi.advanceTimersByTimeAsync(0);
    const looks = vi.spyOn(performance, 'now');
    await respond(0, 429, inASecond);
    expect(looks.mock.calls.length).toBeLessThan(100);
    looks.mockRestore();
    await vi.advanceTimersByTimeAsync(1_000);
    for (let index = 1; index < count(); index += 1) await respond(index, 200);
    await Promise.all(calls);
  });

  test('an accepted request lets another go as soon as its headers are there', async () => {
    const { client, respond, respondSlowly, count } = connectByHand();
    const calls = [1, 2, 3].map((id) => client.exams.retrieve(id));
    await vi.advanceTimersByTimeAsync(0);
    for (let index = 0; index < 3; index += 1) await respond(index, 429, inASecond);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(count()).toBe(4);
    const sendBody = await respondSlowly(3, 200);
    expect(count()).toBe(5);
    await sendBody();
    await respond(4, 200);
    await respond(5, 200);
    await Promise.all(calls);
  });

  test('one request goes first, although an older one hangs', async () => {
    const { client, respond, count } = connectByHand();
    const calls = [9, 1].map((id) => client.exams.retrieve(id));
    await vi.advanceTimersByTimeAsync(0);
    await respond(1, 429, inASecond);
    for (let id = 2; id < 32; id += 1) calls.push(client.exams.retrieve(id));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(count()).toBe(3);
    for (let index = 2; index < 40; index += 1) await respond(index, 200);
    await respond(0, 200);
    await Promise.all(calls);
  });

  test('a rejected call keeps its place: those that were made after it come after it', async () => {
    const { client, respond, paths } = connectByHand({ maxConcurrency: 2 });
    const calls = [1, 2, 3, 4].map((id) => client.exams.retrieve(id));
    await vi.advanceTimersByTimeAsync(0);
    await respond(1, 429, inASecond);
    await respond(0, 429, inASecond);
    await vi.advanceTimersByTimeAsync(1_000);
    for (let index = 2; index < 6; index += 1) await respond(index, 200);
    await Promise.all(calls);
    expect(paths()).toEqual(['/exams/1', '/exams/2', '/exams/1', '/exams/2', '/exams/3', '/exams/4']);
  });

  test('its timer ends it, also where tests replace the timers and no clock', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { client, starts } = connect('30');
    const call = client.exams.retrieve(1);
    await vi.advanceTimersByTimeAsync(31_000);
    expect(await call).toEqual({ id: 1 });
    expect(starts).toHaveLength(2);
  });

  test('it stays over when fake timers set the clock back', async () => {
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
});

describe('what the service says is left', () => {
  test.each([
    ['X-RateLimit-Remaining', '3', 3],
    ['RateLimit-Remaining', '2', 2],
    ['RateLimit', '"burst";r=9, "hour";r=4;t=60', 4],
    ['X-RateLimit-Remaining', '0', 1],
  ])('caps the requests in flight, by at least one: %s: %s', async (name, value, expected) => {
    const { client, respond, count } = connectByHand();
    const first = client.exams.retrieve(1);
    await vi.advanceTimersByTimeAsync(0);
    await respond(0, 200, { [name]: value });
    await first;
    const calls = Array.from({ length: 10 }, (_, index) => client.exams.retrieve(index + 2));
    await vi.advanceTimersByTimeAsync(0);
    expect(count() - 1).toBe(expected);
    for (let index = 1; index < 11; index += 1) await respond(index, 200);
    await Promise.all(calls);
  });

  test('holds until another response says otherwise; an error without it says nothing', async () => {
    const { client, respond, count } = connectByHand({ maxRetries: 0 });
    const calls: Promise<unknown>[] = Array.from({ length: 3 }, () => rejection(client.exams.retrieve(1)));
    await vi.advanceTimersByTimeAsync(0);
    await respond(0, 500, { 'X-RateLimit-Remaining': '1' });
    calls.push(...Array.from({ length: 9 }, () => client.exams.retrieve(4)));
    await respond(1, 500);
    await respond(2, 503);
    expect(count()).toBe(4);
    await respond(3, 200, { 'X-RateLimit-Remaining': '59' });
    expect(count()).toBe(12);
    for (let index = 4; index < 12; index += 1) await respond(index, 200);
    await Promise.all(calls);
  });

  test('of one route does not hold the others: each success without it widens the cap by one', async () => {
    const { client, respond, count } = connectByHand();
    const first = client.exams.retrieve(1);
    await vi.advanceTimersByTimeAsync(0);
    await respond(0, 200, { 'X-RateLimit-Remaining': '1' });
    await first;
    const calls = Array.from({ length: 40 }, () => client.participants.retrieve(1));
    await vi.advanceTimersByTimeAsync(0);
    const inFlight: number[] = [];
    for (let index = 1; index <= 40; index += 1) {
      inFlight.push(count() - index);
      await respond(index, 200);
    }
    await Promise.all(calls);
    expect(inFlight.slice(0, 6)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(Math.max(...inFlight)).toBeGreaterThan(15);
  });
});

describe('a slot', () => {
  test('of an attempt that never ends is taken back when its time is over', async () => {
    let sent = 0;
    const hung: Fetch = () => {
      sent += 1;
      // Such as a request that a worker has ended: not even its timers fire.
      return new Promise(() => {});
    };
    const client = createClient(nowhere, { fetch: hung, maxConcurrency: 1, timeout: false });
    rejection(client.exams.retrieve(1));
    await vi.advanceTimersByTimeAsync(0);
    rejection(client.exams.retrieve(2));
    await vi.advanceTimersByTimeAsync(5 * 60_000 - 1);
    expect(sent).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toBe(2);
  });

  test('that is taken back during a pause ends no pause', async () => {
    let sent = 0;
    const fetch: Fetch = () => {
      sent += 1;
      if (sent === 1) return new Promise(() => {});
      if (sent > 2) return Promise.resolve(Response.json({ id: 1 }));
      const limited = new Response(new ReadableStream(), { status: 429, headers: { 'Retry-After': '10' } });
      return new Promise((resolve) => setTimeout(resolve, 5 * 60_000 - 1_000, limited));
    };
    const client = createClient(nowhere, { fetch, maxRetries: 1, maxConcurrency: 2, timeout: false });
    for (let id = 1; id < 4; id += 1) client.exams.retrieve(id);
    await vi.advanceTimersByTimeAsync(5 * 60_000 + 8_999);
    expect(sent).toBe(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toBeGreaterThan(2);
  });

  test('of a call that fails or is aborted goes to the next at once', async () => {
    const { client, respond, count } = connectByHand({ maxConcurrency: 1 });
    const first = rejection(client.exams.retrieve(1, { maxRetries: 0 }));
    const controller = new AbortController();
    const second = rejection(client.exams.retrieve(2, { signal: controller.signal }));
    const third = client.exams.retrieve(3);
    await vi.advanceTimersByTimeAsync(0);
    await respond(0, 404);
    expect(count()).toBe(2);
    controller.abort('gone');
    await vi.advanceTimersByTimeAsync(0);
    expect(count()).toBe(3);
    await respond(2, 200);
    await Promise.all([first, second, third]);
  });
});

describe('clients of one address and key', () => {
  test('are served in the order of their calls, and a call that only its own maxConcurrency holds back is passed by', async () => {
    const { client, respond, paths } = connectByHand({ maxConcurrency: 1 });
    const other = client.withOptions({ maxConcurrency: 2 });
    const calls = [client, client, other, other, other].map((each, index) => each.exams.retrieve(index + 1));
    await vi.advanceTimersByTimeAsync(0);
    expect(paths()).toEqual(['/exams/1', '/exams/3', '/exams/4']);
    await respond(1, 200);
    await respond(0, 200);
    expect(paths().slice(3)).toEqual(['/exams/5', '/exams/2']);
    for (let index = 2; index < 5; index += 1) await respond(index, 200);
    await Promise.all(calls);
  });

  test('share maxConcurrency unless withOptions sets one', async () => {
    const { client, count } = connectByHand({ maxConcurrency: 1 });
    const sibling = client.withOptions({ timeout: 5_000 });
    const independent = client.withOptions({ maxConcurrency: 1 });
    for (const each of [client, sibling, independent]) each.exams.retrieve(1).catch(() => {});
    await vi.advanceTimersByTimeAsync(0);
    expect(count()).toBe(2);
    await vi.advanceTimersByTimeAsync(300_000);
  });
});

test('50 requests are in flight at once by default, and any number with Infinity', async () => {
  for (const [options, expected] of [
    [{}, 50],
    [{ maxConcurrency: Number.POSITIVE_INFINITY }, 80],
  ] as const) {
    const { client, respond, count } = connectByHand(options);
    const calls = Array.from({ length: 80 }, (_, index) => client.exams.retrieve(index + 1));
    await vi.advanceTimersByTimeAsync(0);
    expect(count()).toBe(expected);
    for (let index = 0; index < 80; index += 1) await respond(index, 200);
    await Promise.all(calls);
  }
});

test('nothing is left of having waited', async () => {
  const { client } = connect(null, { maxConcurrency: 1, totalTimeout: 60_000 });
  const controller = new AbortController();
  const calls = [1, 2, 3].map((id) => client.exams.retrieve(id));
  const gone = rejection(client.exams.retrieve(4, { signal: controller.signal }));
  await vi.advanceTimersByTimeAsync(0);
  controller.abort('gone');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await gone).toBe('gone');
  await Promise.all(calls);
  expect(vi.getTimerCount()).toBe(0);
});

/** A service that admits so many requests in a period, and rejects any other with 429 and the wait in whole seconds. */
function limitedService(admitted: number, periodMs: number, latencyMs: number, saysRemaining: boolean) {
  const counts = { accepted: 0, rejected: 0 };
  let endsAt = 0;
  let left = 0;
  const fetch: Fetch = async () => {
    await later(latencyMs / 2);
    const now = performance.now();
    if (now >= endsAt) [endsAt, left] = [now + periodMs, admitted];
    left -= 1;
    const isAccepted = left >= 0;
    counts[isAccepted ? 'accepted' : 'rejected'] += 1;
    const headers = {
      ...(saysRemaining && { 'X-RateLimit-Remaining': String(Math.max(0, left)) }),
      ...(!isAccepted && { 'Retry-After': String(Math.ceil((endsAt - now) / 1_000)) }),
    };
    await later(latencyMs / 2);
    return Response.json({ id: 1 }, { status: isAccepted ? 200 : 429, headers });
  };
  return { counts, fetch };
}

async function settle(calls: readonly Promise<unknown>[]): Promise<number> {
  const begin = performance.now();
  let isOver = false;
  const settled = Promise.allSettled(calls).finally(() => {
    isOver = true;
  });
  for (let step = 0; !isOver && step < 100_000; step += 1) await vi.advanceTimersByTimeAsync(20);
  expect((await settled).filter(({ status }) => status === 'rejected')).toEqual([]);
  return performance.now() - begin;
}

describe('a limit fails no call, and costs few requests', () => {
  test.each([
    // [admitted, period in ms, latency in ms, says what is left, calls, most rejected in %, most time beside the limit's own]
    [60, 5_000, 20, true, 600, 8, 1.3],
    [60, 5_000, 20, false, 600, 33, 1.3],
    [60, 5_000, 300, true, 600, 8, 1.4],
    [60, 60_000, 100, true, 300, 8, 1.3],
    [20, 1_000, 50, true, 600, 18, 1.6],
    [20, 1_000, 50, false, 600, 33, 1.6],
    [200, 1_000, 50, true, 1_000, 18, 2],
    [200, 1_000, 50, false, 1_000, 33, 2],
    [1, 1_000, 3_000, false, 12, 100, 4],
    [1, 1_000, 3_000, true, 12, 100, 4],
    [1, 1_000, 5, false, 12, 100, 4],
  ])(
    '%i in %i ms, with responses after %i ms; it says what is left: %s',
    async (admitted, periodMs, latencyMs, says, count, mostRejected, mostTime) => {
      vi.spyOn(Math, 'random').mockReturnValue(0.5);
      const { counts, fetch } = limitedService(admitted, periodMs, latencyMs, says);
      const client = createClient(nowhere, { fetch, maxRetries: 2 });
      const time = await settle(
        Array.from({ length: count }, (_, index) => client.exams.retrieve(index + 1)),
      );
      expect(counts.accepted).toBe(count);
      expect((100 * counts.rejected) / (counts.accepted + counts.rejected)).toBeLessThanOrEqual(mostRejected);
      expect(time / ((count / admitted) * periodMs)).toBeLessThanOrEqual(mostTime);
    },
  );
});

test('a call that has no time left in the queue is not sent', async () => {
  const { client, count } = connectByHand({ maxConcurrency: 1, totalTimeout: 300 });
  const calls = Array.from({ length: 1_000 }, (_, index) =>
    failure(client.examParticipants.assign({ participant_id: index + 1, exam_id: 1 }), TimeoutError),
  );
  await vi.advanceTimersByTimeAsync(300);
  const outcomes = (await Promise.all(calls)).map(({ outcome }) => outcome);
  expect(count()).toBe(1);
  expect(outcomes.filter((outcome) => outcome === 'unknown')).toHaveLength(1);
  expect(outcomes.filter((outcome) => outcome === 'not_sent')).toHaveLength(999);
});
