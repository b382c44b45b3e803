/**
 * Processes the events that `receiver.ts` puts on the queue.
 *
 *   REDIS_URL=redis://127.0.0.1:6379 npx node examples/receivers/bullmq/worker.ts
 *
 * A queue gives every job to a worker at least once: again if processing fails or a worker crashes, even just after its work
 * was done. So the effect itself has to be safe to repeat: see `certificates.ts`.
 */
import { Worker } from 'bullmq';
import { isUnknownEvent } from 'exam-service-sdk/webhooks';
import { orderCertificate } from './certificates.ts';
import { closeAll, connect, type QueuedEvent, queueName } from './queue.ts';

const connection = await connect();

const worker = new Worker<QueuedEvent>(
  queueName,
  async ({ data: { event, key } }) => {
    if (isUnknownEvent(event)) return;
    if (event.event === 'exam_result.completed') await orderCertificate(connection, key, event.data);
  },
  {
    connection,
    name: `worker-${process.pid}`,
    concurrency: 16,
    // The jobs of a worker that died go to another one within 10 s, but no job may kill workers for ever.
    lockDuration: 5_000,
    stalledInterval: 2_500,
    maxStalledCount: 10,
  },
);
worker.on('failed', (job, error) =>
  console.error(`Attempt ${job?.attemptsMade} at ${job?.id} failed:`, error),
);
worker.on('error', (error) => console.error('Worker:', error));
// Jobs in progress are finished, if they take no longer than this.
const LONGEST_JOB_MS = 10_000;
process.once('SIGTERM', () => closeAll(connection, worker, LONGEST_JOB_MS));
await worker.waitUntilReady();
console.log(`Processing ${queueName}`);
