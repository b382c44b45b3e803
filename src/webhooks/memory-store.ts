// A deduplication store in memory, for a receiver of one process.

import type { DeduplicationStore } from './deduplication.ts';
import { checkNumbers } from './settings.ts';

/** Options of `createMemoryStore`. */
export interface MemoryStoreOptions {
  /** How many events to remember; beyond that, the oldest is forgotten. @default 10_000 */
  readonly maxEntries?: number | undefined;
  /** The clock, in milliseconds since 1970. @default Date.now */
  readonly now?: (() => number) | undefined;
}

/** A claim, which has an owner, or the mark of a handled event, which has none. */
interface Entry {
  readonly expires: number;
  readonly owner?: string | undefined;
}

/** A store within this process. Its contents are lost with the process and invisible to other processes. */
export function createMemoryStore({
  maxEntries = 10_000,
  now = Date.now,
}: MemoryStoreOptions = {}): DeduplicationStore {
  checkNumbers({ maxEntries });
  const entries = new Map<string, Entry>();
  const live = (key: string) => {
    const entry = entries.get(key);
    return entry && entry.expires > now() ? entry : undefined;
  };
  const put = (key: string, ttlSeconds: number, owner?: string) => {
    entries.delete(key);
    entries.set(key, { expires: now() + ttlSeconds * 1000, owner });
    const [oldest = ''] = entries.keys();
    if (entries.size > maxEntries) entries.delete(oldest);
  };
  return {
    claim(key, owner, ttlSeconds) {
      const free = !live(key);
      if (free) put(key, ttlSeconds, owner);
      return free;
    },
    complete: (key, _owner, ttlSeconds) => put(key, ttlSeconds),
    release(key, owner) {
      if (entries.get(key)?.owner === owner) entries.delete(key);
    },
    isComplete(key) {
      const entry = live(key);
      return entry !== undefined && entry.owner === undefined;
    },
  };
}
