/** The Redis queue that `receiver.ts` and `worker.ts` share. */
import type { WebhookEvent } from 'exam-service-sdk/webhooks';
import { createClient } from 'redis';

const { REDIS_URL = 'redis://127.0.0.1:6379', QUEUE_NAME = 'exam-events' } = process.env;

export const queueName = QUEUE_NAME;

/** The data of a job. */
export interface QueuedEvent {
  readonly event: WebhookEvent;
  /** Distinguishes events, as they have no id. */
  readonly key: string;
}

/**
 * Acknowledged events live in Redis alone until they are processed, so run it with `appendonly yes`, `appendfsync always` and
 * `maxmemory-policy noeviction`. With `appendonly` alone Redis writes to the disk once a second: a crash of its machine may lose
 * the events of the last second, which `recover.ts` fetches again.
 */
export function connect(options: { readonly disableOfflineQueue?: boolean } = {}) {
  return createClient({ url: REDIS_URL, ...options })
    .on('error', (error) => console.error('Redis:', error))
    .connect();
}

/** Closes a queue or a worker, and Redis after it. A Redis that does not respond is cut off after `milliseconds`. */
export async function closeAll(
  connection: Awaited<ReturnType<typeof connect>>,
  user: { close(): Promise<unknown> },
  milliseconds: number,
): Promise<void> {
  setTimeout(() => connection.destroy(), milliseconds).unref();
  try {
    await user.close();
    await connection.close();
  } catch (error) {
    console.error('Redis did not respond, so jobs in progress run again:', error);
  }
}
