import { ExamClient } from 'exam-service-sdk';
import { expect } from 'vitest';
import { openPglite } from '../../examples/inbox/pglite.ts';
import { rereadScore, saveScore } from '../../examples/inbox/results.ts';

import { createGate } from '../helpers/gate.ts';
import { longTest } from '../helpers/long-test.ts';
import { createPgliteDatabase } from './inbox-helpers.ts';

/** Two of these contradict each other: they are of the newest second. */
const events = [
  { at: '2026-02-01T08:00:00Z', score: 60 },
  { at: '2026-02-01T09:00:00Z', score: 70 },
  { at: '2026-02-01T09:00:00Z', score: 80 },
  { at: '2026-02-01T09:00:00Z', score: 80 },
];

function permutations<Item>([first, ...others]: readonly Item[]): Item[][] {
  if (first === undefined) return [[]];
  return permutations(others).flatMap((order) =>
    order.concat(first).map((_, place) => [...order.slice(0, place), first, ...order.slice(place)]),
  );
}

longTest(
  'in any order of the events of a result, scores of the newest second that contradict each other stay a tie',
  async () => {
    await using store = await createPgliteDatabase();
    await using inbox = await openPglite(String(store.env['INBOX_DIR']));
    const orders = permutations(events);
    expect(orders).toHaveLength(24);
    for (const [exam_result_id, order] of orders.entries()) {
      for (const { at, score } of order) {
        const result = { exam_result_id, participant: { id: 1 }, exam: { id: 1 }, score };
        await inbox.transaction((tx) => saveScore(tx, inbox, result, at));
      }
    }
    const { rows } = await inbox.query(
      'SELECT DISTINCT is_tie, score::float >= 70 AS is_newest, as_of FROM exam_results',
    );
    expect(rows).toEqual([{ is_tie: true, is_newest: true, as_of: new Date('2026-02-01T09:00:00Z') }]);
    const { rows: jobs } = await inbox.query(
      `SELECT (data->>'as_of')::timestamptz AS as_of, count(DISTINCT data->>'exam_result_id')::int
       FROM pgboss.job WHERE name = 'exam-results-reread' GROUP BY 1`,
    );
    expect(jobs).toEqual([{ as_of: new Date('2026-02-01T09:00:00Z'), count: 24 }]);
  },
);

/** A tie between the scores of a result, and a client whose responses about it come when a test lets them. */
async function tied(scores: readonly (number | null)[]) {
  const store = await createPgliteDatabase();
  const inbox = await openPglite(String(store.env['INBOX_DIR']));
  const at = '2026-02-01T09:00:00Z';
  const save = (score: number, as_of = at) => {
    const result = { exam_result_id: 7, participant: { id: 1 }, exam: { id: 1 }, score };
    return inbox.transaction((tx) => saveScore(tx, inbox, result, as_of));
  };
  await save(60);
  await save(70);
  const responses = scores.map((score) => ({ score, asked: createGate(), go: createGate() }));
  const waiting = [...responses];
  const client = new ExamClient({
    baseUrl: 'http://127.0.0.1/api/v1',
    apiKey: 'a-key-of-tests',
    maxRetries: 0,
    fetch: async () => {
      const { score, asked, go } = waiting.shift() as (typeof responses)[number];
      asked.open();
      await go.promise;
      return score === null
        ? new Response(null, { status: 500 })
        : Response.json({ data: [{ id: 7, score }] });
    },
  });
  const job = { exam_result_id: 7, participant_id: 1, exam_id: 1, as_of: at };
  return {
    save,
    /** Begins the next reread, and resolves when it has asked. */
    async begin() {
      const { asked, go } = responses[scores.length - waiting.length] as (typeof responses)[number];
      const done = rereadScore(inbox, client, job);
      await asked.promise;
      return {
        respond: () => {
          go.open();
          return done;
        },
      };
    },
    read: async () => (await inbox.query('SELECT score::float, is_tie FROM exam_results')).rows[0],
    async [Symbol.asyncDispose]() {
      await inbox[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

longTest(
  'of two concurrent rereads, the one that asked the service last decides, no matter which response comes first',
  async () => {
    await using tie = await tied([60, 70]);
    const older = await tie.begin();
    const newer = await tie.begin();
    await newer.respond();
    await older.respond();
    expect(await tie.read()).toEqual({ score: 70, is_tie: false });
  },
);

longTest('a reread whose successor fails has the response that counts', async () => {
  await using tie = await tied([70, null]);
  const older = await tie.begin();
  const newer = await tie.begin();
  await expect(newer.respond()).rejects.toMatchObject({ status: 500 });
  await older.respond();
  expect(await tie.read()).toEqual({ score: 70, is_tie: false });
});

longTest(
  'an event of the same second that comes while a reread waits for its response keeps the tie',
  async () => {
    await using tie = await tied([70, 75]);
    const older = await tie.begin();
    await tie.save(75);
    await older.respond();
    expect(await tie.read()).toMatchObject({ is_tie: true });
    await (await tie.begin()).respond();
    expect(await tie.read()).toEqual({ score: 75, is_tie: false });
  },
);

longTest('a newer score that comes while a reread waits for its response stays', async () => {
  await using tie = await tied([70]);
  const reread = await tie.begin();
  await tie.save(95, '2026-02-01T09:00:01Z');
  await reread.respond();
  expect(await tie.read()).toEqual({ score: 95, is_tie: false });
});
