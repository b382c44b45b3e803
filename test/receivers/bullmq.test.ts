import { randomUUID } from 'node:crypto';
import { Queue } from 'bullmq';
import { createClient } from 'redis';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { signedWebhook } from '../../src/testing/index.ts';
import { completed } from '../webhooks/helpers.ts';
import { deliveries, rejectedLines, secret, send } from './deliveries.ts';
import { type Recipe, startRecipe } from './recipe.ts';
import { describeWithRedis, startDetour } from './redis.ts';

const EVENTS = 2_000;
const SENT_TWICE = EVENTS / 10;
const IN_FLIGHT = 32;
const patiently = { timeout: 60_000, interval: 50 };

describeWithRedis('the recipe for BullMQ', (url) => {
  const redis = createClient({ url });
  let queueName = '';
  let orders = '';
  let queue: Queue;

  beforeEach(async () => {
    queueName = `test-${randomUUID()}`;
    orders = `${queueName}:certificates`;
    if (!redis.isOpen) await redis.connect();
    queue = new Queue(queueName, { connection: redis });
  });

  afterEach(async () => {
    await queue.close();
    for await (const keys of redis.scanIterator({ MATCH: `*${queueName}*` })) {
      if (keys.length > 0) await redis.del(keys);
    }
    await redis.close();
  });

  const start = (part: 'receiver' | 'worker', redisUrl = url) =>
    startRecipe(`bullmq/${part}`, { REDIS_URL: redisUrl, QUEUE_NAME: queueName });

  const deliveryOf = (id: number) =>
    signedWebhook({
      secret,
      body: JSON.stringify({ ...completed, data: { ...completed.data, exam_result_id: id } }),
    });

  const orderCount = () => redis.lLen(orders);
  const untilProcessed = (count: number) =>
    vi.waitUntil(async () => (await queue.getCompletedCount()) >= count, patiently);

  /** Kills a worker at a moment when it is in the middle of jobs. */
  async function killAtWork({ process }: Recipe): Promise<void> {
    await vi.waitFor(
      async () => {
        process.kill('SIGSTOP');
        const active = await queue.getActive();
        if (active.some(({ processedBy }) => processedBy === `worker-${process.pid}`)) return;
        process.kill('SIGCONT');
        throw new Error('The worker had no job.');
      },
      { ...patiently, interval: 1 },
    );
    process.kill('SIGKILL');
  }

  test('two receivers and two workers, one of them killed, process each of 2,000 events once', async () => {
    await using one = await start('receiver');
    await using other = await start('receiver');
    const ids = Array.from({ length: EVENTS }, (_, index) => index + 1);
    // The second time goes to the other receiver, close behind the first.
    const toSend = ids.flatMap((id) => {
      const receivers = id % (EVENTS / SENT_TWICE) === 0 ? [one, other] : [id % 2 === 0 ? one : other];
      return receivers.map(({ url }) => ({ id, url }));
    });
    const statuses: number[] = [];
    const left = toSend.values();
    const sending = Promise.all(
      Array.from({ length: IN_FLIGHT }, async () => {
        for (const { id, url } of left) statuses.push((await send(url, deliveryOf(id))).status);
      }),
    );
    // Held back until most jobs wait, so that both workers have their hands full when one is killed.
    await queue.pause();
    await using victim = await start('worker');
    await using survivor = await start('worker');
    await vi.waitUntil(async () => (await queue.getWaitingCount()) > (EVENTS * 3) / 4, patiently);
    await queue.resume();
    await vi.waitUntil(async () => (await orderCount()) > 0, { ...patiently, interval: 1 });
    await killAtWork(victim);
    await sending;

    expect(statuses).toEqual(Array(EVENTS + SENT_TWICE).fill(204));
    await untilProcessed(EVENTS);
    expect(await queue.getJobCounts()).toMatchObject({
      completed: EVENTS,
      active: 0,
      waiting: 0,
      delayed: 0,
      failed: 0,
    });
    expect((await redis.lRange(orders, 0, -1)).map(Number).sort((a, b) => a - b)).toEqual(ids);
    const takenOver = (await queue.getCompleted(0, -1)).filter(({ stalledCounter }) => stalledCounter > 0);
    expect(takenOver.length).toBeGreaterThan(0);
    expect(await victim.stop()).toBe('SIGKILL');
    expect([await one.stop(), await other.stop(), await survivor.stop()]).toEqual([0, 0, 0]);
    for (const { errors } of [one, other, survivor]) expect(errors).toEqual([]);
  });

  test('an event whose processing fails is tried again until it succeeds', async () => {
    await using receiver = await start('receiver');
    await using worker = await start('worker');
    await redis.set(orders, 'not a list, so that nothing can be ordered');
    expect(await send(receiver.url, deliveryOf(1))).toMatchObject({ status: 204 });
    await vi.waitUntil(async () => (await queue.getDelayedCount()) === 1, patiently);
    await redis.del(orders);
    await untilProcessed(1);
    expect(await redis.lRange(orders, 0, -1)).toEqual(['1']);
    await worker.stop();
    expect(worker.errors[0]).toMatch(/^Attempt 1 at [0-9a-f]{64} failed: .*WRONGTYPE/);
  });

  test('an event that is delivered again after its job was forgotten is processed once', async () => {
    await using receiver = await start('receiver');
    await using _worker = await start('worker');
    for (const _delivery of ['first', 'again']) {
      expect(await send(receiver.url, deliveryOf(1))).toMatchObject({ status: 204 });
      await untilProcessed(1);
      expect(await queue.clean(0, 0, 'completed')).toHaveLength(1);
    }
    expect(await redis.lRange(orders, 0, -1)).toEqual(['1']);
  });

  test('while Redis is away no delivery is acknowledged, and when it is back its retry is', async () => {
    await using detour = await startDetour(url);
    await using receiver = await start('receiver', detour.url);
    detour.block();
    expect((await send(receiver.url, deliveryOf(1))).status).toBe(500);
    expect(await queue.getWaitingCount()).toBe(0);
    detour.open();
    await vi.waitUntil(async () => (await send(receiver.url, deliveryOf(1))).status === 204, patiently);
    expect(await queue.getWaitingCount()).toBe(1);
    expect(await receiver.stop()).toBe(0);
  });

  test('forged, altered and stale deliveries are rejected, and one that is not as documented is kept: none is queued', async () => {
    await using receiver = await start('receiver');
    const sent = deliveries().slice(1);
    for (const [kind, status, text, delivery] of sent) {
      expect(await send(receiver.url, delivery), kind).toEqual({ status, text });
    }
    expect(await redis.hVals(`${queueName}:invalid`)).toEqual([await sent.at(-1)?.[3].toRequest().text()]);
    expect(await queue.getJobCounts()).toMatchObject({ waiting: 0, active: 0, completed: 0 });
    expect(await receiver.stop()).toBe(0);
    expect(receiver.errors).toEqual(rejectedLines);
  });
});
