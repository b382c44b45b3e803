// The options of deduplication, and what a store is.

import {
  aFunction,
  aNumber,
  anObject,
  type OptionTable,
  optional,
  readOptions,
  withDefault,
} from '../../core/check.ts';
import { ExamServiceError } from '../../core/errors/base.ts';
import type { WebhookEvent } from '../verify/events.ts';

/**
 * Where the receiver remembers events. A claim says that an event is being handled, and by whom: each attempt has its
 * own `owner`, so that an attempt that ends late cannot release the claim of another. See
 * `examples/receivers/redis-store.ts` for a store in Redis.
 */
export interface DeduplicationStore {
  /** Claims `key` for `owner`, in one atomic step, unless it is claimed or complete; returns whether it was free. */
  claim(key: string, owner: string, ttlSeconds: number): Promise<boolean> | boolean;
  /** Marks `key` as handled for the next `ttlSeconds`, regardless of the current owner: `owner` has handled it. */
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
   * exceed `timeout`. After that, the next delivery is handled. @default 300
   */
  readonly processingSeconds?: number | undefined;
  /**
   * Returns another key than `context.eventKey`, such as the id of a result to handle only its first event. What `onInvalid` took
   * is remembered apart, so that the event runs its handler once the schema is repaired. @default the event's key
   */
  readonly key?: ((event: WebhookEvent<Schemas>) => Promise<string> | string) | undefined;
}

/** Name of a method of a store. */
export type StoreMethod = keyof DeduplicationStore;

const storeMethods = ['claim', 'complete', 'release', 'isComplete'] as const satisfies readonly StoreMethod[];

/** The store of `deduplication` failed or did not respond, so it is unknown whether the event was handled: try again later. */
export class DeduplicationStoreError extends ExamServiceError {
  /** @internal */
  static override readonly kind: string = 'deduplication_store';
  override readonly name = 'DeduplicationStoreError';
  override readonly code = 'deduplication_store';
  /** The method of the store that failed. `cause` is a copy of its error. */
  readonly method: keyof DeduplicationStore;

  /** @internal */
  constructor(method: StoreMethod, failure: string, options?: { readonly cause?: unknown }) {
    const message = `\`${method}\` of the deduplication store ${failure}.`;
    super(message, { outcome: 'unknown', retryable: true }, options);
    this.method = method;
  }
}

export function readDeduplication(given: unknown, name: string) {
  return readOptions(`\`${name}\``, anObject(given, name), {
    store: aStore,
    ttlSeconds: aNumber(1),
    // Longer than any request should take, short enough for the service's next attempts.
    processingSeconds: withDefault(aNumber(1), 300),
    key: optional(aFunction<NonNullable<DeduplicationOptions<never>['key']>>),
  } satisfies OptionTable<DeduplicationOptions>);
}

export type Deduplication = ReturnType<typeof readDeduplication>;

function aStore(given: unknown, name: string): DeduplicationStore {
  const store = anObject(given, name) as DeduplicationStore;
  for (const method of storeMethods) aFunction(store[method], `${name}.${method}`);
  return store;
}
