/** Remembers deliveries in Redis, so that all processes of a receiver handle each of them once: see `redis-deduplication.ts`. */
import type { DeduplicationStore } from 'exam-service-sdk/webhooks';
import type { createClient } from 'redis';

type Redis = Pick<ReturnType<typeof createClient>, 'set' | 'get' | 'del'>;

const RUNNING = 'running';
const DONE = 'done';

/** Two receivers that share a Redis server need a `prefix` each, as two endpoints get the same bodies. */
export function createRedisStore(redis: Redis, prefix = 'exam-webhooks:'): Required<DeduplicationStore> {
  const forSeconds = (seconds: number) => ({ type: 'EX', value: Math.ceil(seconds) }) as const;
  return {
    async claim(key, ttlSeconds) {
      const options = { condition: 'NX', expiration: forSeconds(ttlSeconds) } as const;
      return (await redis.set(prefix + key, RUNNING, options)) !== null;
    },
    release: (key) => redis.del(prefix + key),
    complete: (key, ttlSeconds) => redis.set(prefix + key, DONE, { expiration: forSeconds(ttlSeconds) }),
    isComplete: async (key) => (await redis.get(prefix + key)) === DONE,
  };
}
