/**
 * A receiver that only puts events on a BullMQ queue; `worker.ts` processes them. Run as many of both as needed.
 *
 *   REDIS_URL=redis://127.0.0.1:6379 EXAM_SERVICE_WEBHOOK_SECRET=… PORT=3000 npx node examples/receivers/bullmq/receiver.ts
 *
 * A delivery is acknowledged once its event is on the queue. The id of the job is the key of the event, so that repeated
 * deliveries make one job, whichever process receives them. One whose payload is not as documented goes into a hash, by its key.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Queue } from 'bullmq';
import {
  createWebhookHandler,
  toNodeListener,
  type WebhookContext,
  type WebhookEvent,
} from 'exam-service-sdk/webhooks';
import { closeAll, connect, type QueuedEvent, queueName } from './queue.ts';

const { EXAM_SERVICE_WEBHOOK_SECRET: secret = '', HOST = '127.0.0.1', PORT = '3000' } = process.env;
const ONE_DAY = 86_400;
/** Time limit of a handler, in milliseconds. */
const timeout = 10_000;

// While Redis is away a delivery is rejected at once, and the service delivers it again.
const connection = await connect({ disableOfflineQueue: true });
const queue = new Queue<QueuedEvent>(queueName, {
  connection,
  defaultJobOptions: {
    // After 1 s, 2 s, 4 s and so on: two hours in all. An event that still fails stays among the failed jobs.
    attempts: 14,
    backoff: { type: 'exponential', delay: 1_000 },
    // A job that is forgotten no longer stops a repeated delivery; the marker of `certificates.ts` does.
    removeOnComplete: { age: ONE_DAY },
  },
});
queue.on('error', (error) => console.error('Queue:', error));
// A queue that loses Redis before it is ready never recovers; afterwards it does.
await queue.waitUntilReady();

const enqueue = (event: WebhookEvent, { eventKey: key }: WebhookContext) =>
  queue.add(event.event, { event, key }, { jobId: key });

const receive = createWebhookHandler({
  secret,
  timeout,
  on: {
    'exam_participant.registered': enqueue,
    'exam_participant.unregistered': enqueue,
    'exam_result.completed': enqueue,
    'exam_result.scored': enqueue,
  },
  onUnknown: enqueue,
  onInvalid: async ({ rawBody }, { eventKey }) => {
    // Saved before this returns: after that, the service does not send it again.
    await connection.hSet(`${queueName}:invalid`, eventKey, Buffer.from(rawBody));
    console.warn(`Not as documented, kept as ${eventKey}`);
  },
  onRejected: ({ reason, message }) => console.warn(`Rejected: ${reason}. ${message}`),
  onError: (error) => console.error('Not queued, so it will be delivered again:', error),
});

const server = createServer(toNodeListener(receive));
server.listen(Number(PORT), HOST, () => {
  console.log(`Listening on http://${HOST}:${(server.address() as AddressInfo).port}/webhooks`);
});

process.once('SIGTERM', () => {
  // The queue closes after the last response, or a delivery could be acknowledged without being queued.
  server.close(() => closeAll(connection, queue, 1_000));
  // A connection that sends nothing, or half a request, would hold the process.
  setTimeout(() => server.closeAllConnections(), timeout + 1_000).unref();
});
