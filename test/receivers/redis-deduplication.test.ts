import { createHash, randomUUID } from 'node:crypto';
import { createClient } from 'redis';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createRedisStore } from '../../examples/receivers/redis-store.ts';
import { type SignedWebhook, signedWebhook } from '../../src/testing/index.ts';
import { createWebhookHandler } from '../../src/webhooks/index.ts';
import { createGate } from '../helpers/gate.ts';
import { completed } from '../webhooks/helpers.ts';
import { deliveries, handledLine, refusedLines, secret, send } from './deliveries.ts';
import { startRecipe } from './recipe.ts';
import { describeWithRedis, startDetour } from './redis.ts';

vi.setConfig({ testTimeout: 30_000 });

const keys = new Set<string>();

/** A delivery of which Redis knows nothing yet. */
function uniqueDelivery() {
  const body = JSON.stringify({ ...completed, run: randomUUID() });
  const key = createHash('sha256').update(body).digest('hex');
  keys.add(key);
  return { key, delivery: signedWebhook({ body, secret }) };
}

describeWithRedis('deduplication in Redis', (url) => {
  const redis = createClient({ url });
  const prefix = `test-${randomUUID()}:`;

  beforeAll(() => redis.connect());

  afterAll(async () => {
    await redis.del([...keys].flatMap((key) => [prefix + key, `exam-webhooks:${key}`]));
    await redis.close();
  });

  /** A receiver as another process would have: it shares nothing with the others but Redis. */
  function createProcess(handle: () => unknown) {
    const receive = createWebhookHandler({
      secret,
      on: { 'exam_result.completed': handle },
      onError: () => {},
      deduplication: { store: createRedisStore(redis, prefix), ttlSeconds: 60, processingSeconds: 30 },
    });
    return async (delivery: SignedWebhook) => (await receive(delivery.toRequest())).status;
  }

  test('the store claims a key once until it is released, and knows which are complete', async () => {
    const store = createRedisStore(redis, prefix);
    keys.add('a');
    expect(await Promise.all([store.claim('a', 60), store.claim('a', 60)])).toEqual([true, false]);
    expect(await store.isComplete('a')).toBe(false);
    await store.release('a');
    expect(await store.claim('a', 60)).toBe(true);
    await store.complete('a', 60);
    expect(await store.isComplete('a')).toBe(true);
    expect(await store.claim('a', 60)).toBe(false);
  });

  test('a claim is kept for whole seconds, at least as long as is said, and what is complete for longer', async () => {
    const store = createRedisStore(redis, prefix);
    keys.add('b');
    const secondsLeft = async () => (await redis.pTTL(`${prefix}b`)) / 1000;
    await store.claim('b', 40.1);
    expect(await secondsLeft()).toBeGreaterThan(40);
    expect(await secondsLeft()).toBeLessThanOrEqual(41);
    await store.complete('b', 86_400);
    expect(await secondsLeft()).toBeGreaterThan(86_399);
  });

  test('a delivery that one process is handling is put off by another, and handled once', async () => {
    const started = createGate();
    const end = createGate();
    const first = createProcess(() => {
      started.open();
      return end.promise;
    });
    const handleAgain = vi.fn();
    const second = createProcess(handleAgain);
    const { delivery } = uniqueDelivery();
    const pending = first(delivery);
    await started.promise;
    expect(await second(delivery)).toBe(503);
    end.open();
    expect(await pending).toBe(204);
    expect(await second(delivery)).toBe(204);
    expect(handleAgain).not.toHaveBeenCalled();
  });

  test('a delivery that failed in one process is handled by another', async () => {
    const handle = vi.fn();
    const { delivery } = uniqueDelivery();
    expect(await createProcess(() => Promise.reject(new Error('broken')))(delivery)).toBe(500);
    expect(await createProcess(handle)(delivery)).toBe(204);
    expect(handle).toHaveBeenCalledOnce();
  });

  test('a delivery over which a process died is handled once its claim has ended', async () => {
    const { key, delivery } = uniqueDelivery();
    await createRedisStore(redis, prefix).claim(key, 2);
    const handle = vi.fn();
    const survivor = createProcess(handle);
    expect(await survivor(delivery)).toBe(503);
    await vi.waitFor(async () => expect(await survivor(delivery)).toBe(204), {
      timeout: 5_000,
      interval: 50,
    });
    expect(await survivor(delivery)).toBe(204);
    expect(handle).toHaveBeenCalledOnce();
  });

  test('two processes of the recipe handle a delivery once, and refuse what is not right', async () => {
    await using first = await startRecipe('redis-deduplication', { REDIS_URL: url });
    await using second = await startRecipe('redis-deduplication', { REDIS_URL: url });
    const { delivery } = uniqueDelivery();
    const answers = await Promise.all([send(first.url, delivery), send(second.url, delivery)]);
    expect(answers.map(({ status }) => status)).toContain(204);
    for (const { url } of [first, second]) expect(await send(url, delivery)).toMatchObject({ status: 204 });
    for (const [kind, status, text, refused] of deliveries.slice(1)) {
      expect(await send(second.url, refused), kind).toEqual({ status, text });
    }
    expect([await first.stop(), await second.stop()]).toEqual([0, 0]);
    const output = [...first.output, ...second.output];
    expect(output.filter((line) => line === handledLine)).toHaveLength(1);
    expect([...first.errors, ...second.errors]).toEqual(refusedLines);
  });

  test('while Redis is away no delivery is handled, and when it is back its retry is', async () => {
    await using detour = await startDetour(url);
    await using recipe = await startRecipe('redis-deduplication', { REDIS_URL: detour.url });
    const { delivery } = uniqueDelivery();
    detour.block();
    expect((await send(recipe.url, delivery)).status).toBe(500);
    detour.open();
    await vi.waitUntil(async () => (await send(recipe.url, delivery)).status === 204, { timeout: 10_000 });
    expect(await recipe.stop()).toBe(0);
    expect(recipe.output.filter((line) => line === handledLine)).toHaveLength(1);
  });
});
