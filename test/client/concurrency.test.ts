import { describe, expect, test } from 'vitest';
import { TimeoutError } from '../../src/index.ts';
import { createClient, failure, nowhere, rejection } from '../helpers/client.ts';
import { createGate, nextTurn } from '../helpers/gate.ts';
import { startService } from '../helpers/server.ts';

/** A service whose every response waits for its gate, and that knows how many requests are under way. */
async function startSlow(count: number) {
  const gates = Array.from({ length: count + 1 }, () => createGate());
  const state = { underWay: 0, most: 0 };
  const server = startService(async (_, { number }) => {
    state.underWay += 1;
    state.most = Math.max(state.most, state.underWay);
    await gates[number]?.promise;
    state.underWay -= 1;
    return { body: { id: number } };
  });
  const open = (number: number) => gates[number]?.open();
  return {
    server,
    state,
    open,
    openAll: () => {
      for (const gate of gates) gate.open();
    },
    [Symbol.asyncDispose]: server.close,
  };
}

describe('maxConcurrency', () => {
  test('bounds the requests under way, of whatever operation, and lets the others in by their order', async () => {
    await using slow = await startSlow(6);
    const client = createClient(slow.server, { maxConcurrency: 2 });
    const calls = [1, 2, 3, 4, 5].map((id) => client.exams.retrieve(id));
    const assigning = client.examParticipants.assign({ participant_id: 1, exam_id: 1 });
    await slow.server.arrival(2);
    await nextTurn();
    expect(slow.server.requests).toHaveLength(2);
    slow.open(2);
    await slow.server.arrival(3);
    expect(slow.server.requests.at(-1)?.path).toBe('/exams/3');
    slow.openAll();
    await Promise.all([...calls, assigning]);
    expect(slow.server.requests).toHaveLength(6);
    expect(slow.state.most).toBe(2);
  });

  test('bounds them all the time, however many calls wait for their turn', async () => {
    let underWay = 0;
    const counts: number[] = [];
    const fetch = async () => {
      underWay += 1;
      counts.push(underWay);
      await nextTurn();
      underWay -= 1;
      return Response.json({ id: 1 });
    };
    const client = createClient(nowhere, { fetch, maxConcurrency: 2 });
    await Promise.all(Array.from({ length: 30 }, (_, index) => client.exams.retrieve(index + 1)));
    expect(counts).toHaveLength(30);
    expect(Math.max(...counts)).toBe(2);
  });

  test('also bounds pages fetched ahead and requests that are sent again', async () => {
    let failures = 0;
    await using server = startService(() => {
      failures += 1;
      return failures === 1 ? { status: 503, headers: { 'Retry-After': '0' } } : { body: [] };
    });
    const client = createClient(server, { maxConcurrency: 1, maxRetries: 1 });
    await Promise.all([client.exams.list(), client.exams.list(), client.exams.list()]);
    expect(server.requests).toHaveLength(4);
  });

  test('keeps the room of calls that ended, failed ones too, for calls that come later', async () => {
    await using server = startService((_, { number }) => ({
      status: number % 2 ? 200 : 404,
      body: { id: number },
    }));
    const client = createClient(server, { maxConcurrency: 2, totalTimeout: 5_000 });
    for (const id of [1, 2, 3, 4, 5]) await client.exams.retrieve(id).catch(() => undefined);
    expect(server.requests).toHaveLength(5);
  });

  test('an abort ends the wait for room at once, and nothing is sent for it', async () => {
    await using slow = await startSlow(3);
    const client = createClient(slow.server, { maxConcurrency: 1 });
    const controller = new AbortController();
    const first = client.exams.retrieve(1);
    const waiting = rejection(client.exams.retrieve(2, { signal: controller.signal }));
    const last = client.exams.retrieve(3);
    await slow.server.arrival(1);
    controller.abort('gone');
    expect(await waiting).toBe('gone');
    slow.openAll();
    await Promise.all([first, last]);
    expect(slow.server.requests.map(({ path }) => path)).toEqual(['/exams/1', '/exams/3']);
  });

  test('who gives up in the moment of being let in passes the room on', async () => {
    await using slow = await startSlow(3);
    const client = createClient(slow.server, { maxConcurrency: 1 });
    const controller = new AbortController();
    const first = client.exams.retrieve(1).then(() => controller.abort('gone'));
    const second = rejection(client.exams.retrieve(2, { signal: controller.signal }));
    const third = client.exams.retrieve(3);
    slow.openAll();
    await first;
    expect(await second).toBe('gone');
    expect(await third).toMatchObject({ id: expect.any(Number) });
  });

  test('the wait for room counts for the total time, and not for that of the attempt', async () => {
    await using slow = await startSlow(3);
    const client = createClient(slow.server, { maxConcurrency: 1 });
    const first = client.exams.retrieve(1, { timeout: false });
    await slow.server.arrival(1);
    const error = await failure(client.exams.retrieve(2, { timeout: 10, totalTimeout: 40 }), TimeoutError);
    expect(error).toMatchObject({ scope: 'total', attempts: 0 });
    slow.openAll();
    await first;
    expect(slow.server.requests).toHaveLength(1);
  });
});
