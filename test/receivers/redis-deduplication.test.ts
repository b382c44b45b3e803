import { randomUUID } from 'node:crypto';
import { createClient } from 'redis';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createRedisStore } from '../../examples/receivers/redis-store.ts';
import { type SignedWebhook, signedWebhook } from '../../src/testing/index.ts';
import { createWebhookHandler, eventKeyOf } from '../../src/webhooks/index.ts';
import { createGate, type Gate, nextTurn } from '../helpers/gate.ts';
import { completed } from '../webhooks/helpers.ts';
import { deliveries, handledLine, rejectedLines, secret, send } from './deliveries.ts';
import { startRecipe } from './recipe.ts';
import { describeWithRedis, startDetour } from './redis.ts';

const keys = new Set<string>();

/** A delivery of which Redis knows nothing yet. */
async function uniqueDelivery() {
  const event = { ...completed, data: { ...completed.data, participant_code: randomUUID() } };
  const key = await eventKeyOf(event);
  keys.add(key);
  return { key, delivery: signedWebhook({ body: JSON.stringify(event), secret }) };
}

test('the store waits for what its process is handling, however that ends: Redis closes after it', async () => {
  const responses: Gate<string | null>[] = [];
  const respond = () => {
    const gate = createGate<string | null>();
    responses.push(gate);
    return gate.promise;
  };
  const redis = { set: respond, eval: respond, get: () => Promise.resolve(null) };
  const store = createRedisStore(redis as object as Parameters<typeof createRedisStore>[0]);
  const isIdle = async () => Promise.race([store.idle().then(() => true), nextTurn().then(() => false)]);
  const open = (said: string | null) => responses.shift()?.open(said);
  expect(await isIdle()).toBe(true);
  const taken = store.claim('a', 'one', 60);
  expect(await isIdle()).toBe(false);
  open(null);
  expect([await taken, await isIdle()]).toEqual([false, true]);
  const free = store.claim('a', 'two', 60);
  open('OK');
  expect([await free, await isIdle()]).toEqual([true, false]);
  const marked = store.complete('a', 'two', 60);
  expect(await isIdle()).toBe(false);
  open('OK');
  await marked;
  expect(await isIdle()).toBe(true);
  const lost = Promise.resolve(store.claim('b', 'three', 60));
  responses.shift()?.fail(new Error('away'));
  await expect(lost).rejects.toThrow('away');
  expect(await isIdle()).toBe(false);
  const released = store.release('b', 'three') as Promise<unknown>;
  responses.shift()?.fail(new Error('away'));
  await expect(released).rejects.toThrow('away');
  expect(await isIdle()).toBe(true);
});

test('the store waits for no claim longer than it lasts, also where Redis never responds', async () => {
  const frozen = () => new Promise<never>(() => {});
  const redis = { set: frozen, eval: frozen, get: frozen };
  const store = createRedisStore(redis as object as Parameters<typeof createRedisStore>[0]);
  const startedAt = performance.now();
  void store.claim('a', 'one', 0.1);
  void store.release('a', 'one');
  await store.idle();
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(100);
});

describeWithRedis('deduplication in Redis', (url) => {
  const redis = createClient({ url });
  const prefix = `test-${randomUUID()}:`;

  const patiently = { timeout: 60_000, interval: 50 };

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
      timeout: 10_000,
      deduplication: { store: createRedisStore(redis, prefix), ttlSeconds: 601, processingSeconds: 30 },
    });
    return async (delivery: SignedWebhook) => (await receive(delivery.toRequest())).status;
  }

  test('the store claims a key once until it is released, and knows which are complete', async () => {
    const store = createRedisStore(redis, prefix);
    keys.add('a');
    const claims = [store.claim('a', 'one', 60), store.claim('a', 'other', 60)];
    expect(await Promise.all(claims)).toEqual([true, false]);
    expect(await store.isComplete('a')).toBe(false);
    await store.release('a', 'one');
    expect(await store.claim('a', 'other', 60)).toBe(true);
    await store.complete('a', 'other', 60);
    expect(await store.isComplete('a')).toBe(true);
    expect(await store.claim('a', 'one', 60)).toBe(false);
  });

  test('only the owner of a claim gives it up, and nobody what is complete', async () => {
    const store = createRedisStore(redis, prefix);
    keys.add('c');
    await store.claim('c', 'one', 60);
    await store.release('c', 'other');
    expect(await store.claim('c', 'other', 60)).toBe(false);
    await store.complete('c', 'one', 60);
    await store.release('c', 'one');
    expect(await store.isComplete('c')).toBe(true);
  });

  test('a claim is kept for whole seconds, at least as long as is said, and what is complete for longer', async () => {
    const store = createRedisStore(redis, prefix);
    keys.add('b');
    const secondsLeft = async () => (await redis.pTTL(`${prefix}b`)) / 1000;
    await store.claim('b', 'one', 40.1);
    expect(await secondsLeft()).toBeGreaterThan(40);
    expect(await secondsLeft()).toBeLessThanOrEqual(41);
    await store.complete('b', 'one', 86_400);
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
    const { delivery } = await uniqueDelivery();
    const pending = first(delivery);
    await started.promise;
    expect(await second(delivery)).toBe(503);
    end.open();
    expect(await pending).toBe(204);
    expect(await second(delivery)).toBe(204);
    expect(handleAgain).not.toHaveBeenCalled();
  });

  test('a delivery over which a process died is handled once its claim has ended', async () => {
    const { key, delivery } = await uniqueDelivery();
    await createRedisStore(redis, prefix).claim(key, 'the dead', 2);
    const handle = vi.fn();
    const survivor = createProcess(handle);
    expect(await survivor(delivery)).toBe(503);
    await vi.waitFor(async () => expect(await survivor(delivery)).toBe(204), patiently);
    expect(await survivor(delivery)).toBe(204);
    expect(handle).toHaveBeenCalledOnce();
  });

  test('two processes of the recipe handle a delivery once, and reject what is invalid', async () => {
    await using first = await startRecipe('redis-deduplication', { REDIS_URL: url });
    await using second = await startRecipe('redis-deduplication', { REDIS_URL: url });
    const { delivery } = await uniqueDelivery();
    const responses = await Promise.all([send(first.url, delivery), send(second.url, delivery)]);
    expect(responses.map(({ status }) => status)).toContain(204);
    for (const { url } of [first, second]) expect(await send(url, delivery)).toMatchObject({ status: 204 });
    const sent = deliveries().slice(1);
    for (const [kind, status, text, rejected] of sent) {
      expect(await send(second.url, rejected), kind).toEqual({ status, text });
    }
    const deleted = (await sent.at(-1)?.[3].toRequest().text()) ?? '';
    const key = await eventKeyOf(JSON.parse(deleted));
    keys.add(key);
    expect(await redis.hGet('exam-webhooks:invalid', key)).toBe(deleted);
    await redis.hDel('exam-webhooks:invalid', key);
    expect([await first.stop(), await second.stop()]).toEqual([0, 0]);
    const output = [...first.output, ...second.output];
    expect(output.filter((line) => line === handledLine)).toHaveLength(1);
    expect([...first.errors, ...second.errors]).toEqual(rejectedLines);
  });

  test('while Redis is away no delivery is handled, and when it is back its retry is', async () => {
    await using detour = await startDetour(url);
    await using recipe = await startRecipe('redis-deduplication', { REDIS_URL: detour.url });
    const { delivery } = await uniqueDelivery();
    detour.block();
    expect((await send(recipe.url, delivery)).status).toBe(500);
    detour.open();
    await vi.waitUntil(async () => (await send(recipe.url, delivery)).status === 204, { timeout: 60_000 });
    expect(await recipe.stop()).toBe(0);
    expect(recipe.output.filter((line) => line === handledLine)).toHaveLength(1);
  });
});
