import { beforeEach, expect, test, vi } from 'vitest';
import { createMemoryStore, createWebhookHandler } from '../../src/webhooks/index.ts';
import { createGate, never, nextTurn } from '../helpers/gate.ts';
import { elsewhere, recordedStore, startProcess } from './deduplication-helpers.ts';
import { completed, receiverOptions } from './helpers.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds);

test('a handler that hangs frees its event after processingSeconds, and the retry is handled', async () => {
  const receiver = startProcess(createMemoryStore(), { processingSeconds: 60 });
  const hung = await receiver.begin();
  await pass(10_000);
  expect(await hung.pending).toBe(503);
  expect(hung.attempt.context.signal.aborted).toBe(true);
  const joined = receiver.deliver();
  await pass(10_000);
  expect(await joined).toBe(503);
  expect(receiver.attempts).toHaveLength(1);

  await pass(40_000);
  expect(await receiver.succeed()).toBe(204);
  expect(await receiver.deliver()).toBe(204);
  expect(receiver.attempts).toHaveLength(2);
  expect(receiver.errors()).toEqual(['The handler took longer than 10000 ms.']);
});

test('so it does where the platform has ended its request, and all timers with it', async () => {
  const receiver = startProcess(createMemoryStore(), { processingSeconds: 60 });
  await receiver.begin();
  vi.clearAllTimers();
  await pass(60_000);
  expect(await receiver.succeed()).toBe(204);
  expect(receiver.attempts).toHaveLength(2);
});

test('what a hung handler comes to in the end leaves the work alone that took its place', async () => {
  const receiver = startProcess(createMemoryStore(), { processingSeconds: 60 });
  const hung = await receiver.begin();
  await pass(60_000);
  expect(await hung.pending).toBe(503);
  const next = await receiver.begin();
  hung.attempt.open();
  await pass(0);
  const joined = receiver.deliver();
  await pass(0);
  expect(receiver.attempts).toHaveLength(2);
  next.attempt.open();
  expect(await Promise.all([next.pending, joined])).toEqual([204, 204]);
});

test('where timers are numbers, as in browsers and workers, events are deduplicated too', async () => {
  const set = globalThis.setTimeout;
  const timers: ReturnType<typeof set>[] = [];
  vi.stubGlobal('setTimeout', (...args: Parameters<typeof set>) => timers.push(set(...args)));
  const receiver = startProcess(createMemoryStore(), { processingSeconds: 60 });
  expect([await receiver.succeed(), await receiver.deliver()]).toEqual([204, 204]);
  expect(receiver.attempts).toHaveLength(1);
});

test('without a time limit a handler that hangs is given up when its claim ends', async () => {
  const receiver = startProcess(createMemoryStore(), { processingSeconds: 60, timeout: false });
  const hung = await receiver.begin();
  const joined = receiver.deliver();
  await pass(60_000);
  expect(await Promise.all([hung.pending, joined])).toEqual([503, 503]);
  expect(hung.attempt.context.signal.aborted).toBe(true);
  expect(await receiver.succeed()).toBe(204);
});

test('a handler beyond its time limit keeps its event until it has ended, and a retry waits for that', async () => {
  const receiver = startProcess(createMemoryStore(), { timeout: 1_000 });
  const { pending, attempt } = await receiver.begin();
  await pass(1_000);
  expect(await pending).toBe(503);
  const retry = receiver.deliver();
  await pass(500);
  attempt.open();
  expect(await retry).toBe(204);
  expect(await receiver.deliver()).toBe(204);
  expect(receiver.attempts).toHaveLength(1);
});

test.each([
  ['claim', 500],
  ['complete', 204],
  ['release', 500],
] as const)(
  'a store whose `%s` hangs is reported, beside why the handler failed: %i',
  async (method, status) => {
    const store = recordedStore();
    store[method].mockImplementationOnce(never);
    const receiver = startProcess(store, { processingSeconds: 60 });
    const pending = receiver.deliver();
    await expect.poll(() => receiver.attempts).toHaveLength(method === 'claim' ? 0 : 1);
    if (method === 'release') receiver.attempts[0]?.fail(new Error('handler'));
    else receiver.attempts[0]?.open();
    await nextTurn();
    await pass(10_000);
    expect(await pending).toBe(status);
    const message = `\`${method}\` of the deduplication store took longer than 10000 ms.`;
    const error = { name: 'DeduplicationStoreError', code: 'deduplication_store', method };
    expect(receiver.onError.mock.calls[0]).toMatchObject([error, {}]);
    expect(receiver.errors()).toEqual(method === 'release' ? [message, 'handler'] : [message]);
  },
);

test('a key that is not given in time is named in the response, and the next delivery asks for it again', async () => {
  const key = vi.fn(async () => 'late').mockImplementationOnce(never);
  const deduplication = { store: createMemoryStore(), ttlSeconds: 86_400, key };
  const receiver = startProcess(deduplication.store, { deduplication });
  const hung = receiver.deliver();
  await pass(10_000);
  expect(await hung).toBe(503);
  expect(receiver.errors()).toEqual(['`deduplication.key` took longer than 10000 ms.']);
  expect(await receiver.succeed()).toBe(204);
  expect(vi.getTimerCount()).toBe(0);
});

test('a claim that is made after the receiver gave it up is released', async () => {
  const store = recordedStore();
  const answer = createGate();
  store.claim.mockImplementationOnce(async (...given) => {
    await answer.promise;
    return store.claim(...given);
  });
  const receiver = startProcess(store);
  const hung = receiver.deliver();
  await pass(10_000);
  expect(await hung).toBe(500);
  answer.open();
  await nextTurn();
  expect(store.release).toHaveBeenCalledOnce();
  expect(await receiver.succeed()).toBe(204);
});

test('a claim may take only the time that leaves the handler its own within the claim', async () => {
  const store = recordedStore();
  store.claim.mockImplementationOnce(never);
  const receiver = startProcess(store, { processingSeconds: 11 });
  const hung = receiver.deliver();
  await pass(1_000);
  expect(await hung).toBe(500);
  expect(receiver.errors()).toEqual(['`claim` of the deduplication store took longer than 1000 ms.']);
});

test('time that the store takes is not counted as the handler’s', async () => {
  const store = recordedStore();
  const answer = createGate<boolean>();
  store.claim.mockReturnValueOnce(answer.promise);
  const receiver = startProcess(store);
  const pending = receiver.deliver();
  await pass(9_000);
  answer.open(true);
  await expect.poll(() => receiver.attempts).toHaveLength(1);
  await pass(9_000);
  receiver.attempts[0]?.open();
  expect(await pending).toBe(204);
  expect(receiver.onError).not.toHaveBeenCalled();
});

test('a handler that fails late gives up its own claim only, not that of the process which took over', async () => {
  const store = createMemoryStore();
  const slow = startProcess(store, { processingSeconds: 60 });
  const other = startProcess(elsewhere(store), { processingSeconds: 60 });
  const first = await slow.begin();
  await pass(60_000);
  expect(await first.pending).toBe(503);
  const second = await other.begin();
  first.attempt.fail(new Error('late'));
  await nextTurn();
  const third = startProcess(elsewhere(store));
  expect(await third.deliver()).toBe(503);
  second.attempt.open();
  expect(await second.pending).toBe(204);
  expect(await third.deliver()).toBe(204);
  expect(third.attempts).toHaveLength(0);
  expect(slow.errors()).toEqual(['The handler took longer than 10000 ms.', 'late']);
});

test('a handler that succeeds late marks its event, and a failure elsewhere does not take the mark away', async () => {
  const store = createMemoryStore();
  const slow = startProcess(store, { processingSeconds: 60 });
  const other = startProcess(elsewhere(store), { processingSeconds: 60 });
  const first = await slow.begin();
  await pass(60_000);
  await first.pending;
  const second = await other.begin();
  first.attempt.open();
  await nextTurn();
  second.attempt.fail(new Error('unique index'));
  expect(await second.pending).toBe(500);
  expect(await other.deliver()).toBe(204);
  expect(other.attempts).toHaveLength(1);
});

test('when the sender hangs up the handler goes on, and the retry joins it', async () => {
  const receiver = startProcess(createMemoryStore());
  const sender = new AbortController();
  const { pending, attempt } = await receiver.begin({ signal: sender.signal });
  sender.abort(new Error('the sender left'));
  expect(attempt.context.signal.aborted).toBe(false);
  const retry = receiver.deliver();
  await nextTurn();
  attempt.open();
  expect(await Promise.all([pending, retry])).toEqual([204, 204]);
  expect(receiver.attempts).toHaveLength(1);
});

test('an event whose work hangs is handled again when its claim ends, though a longer claim came before', async () => {
  const store = createMemoryStore();
  const handler = vi.fn(() => new Promise<void>(() => {}));
  const receiver = (processingSeconds: number) =>
    createWebhookHandler({
      ...receiverOptions,
      on: { 'exam_result.completed': handler },
      timeout: 500,
      deduplication: { store, ttlSeconds: 86_400, processingSeconds },
    });
  const [long, short] = [receiver(300), receiver(1)];
  void long.dispatch(completed as never, { eventKey: 'a' }).catch(() => {});
  void short.dispatch(completed as never, { eventKey: 'b' }).catch(() => {});
  await expect.poll(() => handler).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(1_000);
  void short.dispatch(completed as never, { eventKey: 'b' }).catch(() => {});
  await expect.poll(() => handler).toHaveBeenCalledTimes(3);
});
