import { expect, test } from 'vitest';
import { openPglite } from '../../examples/inbox/pglite.ts';
import { saveScore } from '../../examples/inbox/results.ts';
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
