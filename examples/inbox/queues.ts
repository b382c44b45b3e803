/** Starts pg-boss with the queues of the inbox. */
import type { PgBoss } from 'pg-boss';
import { DEAD_LETTERS, QUEUE, REREADS, reasonOf } from './database.ts';

const { JOB_SECONDS = '60' } = process.env;
const jobSeconds = Number(JOB_SECONDS);

/** How soon the queue notices that a worker crashed while handling a job. */
export const intervals = {
  superviseIntervalSeconds: Math.max(1, jobSeconds / 4),
  monitorIntervalSeconds: Math.max(1, jobSeconds / 4),
};

/** The same error is reported once in this time. */
const QUIET_MS = 10_000;

/** Ten years, as a job that nobody took up for long is still work to do; the default is 14 days. */
const retention = { retentionSeconds: 315_360_000 };

const options = {
  ...retention,
  expireInSeconds: jobSeconds,
  // After 1 s, 2 s, 4 s and so on, at most 10 minutes: two hours in all.
  retryLimit: 20,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 600,
  deadLetter: DEAD_LETTERS,
};

export async function startQueues(boss: PgBoss): Promise<PgBoss> {
  const reported = new Set<string>();
  boss.on('error', (error) => {
    const reason = reasonOf(error);
    // While the database is away, every poll of every queue fails.
    if (reported.has(reason)) return;
    console.error('Queue:', reason);
    reported.add(reason);
    setTimeout(() => reported.delete(reason), QUIET_MS).unref();
  });
  await boss.start();
  for (const [queue, wanted] of [
    [DEAD_LETTERS, retention],
    [QUEUE, options],
    [REREADS, options],
  ] as const) {
    await boss.createQueue(queue, wanted);
    // One that was there before keeps its options otherwise.
    await boss.updateQueue(queue, wanted);
  }
  return boss;
}
