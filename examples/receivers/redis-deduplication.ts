/**
 * A receiver for several processes, which remember their events in Redis.
 *
 *   REDIS_URL=redis://127.0.0.1:6379 EXAM_SERVICE_WEBHOOK_SECRET=… PORT=3000 npx node examples/receivers/redis-deduplication.ts
 *
 * A delivery that another process is handling gets a 503, so that the service delivers it again: if that process
 * crashes or hangs, its claim ends after `processingSeconds` and the next attempt is handled. While Redis is away the response is a 500.
 *
 * A delivery whose payload is not as documented goes into the hash `exam-webhooks:invalid`, by its key.
 *
 * An event that Redis forgets is handled again. So it needs
 * - persistence: `appendonly yes` and `appendfsync always`; with `everysec` a crash forgets the last second, without `appendonly`
 *   a restart forgets everything;
 * - no eviction: `maxmemory-policy noeviction`, as any other policy removes marks when memory runs out;
 * - a failover that loses nothing: replicas lag behind, and a promoted one does not know the latest marks. With
 *   `min-replicas-to-write 1` and `min-replicas-max-lag 10` a primary that lost its replicas stops; what still lies between
 *   the two is handled again.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createWebhookHandler, toNodeListener } from 'exam-service-sdk/webhooks';
import { createClient } from 'redis';
import { createRedisStore } from './redis-store.ts';

const { EXAM_SERVICE_WEBHOOK_SECRET: secret = '', HOST = '127.0.0.1', PORT = '3000' } = process.env;
const { REDIS_URL = 'redis://127.0.0.1:6379' } = process.env;
const ONE_DAY = 86_400;
/** Time limit of a handler, in milliseconds. */
const timeout = 10_000;

// Without the offline queue commands fail at once while Redis is away.
const redis = createClient({ url: REDIS_URL, disableOfflineQueue: true });
redis.on('error', (error) => console.error('Redis:', error));
await redis.connect();

const store = createRedisStore(redis);
const receive = createWebhookHandler({
  secret,
  timeout,
  deduplication: { store, ttlSeconds: ONE_DAY, processingSeconds: 15 },
  on: {
    'exam_result.completed': ({ data }) => {
      console.log(`${data.participant.name} finished ${data.exam.name}: ${data.score}`);
    },
  },
  onInvalid: async ({ rawBody }, { eventKey }) => {
    // Saved before this returns: after that, the service does not send it again.
    await redis.hSet('exam-webhooks:invalid', eventKey, Buffer.from(rawBody));
    console.warn(`Not as documented, kept as ${eventKey}`);
  },
  onRejected: ({ reason, message }) => console.warn(`Rejected: ${reason}. ${message}`),
  onError: (error) => console.error('Not handled, so it will be delivered again:', error),
});

const server = createServer(toNodeListener(receive));
server.listen(Number(PORT), HOST, () => {
  console.log(`Listening on http://${HOST}:${(server.address() as AddressInfo).port}/webhooks`);
});
process.once('SIGTERM', () => {
  server.close(async () => {
    // Redis closes after the last handler, also one whose sender has hung up: an event that is not marked is handled again.
    await store.idle();
    // Redis may not respond any more.
    setTimeout(() => redis.destroy(), 1_000).unref();
    await redis.close();
  });
  // A connection that sends nothing, or half a request, would hold the process.
  setTimeout(() => server.closeAllConnections(), timeout + 1_000).unref();
});
