import type { DeduplicationStore } from './deduplication.ts';
import { checkNumbers } from './settings.ts';

/** Options of `createMemoryStore`. */
export interface MemoryStoreOptions {
  /** How many deliveries are remembered; beyond it the oldest is forgotten. @default 10_000 */
  readonly maxEntries?: number | undefined;
  /** The clock, in milliseconds since 1970. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/** A store within this process. What it remembers is lost with the process, and unknown to any other. */
export function createMemoryStore({
  maxEntries = 10_000,
  now = Date.now,
}: MemoryStoreOptions = {}): Required<DeduplicationStore> {
  checkNumbers({ maxEntries });
  const entries = new Map<string, { expires: number; complete: boolean }>();
  const live = (key: string) => {
    const entry = entries.get(key);
    return entry && entry.expires > now() ? entry : undefined;
  };
  const put = (key: string, ttlSeconds: number, complete: boolean) => {
    entries.delete(key);
    entries.set(key, { expires: now() + ttlSeconds * 1000, complete });
    const [oldest] = entries.keys();
    if (oldest !== undefined && entries.size > maxEntries) entries.delete(oldest);
  };
  return {
    claim(key, ttlSeconds) {
      const free = !live(key);
      if (free) put(key, ttlSeconds, false);
      return free;
    },
    release: (key) => entries.delete(key),
    complete: (key, ttlSeconds) => put(key, ttlSeconds, true),
    isComplete: (key) => live(key)?.complete === true,
  };
}
