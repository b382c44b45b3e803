/** The Redis queue that `plan.ts`, `worker.ts` and `status.ts` share. */
import { Queue } from 'bullmq';
import type { Assignment, EnsuredAssignment } from 'exam-service-sdk';
import { createClient } from 'redis';

const { REDIS_URL = 'redis://127.0.0.1:6379', CAMPAIGN = 'exam-campaign' } = process.env;

/** Name of the queue; another campaign on the same Redis has another one. */
export const campaign = CAMPAIGN;

/** Pairs live in Redis alone until the CSV files are written: use `appendonly yes` and `maxmemory-policy noeviction`. */
export async function openCampaign() {
  const connection = await createClient({ url: REDIS_URL })
    .on('error', (error) => console.error('Redis:', error))
    .connect();
  const queue = new Queue<Assignment, EnsuredAssignment>(campaign, {
    connection,
    defaultJobOptions: {
      // After about 1 s, 2 s, 4 s and so on: two hours in all. The jitter spreads pairs that failed together.
      attempts: 14,
      backoff: { type: 'exponential', delay: 1_000, jitter: 0.5 },
      // Jobs that ended are kept: `plan.ts` knows them by their ids, and `status.ts` reads their links.
      removeOnComplete: false,
      removeOnFail: false,
      stackTraceLimit: 1,
    },
  });
  queue.on('error', (error) => console.error('Queue:', error));
  await queue.waitUntilReady();
  const close = async () => {
    await queue.close();
    await connection.close();
  };
  return { connection, queue, close };
}
