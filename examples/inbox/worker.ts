/** Works through the inbox. What a handler writes, and the mark that its event is handled, are one transaction. */
import type { ExamClient } from 'exam-service-sdk';
import { isUnknownEvent, type WebhookEvent } from 'exam-service-sdk/webhooks';
import type { Job, JobResult } from 'pg-boss';
import { type Database, QUEUE, REREADS, reasonOf, type Sql } from './database.ts';
import { readEvent } from './events.ts';
import { orderCertificate, type Reread, rereadScore, type Score, saveScore } from './results.ts';

export interface EventJob {
  readonly eventKey: string;
}

const polling = {
  // A process takes up to 20 jobs at a time and does one after the other.
  batchSize: 20,
  burstWhenBatchFull: true,
  pollingIntervalSeconds: 0.5,
  perJobResults: true,
} as const;

/** Takes jobs until the database is closed. Run as many workers as you need, each in a process of its own. */
export async function startWorker(database: Database, client: ExamClient): Promise<void> {
  const { boss } = database;
  console.log(`Working through the inbox, ${await countLeft(database)} left`);
  await boss.work<EventJob>(QUEUE, polling, (jobs) =>
    each(database, jobs, ({ eventKey }) => database.transaction((tx) => handleOnce(tx, database, eventKey))),
  );
  await boss.work<Reread>(REREADS, polling, (jobs) =>
    each(database, jobs, (reread) => rereadScore(database, client, reread)),
  );
}

/**
 * A queue may give a job twice, so the inbox says whether its event is handled. The row is locked until that is so. What does
 * not fit the schemas waits for a person.
 */
async function handleOnce(tx: Sql, database: Database, eventKey: string): Promise<void> {
  const { rows } = await tx.query<{ event: unknown }>(
    'UPDATE inbox SET handled_at = now() WHERE event_key = $1 AND handled_at IS NULL RETURNING event',
    [eventKey],
  );
  for (const { event } of rows) {
    const reading = await readEvent(event);
    if ('event' in reading) await handle(tx, database, reading.event, eventKey);
    else {
      await tx.query('UPDATE inbox SET handled_at = NULL, problem = $2 WHERE event_key = $1', [
        eventKey,
        reading.problem,
      ]);
    }
  }
}

async function handle(tx: Sql, database: Database, event: WebhookEvent, eventKey: string): Promise<void> {
  if (isUnknownEvent(event)) return;
  if (event.event !== 'exam_result.completed' && event.event !== 'exam_result.scored') return;
  // `readEvent` has checked it.
  const score = event.data as Score;
  await saveScore(tx, database, score, event.created_at);
  if (event.event === 'exam_result.completed') await orderCertificate(tx, eventKey, score.exam_result_id);
}

/** One after the other; a job that fails is tried again later, and the others are done all the same. */
async function each<Data>(
  database: Database,
  jobs: readonly Job<Data>[],
  work: (data: Data) => Promise<void>,
): Promise<JobResult[]> {
  const results: JobResult[] = [];
  for (const { id, data } of jobs) {
    try {
      await work(data);
      results.push({ id, status: 'completed' });
    } catch (error) {
      console.error(`Job ${id}: ${reasonOf(error)}`);
      results.push({ id, status: 'failed', output: { message: reasonOf(error) } });
    }
  }
  console.log(`Did ${jobs.length} jobs, ${await countLeft(database)} left`);
  return results;
}

/** How many events wait to be handled, and results to be read again. That the database is away just now ends no job. */
async function countLeft(database: Database): Promise<number | string> {
  try {
    const { rows } = await database.query<{ left: number }>(
      `SELECT ((SELECT count(*) FROM inbox WHERE handled_at IS NULL AND problem IS NULL) +
               (SELECT count(*) FROM exam_results WHERE is_tie))::int AS left`,
    );
    return rows[0]?.left ?? 0;
  } catch (error) {
    return `an unknown number (${reasonOf(error)})`;
  }
}
