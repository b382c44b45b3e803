import { getEventListeners } from 'node:events';
import { expect } from 'vitest';
import { type Fetch, NotFoundError } from '../../src/index.ts';
import { createClient, failure, nowhere } from '../helpers/client.ts';
import { measureHeap } from '../helpers/heap.ts';
import { longTest } from '../helpers/long-test.ts';

const rounds = 7;
/** Rounds in which code is compiled, which takes hundreds of bytes for each call. */
const warmUp = 2;
const callsInRound = 4_000;

/** In bytes for each call: less than the smallest object that it could leave behind. */
const allowedGrowth = 15;

/** As many as are under way at once. */
const lanes = 100;

const countTimers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

const fetch: Fetch = async (url) => {
  if (url.endsWith('/404')) return Response.json({}, { status: 404 });
  return Response.json(url.endsWith('/3') ? { id: 3 } : [{ id: 3 }]);
};

longTest(
  `${rounds * callsInRound} calls that share a signal leave no memory, no listener and no timer behind`,
  async () => {
    const client = createClient(nowhere, { fetch, timeout: 60_000, totalTimeout: 120_000 });
    const { signal } = new AbortController();
    const uses: readonly (() => Promise<unknown>)[] = [
      () => client.exams.retrieve(3, { signal }),
      () => client.exams.list({}, { signal }),
      () => client.exams.retrieve(3, { signal }).withResponse(),
      () => client.exams.retrieve(3, { signal }).asResponse(),
      () => client.exams.list({}, { signal }).toArray({ maxItems: 1 }),
      () => failure(client.exams.retrieve(404, { signal }), NotFoundError),
    ];
    const run = async (count: number) => {
      for (let made = 0; made < count; made += lanes) {
        await Promise.all(Array.from({ length: lanes }, (_, lane) => uses[(made + lane) % uses.length]?.()));
      }
    };
    const timers = countTimers();
    const growths: number[] = [];
    for (let before = await measureHeap(); growths.length < rounds; ) {
      await run(callsInRound);
      const after = await measureHeap();
      growths.push((after - before) / callsInRound);
      before = after;
    }
    // What a call leaves behind shows in every round, compiled code and the like in some.
    const least = growths.slice(warmUp).sort((a, b) => a - b)[Math.floor((rounds - warmUp) / 3)];
    expect(least).toBeLessThan(allowedGrowth);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(countTimers()).toBeLessThanOrEqual(timers);
  },
);
