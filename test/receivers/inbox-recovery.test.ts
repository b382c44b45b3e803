import { expect, test, vi } from 'vitest';
import { createPostgresDatabase, type TestDatabase } from './inbox-helpers.ts';
import { DATES, deliver, eventsOf, nothingLeft, start } from './inbox-run.ts';
import { describeWithPostgres } from './postgres.ts';
import { runRecipe } from './recipe.ts';

/** Runs a worker until nothing is left that it can do. */
async function workThrough(database: TestDatabase): Promise<void> {
  const worker = await start(database, ['worker'], {});
  await vi.waitUntil(() => nothingLeft(worker), { timeout: 60_000, interval: 50 });
  expect(await worker.stop()).toBe(0);
}

/** A score that nobody gave is no grade of 0 points; a number may also come as text. */
async function takeNoGradeFromNothing(database: TestDatabase): Promise<void> {
  const receiver = await start(database, ['receiver'], {});
  const scores = ['', ' ', [], false, 'none', {}, '87.50', 61, null];
  for (const [index, score] of scores.entries()) {
    const data = { exam_result_id: index + 1, participant: { id: 1 }, exam: { id: 1 }, score };
    await deliver(receiver.url, { event: 'exam_result.scored', created_at: DATES[0], data }, () => {});
  }
  expect(await receiver.stop()).toBe(0);
  await workThrough(database);
  const given = await database.query(
    'SELECT exam_result_id::int AS id, score::float FROM exam_results ORDER BY 1',
  );
  expect(given).toEqual([
    { id: 7, score: 87.5 },
    { id: 8, score: 61 },
    { id: 9, score: null },
  ]);
  const [odd] = await database.query('SELECT count(problem)::int AS odd FROM inbox WHERE handled_at IS NULL');
  expect(odd).toEqual({ odd: 6 });
}

/** Years later no job is left, but what is not handled still gets its round. */
async function retryWithoutJobs(database: TestDatabase): Promise<void> {
  const receiver = await start(database, ['receiver'], {});
  await deliver(receiver.url, eventsOf(7)[0] ?? {}, () => {});
  const fits = { exam_result_id: 8, participant: { id: 8 }, exam: { id: 1 }, score: 50 };
  await deliver(receiver.url, { event: 'exam_result.scored', created_at: DATES[0], data: fits }, () => {});
  const odd = { ...fits, score: 'none' };
  await deliver(receiver.url, { event: 'exam_result.scored', created_at: DATES[0], data: odd }, () => {});
  expect(await receiver.stop()).toBe(0);
  await database.query('DELETE FROM pgboss.job');
  // As if it had not fitted the schema of that day.
  await database.query(
    "UPDATE inbox SET problem = 'too strict' WHERE event->'data'->>'exam_result_id' = '8'",
  );
  const retried = await runRecipe('../inbox/status', ['--retry'], database.env);
  expect([retried.code, retried.stdout]).toEqual([0, expect.stringContaining('To be tried again: 3.')]);
  await workThrough(database);
  const results = await database.query(
    'SELECT exam_result_id::int AS id, score::float FROM exam_results ORDER BY 1',
  );
  expect(results).toEqual([
    { id: 7, score: 0 },
    { id: 8, score: 50 },
  ]);
  const [kept, ...others] = await database.query('SELECT problem FROM inbox WHERE handled_at IS NULL');
  expect(others).toEqual([]);
  expect(String(kept?.['problem'])).toContain('score');
}

/** Also in a database that an earlier version has made. */
async function keepJobsForYears(database: TestDatabase): Promise<void> {
  await runRecipe('../inbox/status', [], database.env);
  await database.query('UPDATE pgboss.queue SET retention_seconds = 1209600');
  await runRecipe('../inbox/status', [], database.env);
  const queues = await database.query(
    "SELECT name FROM pgboss.queue WHERE name LIKE 'exam-%' AND retention_seconds > 5 * 365 * 86400 ORDER BY name",
  );
  expect(queues.map(({ name }) => name)).toEqual(['exam-events', 'exam-events-dead', 'exam-results-reread']);
}

describeWithPostgres('what is left in the inbox over PostgreSQL', (url) => {
  test('a score that is empty, a list or a truth value is no grade, and waits for a person', async () => {
    await using database = await createPostgresDatabase(url);
    await takeNoGradeFromNothing(database);
  });

  test('--retry takes up every event that is not handled, without a job of it and with a problem that is gone', async () => {
    await using database = await createPostgresDatabase(url);
    await retryWithoutJobs(database);
  });

  test('jobs wait for years', async () => {
    await using database = await createPostgresDatabase(url);
    await keepJobsForYears(database);
  });
});
