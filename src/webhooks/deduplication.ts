import type { WebhookEvent } from './events.ts';
import { assertOption, checkNumbers } from './settings.ts';

/**
 * Where the receiver remembers events. A claim says that an event is being handled, and by whom: each attempt has its
 * own `owner`, so that an attempt that ends late cannot release the claim of another. See
 * `examples/receivers/redis-store.ts` for a store in Redis.
 */
export interface DeduplicationStore {
  /** Claims `key` for `owner`, in one atomic step, unless it is claimed or complete; returns whether it was free. */
  claim(key: string, owner: string, ttlSeconds: number): Promise<boolean> | boolean;
  /** Marks `key` as handled for the next `ttlSeconds`, whoever has claimed it by now: `owner` has handled it. */
  complete(key: string, owner: string, ttlSeconds: number): unknown;
  /** Releases the claim of `owner`, in one atomic step; does not touch another owner's claim or a completion mark. */
  release(key: string, owner: string): unknown;
  /** Whether `key` is marked as handled. */
  isComplete(key: string): Promise<boolean> | boolean;
}

/** Makes the receiver handle an event only once, however often it is delivered. */
export interface DeduplicationOptions<Schemas = unknown> {
  /**
   * Where events are remembered. Each receiver needs its own store: two endpoints get the same events, so give a second
   * receiver another store or another key prefix.
   */
  readonly store: DeduplicationStore;
  /** How long a handled event is remembered, in seconds: at least twice `toleranceSeconds`. */
  readonly ttlSeconds: number;
  /**
   * How long an event stays claimed, in seconds, when its process dies, or when its handler or the store hangs; must
   * exceed `timeoutMs`. After that, the next delivery is handled. @default 300
   */
  readonly processingSeconds?: number | undefined;
  /**
   * Returns another key than `context.eventKey`, such as the id of a result to handle only its first event. Payloads
   * passed to `onInvalid` keep `context.eventKey`. @default the event's key
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
    '`deduplication.store` needs the methods `claim`, `complete`, `release` and `isComplete`, like createMemoryStore().',
  );
  assertOption(key === undefined || typeof key === 'function', '`deduplication.key` must be a function.');
  checkNumbers({ ttlSeconds, processingSeconds });
  assertOption(
    ttlSeconds >= 2 * toleranceSeconds,
    `\`ttlSeconds\` must be at least ${2 * toleranceSeconds}, twice \`toleranceSeconds\`: a delivery is valid that long.`,
  );
  assertOption(
    timeoutMs === false || processingSeconds * 1000 > timeoutMs,
    `\`processingSeconds\` must be longer than \`timeoutMs\` (${timeoutMs} ms), or an event could be handled twice at once.`,
  );
  return { ...options, processingSeconds };
}
