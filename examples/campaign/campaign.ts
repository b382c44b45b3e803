/** The Redis queue that `plan.ts`, `worker.ts` and `status.ts` share. */
import { setTimeout } from 'node:timers/promises';
import { Queue } from 'bullmq';
import type { Assignment, EnsuredAssignment } from 'exam-service-sdk';
import { createClient } from 'redis';

const { REDIS_URL = 'redis://127.0.0.1:6379', CAMPAIGN = 'exam-campaign' } = process.env;
const RETRY_MS = 1_000;
/** A restart shows for a while: commands fail on the old connection, and first ones on the new. */
const RESTART_MS = 15_000;
const CUT_OFF_MS = 1_000;
/** `ensure` takes three requests at most, and the client 30 s for each. */
const LONGEST_JOB_MS = 95_000;

/** Name of the queue; another campaign on the same Redis has another one. */
export const campaign = CAMPAIGN;

/** How far a plan is that has not come to its end. */
export interface UnfinishedPlan {
  readonly file: string;
  readonly planned: number;
  readonly total: number;
}

/** What plans know beside the queue. */
const keys = {
  /** A hash of the plans that have not come to their end. */
  plans: `${campaign}:plans`,
  /** A set of the pairs that are planned. */
  pairs: `${campaign}:pairs`,
};

/**
 * Pairs live in Redis alone until the CSV files are written: use `appendonly yes`, `appendfsync always` and
 * `maxmemory-policy noeviction`.
 */
export async function openCampaign() {
  let lostAt = Number.NEGATIVE_INFINITY;
  const connection = await createClient({ url: REDIS_URL })
    .on('error', (error: Error) => {
      lostAt = performance.now();
      console.error(`Redis: ${error.message}`);
    })
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
  queue.on('error', (error) => console.error(`Queue: ${error.message}`));
  await queue.waitUntilReady();

  /** Does `work`, and does it again if Redis was lost just before or meanwhile: it must be safe to repeat. */
  async function persist<Result>(work: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        // The news of a loss may come later than the failure.
        await setTimeout(RETRY_MS);
        if (performance.now() - lostAt > RESTART_MS && !isLoading(error)) throw error;
      }
    }
  }

  return {
    connection,
    queue,
    persist,
    /** Notes how far a plan is, so that `status.ts` knows one that was cut off. */
    notePlan: ({ file, ...progress }: UnfinishedPlan) =>
      persist(() => connection.hSet(keys.plans, file, JSON.stringify(progress))),
    endPlan: (file: string) => persist(() => connection.hDel(keys.plans, file)),
    unfinishedPlans: async (): Promise<UnfinishedPlan[]> => {
      const plans = await persist(() => connection.hGetAll(keys.plans));
      return Object.entries(plans).map(([file, progress]) => ({ file, ...JSON.parse(progress) }));
    },
    /** Counts those that no plan has added before, also when two plan at once. */
    countNew: (ids: string[]) => persist(() => connection.sAdd(keys.pairs, ids)),
    /** Removes everything from Redis. */
    forget: () =>
      persist(async () => {
        await queue.obliterate();
        await connection.del([keys.plans, keys.pairs]);
      }),
    /** Closes what uses Redis. A Redis that does not respond is cut off after a second, or after the longest job of `worker`. */
    close: async (worker?: { close(): Promise<void> }) => {
      const longest = worker ? LONGEST_JOB_MS : CUT_OFF_MS;
      setTimeout(longest, undefined, { ref: false }).then(() => connection.destroy());
      await worker?.close();
      await queue.close();
      await connection.close();
    },
  };
}

/** Redis is back, and reads its files. */
function isLoading(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('LOADING');
}
