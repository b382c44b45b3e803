/** Remembers events in Redis, so that all processes of a receiver handle each of them once: see `redis-deduplication.ts`. */
import { setTimeout } from 'node:timers/promises';
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

/** A store that knows what its process is handling. */
interface RedisStore extends DeduplicationStore {
  /**
   * Resolves when every claim of this process has ended, by its handler or by its time: close Redis after it. A server that
   * closes does not wait for handlers whose sender has hung up, or that took longer than `timeout`; what they have done must be
   * marked, too.
   */
  idle(): Promise<void>;
}

/** Two receivers that share a Redis server need a `prefix` each, as two endpoints get the same events. */
export function createRedisStore(redis: Redis, prefix = 'exam-webhooks:'): RedisStore {
  const forSeconds = (seconds: number) => ({ type: 'EX', value: Math.ceil(seconds) }) as const;
  /** When the claim of each owner ends by itself. */
  const claims = new Map<string, number>();
  return {
    async claim(key, owner, ttlSeconds) {
      const options = { condition: 'NX', expiration: forSeconds(ttlSeconds) } as const;
      // From the beginning, since the claim may be made and the response late. What fails is released.
      claims.set(owner, performance.now() + ttlSeconds * 1_000);
      const isFree = (await redis.set(prefix + key, owner, options)) !== null;
      if (!isFree) claims.delete(owner);
      return isFree;
    },
    complete: (key, owner, ttlSeconds) =>
      redis
        .set(prefix + key, DONE, { expiration: forSeconds(ttlSeconds) })
        .finally(() => claims.delete(owner)),
    release: (key, owner) =>
      redis
        .eval(releaseScript, { keys: [prefix + key], arguments: [owner] })
        .finally(() => claims.delete(owner)),
    isComplete: async (key) => (await redis.get(prefix + key)) === DONE,
    async idle() {
      const isClaimed = () => [...claims.values()].some((endsAt) => endsAt > performance.now());
      while (isClaimed()) await setTimeout(20);
    },
  };
}
