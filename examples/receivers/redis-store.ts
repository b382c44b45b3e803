/** Remembers events in Redis, so that all processes of a receiver handle each of them once: see `redis-deduplication.ts`. */
import type { DeduplicationStore } from 'exam-service-sdk/webhooks';
import type { createClient } from 'redis';

type Redis = Pick<ReturnType<typeof createClient>, 'set' | 'get' | 'eval'>;

/** The value of a key that is complete; while it is claimed, its value is the owner. */
const DONE = 'done';

/** Redis runs a script as one step, so no other process can claim the key between the comparison and the deletion. */
const releaseScript = `
  if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
  return 0
`;

/** Two receivers that share a Redis server need a `prefix` each, as two endpoints get the same events. */
export function createRedisStore(redis: Redis, prefix = 'exam-webhooks:'): DeduplicationStore {
  const forSeconds = (seconds: number) => ({ type: 'EX', value: Math.ceil(seconds) }) as const;
  return {
    async claim(key, owner, ttlSeconds) {
      const options = { condition: 'NX', expiration: forSeconds(ttlSeconds) } as const;
      return (await redis.set(prefix + key, owner, options)) !== null;
    },
    complete: (key, _owner, ttlSeconds) =>
      redis.set(prefix + key, DONE, { expiration: forSeconds(ttlSeconds) }),
    release: (key, owner) => redis.eval(releaseScript, { keys: [prefix + key], arguments: [owner] }),
    isComplete: async (key) => (await redis.get(prefix + key)) === DONE,
  };
}
