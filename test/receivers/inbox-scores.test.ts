import { expect, test } from 'vitest';
import { openPglite } from '../../examples/inbox/pglite.ts';
import { rereadScore, saveScore } from '../../examples/inbox/results.ts';
import { ExamClient } from '../../src/index.ts';
import { createGate } from '../helpers/gate.ts';
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

test('in whatever order the events of a result come, scores of the newest second that contradict each other stay a tie', async () => {
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
});

test('of two rereads at once, the one that asked the service last decides, whichever answer comes first', async () => {
  await using store = await createPgliteDatabase();
  await using inbox = await openPglite(String(store.env['INBOX_DIR']));
  const at = '2026-02-01T09:00:00Z';
  for (const score of [60, 70]) {
    const result = { exam_result_id: 7, participant: { id: 1 }, exam: { id: 1 }, score };
    await inbox.transaction((tx) => saveScore(tx, inbox, result, at));
  }
  const answers = [60, 70].map((score) => ({ score, asked: createGate<void>(), go: createGate<void>() }));
  const [older, newer] = answers as [(typeof answers)[0], (typeof answers)[0]];
  const waiting = [...answers];
  const client = new ExamClient({
    baseUrl: 'http://127.0.0.1/api/v1',
    apiKey: 'a-key-of-tests',
    fetch: async () => {
      const answer = waiting.shift() as typeof older;
      answer.asked.open();
      await answer.go.promise;
      return Response.json({ data: [{ id: 7, score: answer.score }] });
    },
  });
  const job = { exam_result_id: 7, participant_id: 1, exam_id: 1, as_of: at };
  const first = rereadScore(inbox, client, job);
  await older.asked.promise;
  const second = rereadScore(inbox, client, job);
  await newer.asked.promise;
  newer.go.open();
  await second;
  older.go.open();
  await first;
  const { rows } = await inbox.query('SELECT score::float, is_tie FROM exam_results');
  expect(rows).toEqual([{ score: 70, is_tie: false }]);
});
