import { describe, expect, test, vi } from 'vitest';
import { InternalServerError, isApiError, type OnRetryEvent, TimeoutError } from '../../src/index.ts';
import { createClient, failure, nowhere } from '../helpers/client.ts';
import { startFakeTime } from '../helpers/fake-time.ts';
import { createGate } from '../helpers/gate.ts';
import { type Handler, startService } from '../helpers/server.ts';

startFakeTime();

const silent: Handler = () => undefined;

const stalled: Handler = (_, { begin }) => begin({}, '{"id":');

describe('timeout', () => {
  test('ends an attempt whose response does not come, after 30 s by default', async () => {
    await using server = startService(silent);
    const call = failure(createClient(server).exams.retrieve(3), TimeoutError);
    await server.arrival(1);
    await vi.advanceTimersByTimeAsync(30_000);
    const error = await call;
    expect(error).toMatchObject({
      name: 'TimeoutError',
      code: 'timeout',
      scope: 'attempt',
      timeoutMs: 30_000,
    });
    expect(error).toMatchObject({ operation: 'exams.retrieve', attempts: 1 });
    expect(error.message).toBe(
      'exams.retrieve: GET /exams/3 got no complete response within 30000 ms. Raise `timeout` if the service needs longer.',
    );
    expect(isApiError(error)).toBe(false);
    expect(error).not.toHaveProperty('cause');
  });

  test('ends an attempt whose body stalls', async () => {
    const responded = createGate();
    await using server = startService(stalled);
    const client = createClient(server, { timeout: 500, hooks: { onResponse: () => responded.open() } });
    const call = failure(client.exams.retrieve(3), TimeoutError);
    await responded.promise;
    await vi.advanceTimersByTimeAsync(500);
    expect(await call).toMatchObject({ scope: 'attempt', timeoutMs: 500 });
  });

  test('does not hide the status of a response whose body stalls, which is waited for no longer', async () => {
    const responded = createGate();
    await using server = startService((_, { begin }) => begin({ status: 500 }, '{'));
    const client = createClient(server, { timeout: 500, hooks: { onResponse: () => responded.open() } });
    const call = failure(client.exams.retrieve(3), InternalServerError);
    await responded.promise;
    await vi.advanceTimersByTimeAsync(500);
    expect(await call).toMatchObject({ status: 500, body: '{' });
  });

  test('holds for a fetch that does not care about its signal', async () => {
    const client = createClient(nowhere, { fetch: () => new Promise<Response>(() => {}), timeout: 50 });
    const call = failure(client.exams.list(), TimeoutError);
    await vi.advanceTimersByTimeAsync(50);
    expect(await call).toMatchObject({ scope: 'attempt', timeoutMs: 50 });
  });

  test('holds for a key function that hangs, and nothing is sent afterwards', async () => {
    await using server = startService({ body: [] });
    const gate = createGate<string>();
    const call = failure(
      createClient(server, { apiKey: () => gate.promise, timeout: 50 }).exams.list(),
      TimeoutError,
    );
    await vi.advanceTimersByTimeAsync(50);
    const error = await call;
    expect(error).toMatchObject({ scope: 'attempt', outcome: 'not_sent' });
    expect(error.message).toMatch(/was not sent within 50 ms: `apiKey` or a hook `onRequest`/);
    gate.open('too-late');
    await gate.promise;
    expect(server.requests).toHaveLength(0);
  });

  test('does not count what a schema of the caller takes, nor is the request sent again for it', async () => {
    await using server = startService({ body: { id: 3 } });
    const asked = createGate();
    const checked = createGate();
    const validate = async (value: unknown) => {
      asked.open();
      await checked.promise;
      return { value };
    };
    const schemas = { exam: { '~standard': { version: 1, vendor: 'test', validate } } } as const;
    const client = createClient(server, { schemas, timeout: 200, totalTimeout: 300, maxRetries: 2 });
    const call = client.exams.retrieve(3).then((exam) => exam);
    await asked.promise;
    await vi.advanceTimersByTimeAsync(400);
    checked.open();
    expect(await call).toEqual({ id: 3 });
    expect(server.requests).toHaveLength(1);
  });

  test('of a call wins over that of the client', async () => {
    await using server = startService(silent);
    const call = failure(createClient(server).exams.list({}, { timeout: 20 }), TimeoutError);
    await server.arrival(1);
    await vi.advanceTimersByTimeAsync(20);
    expect((await call).timeoutMs).toBe(20);
  });

  test('of false waits as long as it takes', async () => {
    const gate = createGate();
    await using server = startService(async () => {
      await gate.promise;
      return { body: { id: 3 } };
    });
    const call = createClient(server, { timeout: false }).exams.retrieve(3);
    await server.arrival(1);
    await vi.advanceTimersByTimeAsync(200_000);
    gate.open();
    expect(await call).toEqual({ id: 3 });
  });

  test('counts anew for every attempt', async () => {
    const retries: OnRetryEvent[] = [];
    const retried = [createGate(), createGate()] as const;
    await using server = startService(silent);
    const client = createClient(server, {
      timeout: 1_000,
      maxRetries: 1,
      hooks: { onRetry: (event) => retried[(retries.push(event) - 1) as 0 | 1].open() },
    });
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const call = failure(client.exams.list(), TimeoutError);
    await server.arrival(1);
    await vi.advanceTimersByTimeAsync(1_000);
    await retried[0].promise;
    expect(retries[0]).toMatchObject({ attempt: 1, delayMs: 250, error: { scope: 'attempt' } });
    await vi.advanceTimersByTimeAsync(250);
    await server.arrival(2);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await call).toMatchObject({ scope: 'attempt', attempts: 2 });
    expect(server.requests).toHaveLength(2);
  });
});

describe('totalTimeout', () => {
  test('ends a call during its first attempt', async () => {
    await using server = startService(silent);
    const call = failure(
      createClient(server, { totalTimeout: 400, maxRetries: 5 }).exams.list(),
      TimeoutError,
    );
    await server.arrival(1);
    await vi.advanceTimersByTimeAsync(400);
    const error = await call;
    expect(error).toMatchObject({ scope: 'total', timeoutMs: 400, attempts: 1 });
    expect(error).not.toHaveProperty('cause');
    expect(error.message).toMatch(/got no complete response within 400 ms\. Raise `totalTimeout`/);
    expect(server.requests).toHaveLength(1);
  });

  test('as long as `timeout` is no reason to name it instead', async () => {
    await using server = startService(silent);
    const call = failure(
      createClient(server, { timeout: 400, totalTimeout: 400 }).exams.list(),
      TimeoutError,
    );
    await server.arrival(1);
    await vi.advanceTimersByTimeAsync(400);
    expect(await call).toMatchObject({ scope: 'attempt', timeoutMs: 400, attempts: 1 });
  });

  test('counts all attempts and the waits between them', async () => {
    // A wait that the service asks for is exceeded by a random time.
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const retried = createGate();
    await using server = startService((_, { number }) =>
      number === 1 ? { status: 503, headers: { 'Retry-After': '1' } } : undefined,
    );
    const client = createClient(server, {
      totalTimeout: 1_500,
      maxRetries: 5,
      hooks: { onRetry: () => retried.open() },
    });
    const call = failure(client.exams.list(), TimeoutError);
    await retried.promise;
    await vi.advanceTimersByTimeAsync(1_000);
    await server.arrival(2);
    await vi.advanceTimersByTimeAsync(500);
    expect(await call).toMatchObject({ scope: 'total', attempts: 2 });
  });

  test.each([10, 5])(
    'is not waited out where the next wait, of %i s, takes what is left of it or more',
    async (seconds) => {
      await using server = startService({ status: 503, headers: { 'Retry-After': String(seconds) } });
      const client = createClient(server, { totalTimeout: 5_000, maxRetries: 5 });
      const error = await failure(client.exams.list(), InternalServerError);
      const retryAfterMs = seconds * 1_000;
      expect(error).toMatchObject({ status: 503, retryAfterMs, attempts: 1, retryable: true });
      expect(server.requests).toHaveLength(1);
    },
  );

  test('of a call wins over that of the client, and false switches it off', async () => {
    const gate = createGate();
    await using server = startService(async () => {
      await gate.promise;
      return { body: [] };
    });
    const client = createClient(server, { totalTimeout: 100 });
    const short = failure(client.exams.list({}, { totalTimeout: 50 }), TimeoutError);
    const long = client.exams.list({}, { totalTimeout: false });
    await server.arrival(2);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await short).toMatchObject({ scope: 'total', timeoutMs: 50 });
    gate.open();
    expect((await long).data).toEqual([]);
  });
});
