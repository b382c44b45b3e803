/** Works through the inbox. What a handler writes, and the mark that its event is handled, are one transaction. */
import type { ExamClient } from 'exam-service-sdk';
import { isUnknownEvent, type WebhookEvent } from 'exam-service-sdk/webhooks';
import type { Job, JobResult } from 'pg-boss';
import { type Database, QUEUE, REREADS, type Sql } from './database.ts';
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

/** A queue may give a job twice, so the inbox says whether its event is handled. The row is locked until that is so. */
async function handleOnce(tx: Sql, database: Database, eventKey: string): Promise<void> {
  const { rows } = await tx.query<{ event: WebhookEvent }>(
    'UPDATE inbox SET handled_at = now() WHERE event_key = $1 AND handled_at IS NULL RETURNING event',
    [eventKey],
  );
  for (const { event } of rows) await handle(tx, database, event, eventKey);
}

async function handle(tx: Sql, database: Database, event: WebhookEvent, eventKey: string): Promise<void> {
  if (isUnknownEvent(event)) return;
  if (event.event !== 'exam_result.completed' && event.event !== 'exam_result.scored') return;
  // The receiver has checked it against the schema of its event.
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
      console.error(`Job ${id}:`, error);
      results.push({ id, status: 'failed', output: { message: String(error) } });
    }
  }
  console.log(`Did ${jobs.length} jobs, ${await countLeft(database)} left`);
  return results;
}

/** How many events wait to be handled, and results to be read again. */
async function countLeft(database: Database): Promise<number> {
  const { rows } = await database.query<{ left: number }>(
    `SELECT ((SELECT count(*) FROM inbox WHERE handled_at IS NULL AND problem IS NULL) +
             (SELECT count(*) FROM exam_results WHERE is_tie))::int AS left`,
  );
  return rows[0]?.left ?? 0;
}
