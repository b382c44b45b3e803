/**
 * Shows what is in the inbox. Over PGlite, stop it first: only one process can open its folder.
 *
 *   npx node examples/inbox/status.ts            counts, and everything that needs your attention
 *   npx node examples/inbox/status.ts --retry    gives every event that is not handled another round
 *
 * Once you have corrected the schema in `events.ts`, `--retry` handles what did not match before.
 */
import { DEAD_LETTERS } from './database.ts';
import { openDatabase } from './open.ts';
import { retryAll } from './retry.ts';

await using database = await openDatabase();
const { boss } = database;

if (process.argv.includes('--retry')) console.log(`To be tried again: ${await retryAll(database)}.`);

const counts = await database.query(`
  SELECT event->>'event' AS event, count(*)::int AS received, count(handled_at)::int AS handled,
         count(problem)::int AS odd
  FROM inbox GROUP BY 1 ORDER BY 1`);
console.table(counts.rows);
const odd = await database.query(
  'SELECT event_key, received_at, problem FROM inbox WHERE problem IS NOT NULL ORDER BY received_at LIMIT 20',
);
if (odd.rows.length > 0) console.table(odd.rows);
const [dead] = await boss.getQueueStats(DEAD_LETTERS);
console.log(`Failed too often: ${dead?.totalCount ?? 0} jobs.`);
