import { describe, expect, test, vi } from 'vitest';
import { type Fetch, TimeoutError } from '../../src/index.ts';
import { createClient, failure, nowhere, rejection } from '../helpers/client.ts';
import { startFakeTime } from '../helpers/fake-time.ts';
import { createGate } from '../helpers/gate.ts';

startFakeTime();

describe('a timer', () => {
  const withFetch = (fetch: Fetch) =>
    createClient(nowhere, { fetch, totalTimeout: 5_000, maxRetries: 1, maxRetryAfter: 0 });

  test.each<[string, Fetch]>([
    ['succeeded', async () => Response.json([])],
    ['was rejected', async () => new Response(null, { status: 404 })],
    ['had no connection', () => Promise.reject(new TypeError('fetch failed'))],
  ])('is not left behind by a call that %s', async (_, fetch) => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const settled = Promise.allSettled([withFetch(fetch).exams.list()]);
    await vi.advanceTimersByTimeAsync(0);
    await settled;
    expect(vi.getTimerCount()).toBe(0);
  });

  test('does not fire before its time', async () => {
    let settled = false;
    const call = withFetch(() => new Promise(() => {})).exams.list({}, { timeout: 1_000, maxRetries: 0 });
    const ended = failure(call, TimeoutError).finally(() => {
      settled = true;
    });
    await vi.advanceTimersByTimeAsync(999);
    expect(settled).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await ended;
  });

  test('of a wait that an abort ends is not left behind', async () => {
    const retried = createGate();
    const controller = new AbortController();
    const client = createClient(nowhere, {
      fetch: async () => new Response(null, { status: 503, headers: { 'Retry-After': '30' } }),
      hooks: { onRetry: () => retried.open() },
      maxRetries: 1,
    });
    const call = rejection(client.exams.list({}, { signal: controller.signal }));
    await retried.promise;
    controller.abort('stop');
    expect(await call).toBe('stop');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is not left running by asResponse', async () => {
    const response = await withFetch(async () => Response.json([]))
      .exams.list()
      .asResponse();
    expect(vi.getTimerCount()).toBe(0);
    expect(await response.json()).toEqual([]);
  });
});
