import { getEventListeners } from 'node:events';
import { expect } from 'vitest';
import type { Assignment, Fetch } from '../../../src/index.ts';
import { createClient } from '../../helpers/client.ts';
import { nextTurn } from '../../helpers/gate.ts';
import { measureHeap } from '../../helpers/heap.ts';
import { longTest } from '../../helpers/long-test.ts';

const rounds = 12;
/** Rounds in which code is compiled, which takes hundreds of bytes for each pair. */
const warmUp = 2;
const pairsInRound = 2_500;
const pairsInAll = rounds * pairsInRound;

/** In bytes for each pair: less than the smallest object that it could leave behind. */
const allowedGrowth = 30;

/** Of three pairs one is new, one assigned already and one rejected. */
const fetch: Fetch = async (url, { body }) => {
  await nextTurn();
  if (url.includes('/link')) {
    const isKnown = Number(new URL(url).searchParams.get('participant_id')) % 3 !== 2;
    return isKnown ? Response.json({ link: 'https://h.test/t/1' }) : Response.json({}, { status: 404 });
  }
  const { participant_id }: Assignment = JSON.parse(String(body));
  return new Response('{}', { status: participant_id % 3 === 0 ? 201 : 400 });
};

longTest(`assignAll over ${pairsInAll} pairs holds on to none of them, nor to the signal`, async () => {
  const { examParticipants } = createClient({ url: 'https://h.test' }, { fetch });
  const { signal } = new AbortController();
  function* pairs() {
    for (let id = 1; id <= pairsInAll; id += 1) yield { participant_id: id, exam_id: 1 };
  }
  const growths: number[] = [];
  const counts: Record<string, number> = {};
  let before = await measureHeap();
  await examParticipants.assignAll(pairs(), {
    link: true,
    concurrency: 8,
    signal,
    async onResult({ index, status }) {
      counts[status] = (counts[status] ?? 0) + 1;
      if ((index + 1) % pairsInRound !== 0) return;
      const after = await measureHeap();
      growths.push((after - before) / pairsInRound);
      before = after;
    },
  });
  const third = pairsInAll / 3;
  expect(counts).toEqual({
    assigned: Math.floor(third),
    already_assigned: Math.ceil(third),
    failed: Math.round(third),
  });
  // What a pair leaves behind shows in every round, other growth in a few.
  const median = growths.slice(warmUp).sort((a, b) => a - b)[Math.floor((rounds - warmUp) / 2)];
  expect(median).toBeLessThan(allowedGrowth);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
