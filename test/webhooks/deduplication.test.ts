import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { signedWebhook } from '../../src/testing/index.ts';
import {
  createMemoryStore,
  createWebhookHandler,
  type DeduplicationStore,
} from '../../src/webhooks/index.ts';
import { createGate, type Gate, nextTurn } from '../helpers/gate.ts';
import { completed, describeEngines, options, secret, signedAt } from './helpers.ts';

const body = JSON.stringify(completed);
const key = createHash('sha256').update(body).digest('hex');
const request = (timestamp = signedAt) => signedWebhook({ body, secret, timestamp }).toRequest();

/** A store of claims only, as the least that a user may write. */
function claimsOnly() {
  const taken = new Set<string>();
  return {
    taken,
    claim: vi.fn(async (name: string, _ttlSeconds: number) => {
      if (taken.has(name)) return false;
      taken.add(name);
      return true;
    }),
    release: vi.fn(async (name: string) => {
      taken.delete(name);
    }),
  };
}

/** One process: a receiver whose handler ends each attempt when the test says so. */
function startProcess(store: DeduplicationStore, more: object = {}) {
  const attempts: Gate<void>[] = [];
  const onError = vi.fn();
  const handle = createWebhookHandler({
    ...options,
    onError,
    on: {
      'exam_result.completed': () => {
        const attempt = createGate();
        attempts.push(attempt);
        return attempt.promise;
      },
    },
    deduplication: { store, ttlSeconds: 86_400, ...more },
  });
  const deliver = async (timestamp?: number) => (await handle(request(timestamp))).status;
  /** Delivers and waits until the handler has started. */
  const begin = async () => {
    const pending = deliver();
    const started = attempts.length;
    await vi.waitFor(() => expect(attempts.length).toBe(started + 1), { interval: 1 });
    return { pending, attempt: attempts[started] ?? createGate() };
  };
  return { attempts, onError, deliver, begin };
}

/** The same store seen from another process, which shares nothing but what the store holds. */
const elsewhere = (store: DeduplicationStore): DeduplicationStore => ({ ...store });

describeEngines(() => {
  test('a repetition is acknowledged and not handled, however it is signed', async () => {
    const store = claimsOnly();
    const { attempts, begin, deliver } = startProcess(store);
    const { pending, attempt } = await begin();
    attempt.open();
    expect(await pending).toBe(204);
    expect(await deliver()).toBe(204);
    expect(await deliver(signedAt + 60)).toBe(204);
    expect(attempts).toHaveLength(1);
    expect(store.claim.mock.calls).toEqual([
      [key, 86_400],
      [key, 86_400],
      [key, 86_400],
    ]);
    expect(store.release).not.toHaveBeenCalled();
  });
});

describe.each([
  ['claims only', claimsOnly],
  ['memory', () => createMemoryStore()],
] as const)('with a store of %s', (_, createStore) => {
  let receiver: ReturnType<typeof startProcess>;
  beforeEach(() => {
    receiver = startProcess(createStore());
  });

  test('a failure gives the claim up, and the next attempt is handled', async () => {
    const first = await receiver.begin();
    first.attempt.fail(new Error('away'));
    expect(await first.pending).toBe(500);
    const second = await receiver.begin();
    second.attempt.open();
    expect(await second.pending).toBe(204);
    expect(await receiver.deliver()).toBe(204);
    expect(receiver.attempts).toHaveLength(2);
  });

  test('a duplicate that comes while the first is handled is not acknowledged before that succeeds', async () => {
    const { pending, attempt } = await receiver.begin();
    const answered = vi.fn();
    const duplicates = [receiver.deliver(), receiver.deliver()].map((one) => one.finally(answered));
    await nextTurn();
    await nextTurn();
    expect(answered).not.toHaveBeenCalled();
    attempt.open();
    expect(await Promise.all([pending, ...duplicates])).toEqual([204, 204, 204]);
    expect(receiver.attempts).toHaveLength(1);
  });

  test('a duplicate shares the failure of the first, so that the service delivers both again', async () => {
    const { pending, attempt } = await receiver.begin();
    const duplicate = receiver.deliver();
    await nextTurn();
    attempt.fail(new Error('away'));
    expect(await Promise.all([pending, duplicate])).toEqual([500, 500]);
    expect(receiver.attempts).toHaveLength(1);
    const again = await receiver.begin();
    again.attempt.open();
    expect(await again.pending).toBe(204);
  });
});

test('a handler beyond its time limit keeps the claim until it has ended', async () => {
  const started = createGate();
  const end = createGate();
  const handler = vi.fn(() => {
    started.open();
    return end.promise;
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const handle = createWebhookHandler({
    ...options,
    timeoutMs: 1_000,
    onError: () => {},
    on: { 'exam_result.completed': handler },
    deduplication: { store: createMemoryStore(), ttlSeconds: 60 },
  });
  const late = handle(request());
  await started.promise;
  await vi.advanceTimersByTimeAsync(1_000);
  expect((await late).status).toBe(503);
  const retry = handle(request());
  vi.useRealTimers();
  end.open();
  expect((await retry).status).toBe(204);
  expect((await handle(request())).status).toBe(204);
  expect(handler).toHaveBeenCalledOnce();
});

describe('across processes, with a store that tells handled from claimed', () => {
  test('a delivery that another process is handling is answered with 503 until that has ended', async () => {
    const store = createMemoryStore();
    const one = startProcess(store);
    const two = startProcess(elsewhere(store));
    const { pending, attempt } = await one.begin();
    expect(await two.deliver()).toBe(503);
    attempt.open();
    expect(await pending).toBe(204);
    expect(await two.deliver()).toBe(204);
    expect(two.attempts).toHaveLength(0);
  });

  test('when the other process fails, the next attempt is handled here', async () => {
    const store = createMemoryStore();
    const one = startProcess(store);
    const two = startProcess(elsewhere(store));
    const first = await one.begin();
    expect(await two.deliver()).toBe(503);
    first.attempt.fail(new Error('away'));
    expect(await first.pending).toBe(500);
    const second = await two.begin();
    second.attempt.open();
    expect(await second.pending).toBe(204);
  });

  test('a delivery whose process died is handled when its claim has run out', async () => {
    let now = 0;
    const store = createMemoryStore({ now: () => now });
    await startProcess(store, { processingSeconds: 120 }).begin();
    const survivor = startProcess(elsewhere(store), { processingSeconds: 120 });
    now = 119_999;
    expect(await survivor.deliver()).toBe(503);
    now = 120_000;
    const { pending, attempt } = await survivor.begin();
    attempt.open();
    expect(await pending).toBe(204);
    now += 86_399_999;
    expect(await survivor.deliver()).toBe(204);
    expect(survivor.attempts).toHaveLength(1);
  });

  test('a claim that ran out while the handler was busy is not given up, as it may be another one by now', async () => {
    const store = createMemoryStore();
    const release = vi.spyOn(store, 'release');
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
    const { pending, attempt } = await startProcess(store, { processingSeconds: 60 }).begin();
    clock.mockReturnValue(60_000);
    attempt.fail(new Error('away'));
    expect(await pending).toBe(500);
    expect(release).not.toHaveBeenCalled();
    clock.mockRestore();
  });
});

describe('a store that fails', () => {
  const away = new Error('the store is away');

  test('to claim: nothing is handled, and the service delivers again', async () => {
    const store = claimsOnly();
    store.claim.mockRejectedValueOnce(away);
    const { attempts, begin, deliver, onError } = startProcess(store);
    expect(await deliver()).toBe(500);
    expect(attempts).toHaveLength(0);
    expect(onError).toHaveBeenCalledExactlyOnceWith(away, expect.anything());
    const { pending, attempt } = await begin();
    attempt.open();
    expect(await pending).toBe(204);
  });

  test('to answer a claim that it has made: the next attempt is not taken for a repetition', async () => {
    const store = claimsOnly();
    store.claim.mockImplementationOnce(async (name) => {
      store.taken.add(name);
      throw away;
    });
    const { begin, deliver } = startProcess(store);
    expect(await deliver()).toBe(500);
    const { pending, attempt } = await begin();
    attempt.open();
    expect(await pending).toBe(204);
  });

  test('to release: the failed delivery is not taken for handled', async () => {
    const store = claimsOnly();
    store.release.mockRejectedValueOnce(away);
    const { begin, onError } = startProcess(store);
    const first = await begin();
    first.attempt.fail(new Error('handler'));
    expect(await first.pending).toBe(500);
    expect(onError.mock.calls.map(([error]) => error.message)).toEqual(['the store is away', 'handler']);
    const second = await begin();
    second.attempt.open();
    expect(await second.pending).toBe(204);
  });

  test('to complete: the delivery was handled all the same', async () => {
    const store = { ...createMemoryStore(), complete: () => Promise.reject(away) };
    const { begin, onError } = startProcess(store);
    const { pending, attempt } = await begin();
    attempt.open();
    expect(await pending).toBe(204);
    expect(onError).toHaveBeenCalledExactlyOnceWith(away, expect.anything());
  });
});
