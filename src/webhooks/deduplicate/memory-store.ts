// A deduplication store in memory, for a receiver of one process.

import {
  aFunction,
  aNumber,
  expectObjects,
  type OptionTable,
  readOptions,
  withDefault,
} from '../../core/check.ts';
import type { DeduplicationStore } from './deduplication-options.ts';

/** Options of `createMemoryStore`. */
export interface MemoryStoreOptions {
  /** How many events to remember; beyond that, the oldest is forgotten. @default 10_000 */
  readonly maxEntries?: number | undefined;
  /** A clock in milliseconds that is never set back. @default performance.now */
  readonly now?: (() => number) | undefined;
}

/**
 * A store within this process. Its contents are lost with the process and invisible to other processes.
 *
 * @throws {ConfigurationError} when an option is invalid
 */
export function createMemoryStore(options: MemoryStoreOptions = {}): DeduplicationStore {
  expectObjects('createMemoryStore takes one object: { maxEntries }', options);
  const { maxEntries, now } = readOptions('the options of createMemoryStore', options, {
    maxEntries: withDefault(aNumber(1), 10_000),
    now: withDefault(aFunction<() => number>, () => performance.now()),
  } satisfies OptionTable<MemoryStoreOptions>);
  /** Claims, which have an owner, and the marks of handled events, which have no owner. */
  const entries = new Map<string, { readonly expires: number; readonly owner: string | null }>();
  const live = (key: string) => {
    const entry = entries.get(key);
    return entry && entry.expires > now() ? entry : undefined;
  };
  const put = (key: string, ttlSeconds: number, owner: string | null) => {
    entries.delete(key);
    entries.set(key, { expires: now() + ttlSeconds * 1000, owner });
    if (entries.size > maxEntries) entries.delete(entries.keys().next().value as string);
  };
  return {
    claim(key, owner, ttlSeconds) {
      const free = !live(key);
      if (free) put(key, ttlSeconds, owner);
      return free;
    },
    complete: (key, _owner, ttlSeconds) => put(key, ttlSeconds, null),
    release(key, owner) {
      if (entries.get(key)?.owner === owner) entries.delete(key);
    },
    isComplete: (key) => live(key)?.owner === null,
  };
}
