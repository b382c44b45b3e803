/**
 * Assigns the pairs that `plan.ts` put on the queue. Start as many as you like, on any machines, and stop them at any time.
 *
 *   EXAM_SERVICE_BASE_URL=… EXAM_SERVICE_API_KEY=… REDIS_URL=… npx node examples/campaign/worker.ts
 *
 * A queue gives every job to a worker at least once, and again if a worker is killed halfway. `ensure` makes that harmless: it is
 * idempotent, so the pair is assigned once and its link is known.
 */
import { UnrecoverableError, Worker } from 'bullmq';
import {
  type Assignment,
  type EnsuredAssignment,
  ExamClient,
  isApiError,
  isExamServiceError,
} from 'exam-service-sdk';
import { campaign, openCampaign } from './campaign.ts';

const { CONCURRENCY = '8' } = process.env;
/** How long all workers wait after a 429 that says nothing, or less. */
const SHORTEST_HOLD_MS = 1_000;

const { connection, queue, close } = await openCampaign();
// The queue repeats; the client would do so unseen, and without the other workers' knowledge.
const client = new ExamClient({ maxRetries: 0 });

/** What the queue is to do about a failure. */
async function verdictOf(error: unknown): Promise<unknown> {
  if (!isExamServiceError(error)) return error;
  if (isApiError(error) && error.status === 429) {
    await queue.rateLimit(Math.max(error.retryAfterMs ?? 0, SHORTEST_HOLD_MS));
    // Puts the job back without counting it as an attempt.
    return Worker.RateLimitError();
  }
  if (error.retryable) return error;
  // The key is rejected: the other pairs wait until it is fixed, instead of failing one by one.
  if (isApiError(error) && [401, 403].includes(error.status)) await queue.pause();
  return new UnrecoverableError(error.message);
}

const worker = new Worker<Assignment, EnsuredAssignment>(
  campaign,
  async ({ data }) => {
    try {
      return await client.examParticipants.ensure(data, { link: true });
    } catch (error) {
      throw await verdictOf(error);
    }
  },
  {
    connection,
    name: `worker-${process.pid}`,
    concurrency: Number(CONCURRENCY),
    // The jobs of a worker that died go to another one within 10 s.
    lockDuration: 5_000,
    stalledInterval: 2_500,
    // A request kills no worker, so a job may outlive any number of them.
    maxStalledCount: 1_000,
    // Looked at again every second, so that a hold that is lifted early ends early.
    maximumRateLimitDelay: 1_000,
  },
);
worker.on('error', (error) => console.error(`Worker: ${error.message}`));
await worker.waitUntilReady();
console.log(`Working on ${campaign}`);

// Pairs under way are finished first.
const stop = () => close(worker);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, stop);
