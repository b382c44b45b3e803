import { describe, expect, test, vi } from 'vitest';
import { createEmulator, type DeliveryFetch, type Emulator } from '../../src/testing/index.ts';
import { measureHeap } from '../helpers/heap.ts';
import { clientKey, createReceiver } from './helpers.ts';

const MIB = 1024 * 1024;
const hook = { url: 'https://receiver.example.test/', events: ['exam_result.completed'] as const };

/** An emulator whose receiver responds on request, and whether its signal was aborted. */
function withHangingReceiver() {
  const calls: { respond: () => void; signal: AbortSignal | null | undefined }[] = [];
  const receiver: DeliveryFetch = (_url, { signal }) =>
    new Promise((resolve) => calls.push({ respond: () => resolve(new Response('late')), signal }));
  const emulator = createEmulator({ fetch: receiver, retryDelays: [] });
  emulator.control.seedWebhooks([hook]);
  return { emulator, calls };
}

describe('what is kept of requests', () => {
  const update = async (emulator: Emulator, body: string) => {
    const headers = { ...clientKey, 'Content-Type': 'application/json' };
    await emulator.fetch('http://localhost/api/v1/participants/1', { method: 'PUT', headers, body });
  };
  const bodyOf = (length: number) => JSON.stringify({ name: 'x'.repeat(length) });

  test('takes 32 MiB at most, the newest of them', async () => {
    const emulator = createEmulator();
    const body = bodyOf(100_000);
    const before = await measureHeap();
    for (let count = 0; count < 300; count += 1) await update(emulator, body);
    expect(2 * 300 * body.length).toBeGreaterThan(32 * MIB);
    const characters = emulator.requests.reduce((sum, request) => sum + request.body.length, 0);
    expect(characters * 2).toBeLessThan(32 * MIB);
    expect(emulator.requests.at(-1)).toMatchObject({ id: 300, body });
    expect((await measureHeap()) - before).toBeLessThan(40 * MIB);
  });

  test('is the newest request alone, where that takes more', async () => {
    const emulator = createEmulator();
    const body = bodyOf(20 * MIB);
    for (let count = 0; count < 3; count += 1) await update(emulator, body);
    expect(emulator.requests.map(({ id }) => id)).toEqual([3]);
  });
});

describe('a delivery in flight', () => {
  test.each(['reset', 'restore'] as const)('at %s() is aborted, and nobody hears of it', async (way) => {
    const { emulator, calls } = withHangingReceiver();
    const empty = createEmulator().snapshot();
    emulator.control.testDelivery(1);
    await expect.poll(() => calls).toHaveLength(1);
    const heard: string[] = [];
    if (way === 'reset') emulator.reset();
    else emulator.restore(empty);
    emulator.subscribe(({ type }) => heard.push(type));
    expect(calls[0]?.signal?.aborted).toBe(true);
    await emulator.settled();
    calls[0]?.respond();
    await new Promise((resolve) => setImmediate(resolve));
    expect(heard).toEqual([]);
    expect(emulator.deliveries).toEqual([]);
    expect(emulator.snapshot().deliveries).toEqual([]);
  });
});

test('a listener that throws is reported, and stops neither its endpoint nor other listeners', async () => {
  const reported = vi.spyOn(console, 'error').mockImplementation(() => {});
  try {
    const receiver = createReceiver();
    const emulator = createEmulator({ fetch: receiver.fetch });
    const heard: string[] = [];
    emulator.subscribe(() => {
      throw new Error('broken');
    });
    emulator.subscribe(({ type }) => heard.push(type));
    emulator.control.seedWebhooks([hook]);
    emulator.control.testDelivery(1);
    emulator.control.testDelivery(1);
    await emulator.settled();
    expect(receiver.received).toHaveLength(2);
    expect(heard.filter((type) => type === 'delivery')).toHaveLength(2);
    const response = await emulator.fetch('http://localhost/api/v1/exams', { headers: clientKey });
    expect(response.status).toBe(200);
    expect(reported.mock.calls[0]?.[0]).toContain('A listener of emulator.subscribe() failed');
  } finally {
    reported.mockRestore();
  }
});
