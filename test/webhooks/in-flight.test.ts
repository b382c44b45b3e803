import { expect, test, vi } from 'vitest';
import { createMemoryStore, createWebhookHandler } from '../../src/webhooks/index.ts';
import { completed, receiverOptions } from './helpers.ts';

/** Counts how many entries of Maps and Sets are looked at, one after the other, while `work` runs. */
async function countIterated(work: () => Promise<void>): Promise<number> {
  let count = 0;
  const restore = [Map.prototype, Set.prototype].map((prototype) => {
    const original: () => Iterator<unknown> = prototype[Symbol.iterator];
    const define = (value: unknown) =>
      Object.defineProperty(prototype, Symbol.iterator, { value, configurable: true, writable: true });
    define(function* (this: object) {
      for (const entry of { [Symbol.iterator]: original.bind(this) }) {
        count += 1;
        yield entry;
      }
    });
    return () => define(original);
  });
  try {
    await work();
  } finally {
    for (const one of restore) one();
  }
  return count;
}

test.each(['with', 'without'])(
  'a delivery costs the same, however many handlers hang, %s deduplication',
  async (kind) => {
    const store = createMemoryStore();
    const deduplication = kind === 'with' ? { store, ttlSeconds: 86_400 } : undefined;
    const handler = vi.fn(() => new Promise<void>(() => {}));
    const on = { 'exam_result.completed': handler };
    const handle = createWebhookHandler({ ...receiverOptions, on, timeout: false, deduplication });
    const dispatch = async (count: number) => {
      const before = handler.mock.calls.length;
      for (let index = 0; index < count; index += 1) {
        void handle.dispatch(completed as never, { eventKey: `${before + index}` });
      }
      await expect.poll(() => handler).toHaveBeenCalledTimes(before + count);
    };
    const first = await countIterated(() => dispatch(100));
    await dispatch(1_000);
    expect(await countIterated(() => dispatch(100))).toBeLessThanOrEqual(first + 100);
  },
);

test('an event whose work hangs is handled again when its claim ends, though a longer claim came before', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
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
