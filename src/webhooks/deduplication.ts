import type { WebhookEvent } from './events.ts';
import { assertOption, checkNumbers } from './settings.ts';

/**
 * Where the receiver remembers events. A claim says that an event is being handled, and by whom: each attempt has an `owner`
 * of its own, so that an attempt that ends late cannot give up the claim of another. `examples/receivers/redis-store.ts` is
 * a store in Redis.
 */
export interface DeduplicationStore {
  /** Claims `key` for `owner` unless it is claimed or complete, in one atomic step; answers whether it was free. */
  claim(key: string, owner: string, ttlSeconds: number): Promise<boolean> | boolean;
  /** Marks `key` as handled for `ttlSeconds` from now on, whoever claims it by now: `owner` has handled it. */
  complete(key: string, owner: string, ttlSeconds: number): unknown;
  /** Gives up the claim of `owner`, in one atomic step; leaves a claim of another and a mark alone. */
  release(key: string, owner: string): unknown;
  /** Whether `key` is marked as handled. */
  isComplete(key: string): Promise<boolean> | boolean;
}

/** Makes the receiver handle an event once, however often it is delivered. */
export interface DeduplicationOptions<Schemas = unknown> {
  /**
   * Where events are remembered. A store serves one receiver: two endpoints get the same events, so give a second receiver
   * a store, or a prefix of keys, of its own.
   */
  readonly store: DeduplicationStore;
  /** How long a handled event is remembered, in seconds: at least twice `toleranceSeconds`. */
  readonly ttlSeconds: number;
  /**
   * How long an event stays claimed when its process dies, or when its handler or the store hangs, in seconds: longer than
   * `timeoutMs`. After that the next delivery is handled. @default 300
   */
  readonly processingSeconds?: number | undefined;
  /**
   * Chooses another key than `context.eventKey`, such as the id of a result, so that only its first event is handled. A
   * payload that `onInvalid` gets keeps `context.eventKey`. @default the event's key
   */
  readonly key?: ((event: WebhookEvent<Schemas>) => Promise<string> | string) | undefined;
}

/** Longer than any request should take, short enough for the service's next attempts. */
const DEFAULT_PROCESSING_SECONDS = 300;

const storeMethods = ['claim', 'complete', 'release', 'isComplete'] as const;

/** Name of a method of a store. */
export type StoreMethod = (typeof storeMethods)[number];

/**
 * Checks the options against those of the receiver.
 *
 * @throws {ConfigurationError} when an option is invalid
 */
export function readDeduplication<Schemas>(
  options: DeduplicationOptions<Schemas>,
  toleranceSeconds: number,
  timeoutMs: number | false,
): DeduplicationOptions<Schemas> & { readonly processingSeconds: number } {
  const { store, ttlSeconds, processingSeconds = DEFAULT_PROCESSING_SECONDS, key } = options;
  assertOption(
    storeMethods.every((method) => typeof store?.[method] === 'function'),
    '`deduplication.store` needs the methods `claim`, `complete`, `release` and `isComplete`, as createMemoryStore() has them.',
  );
  assertOption(key === undefined || typeof key === 'function', '`deduplication.key` must be a function.');
  checkNumbers({ ttlSeconds, processingSeconds });
  assertOption(
    ttlSeconds >= 2 * toleranceSeconds,
    `\`ttlSeconds\` must be at least ${2 * toleranceSeconds}, twice \`toleranceSeconds\`: a delivery is valid that long.`,
  );
  assertOption(
    timeoutMs === false || processingSeconds * 1000 > timeoutMs,
    `\`processingSeconds\` must be longer than \`timeoutMs\` (${timeoutMs} ms), or two would handle an event at once.`,
  );
  return { ...options, processingSeconds };
}
