/**
 * Where the receiver remembers deliveries. `claim` and `release` suffice for a store that lives and dies with one process.
 * A store that processes share, or that outlives them, needs the other two as well: only they tell a delivery that was
 * handled from one that another process is still handling, or died over.
 *
 * In Redis: `SET key running NX EX ttl`, `DEL key`, `SET key done EX ttl`, and whether `GET key` is `done`.
 */
export interface DeduplicationStore {
  /** Takes `key` for `ttlSeconds` unless it is taken, in one atomic step; answers whether it was free. */
  claim(key: string, ttlSeconds: number): Promise<boolean> | boolean;
  /** Gives `key` up, so that the next claim succeeds. */
  release(key: string): unknown;
  /** Marks the claimed `key` as handled, for `ttlSeconds` from now on. */
  complete?(key: string, ttlSeconds: number): unknown;
  /** Whether `key` is marked as handled. */
  isComplete?(key: string): Promise<boolean> | boolean;
}

/** Makes the receiver handle a repeated delivery once. */
export interface DeduplicationOptions {
  /**
   * Where deliveries are remembered, by the SHA-256 of their bodies, as a delivery has no id. A store serves one
   * receiver: two endpoints get the same bodies, so give a second receiver a store, or a prefix of keys, of its own.
   */
  readonly store: DeduplicationStore;
  /** How long a handled delivery is remembered, in seconds. */
  readonly ttlSeconds: number;
  /**
   * How long a delivery stays claimed when its process dies, in seconds: longer than any handler takes. Without
   * `store.complete` the claim is made for `ttlSeconds` at once. @default 300
   */
  readonly processingSeconds?: number | undefined;
}

/** Longer than any request should take, short enough for the service's next attempts. */
const DEFAULT_PROCESSING_SECONDS = 300;

/** `busy`: another process is handling the delivery, and how that ends is not known. */
export type Outcome = 'handled' | 'busy';

interface ProcessState {
  /** Deliveries in progress: a duplicate shares the outcome, as to acknowledge it sooner could lose the delivery. */
  readonly running: Map<string, Promise<Outcome>>;
  /** Deliveries whose lasting claim may be held although they were not handled: their retries must not pass for handled. */
  readonly stuck: Set<string>;
}

const states = new WeakMap<DeduplicationStore, ProcessState>();

/**
 * Runs `handle` unless the delivery was handled before. A failure releases the claim and is thrown to everyone who waits
 * for it; failures of the store after that are only reported, as they change nothing about the outcome.
 */
export function handleOnce(
  options: DeduplicationOptions,
  key: string,
  handle: () => Promise<unknown>,
  report: (error: unknown) => void,
): Promise<Outcome> {
  const state = states.get(options.store) ?? { running: new Map(), stuck: new Set() };
  states.set(options.store, state);
  let outcome = state.running.get(key);
  if (!outcome) {
    outcome = claimAndHandle(options, key, handle, report, state.stuck).finally(() =>
      state.running.delete(key),
    );
    state.running.set(key, outcome);
  }
  return outcome;
}

async function claimAndHandle(
  { store, ttlSeconds, processingSeconds = DEFAULT_PROCESSING_SECONDS }: DeduplicationOptions,
  key: string,
  handle: () => Promise<unknown>,
  report: (error: unknown) => void,
  stuck: Set<string>,
): Promise<Outcome> {
  if (stuck.has(key)) await store.release(key);
  // Until the store has answered otherwise. Where claims are short, they end by themselves.
  if (!store.complete) stuck.add(key);
  const claimSeconds = store.complete ? processingSeconds : ttlSeconds;
  const expiry = performance.now() + claimSeconds * 1000;
  if (!(await store.claim(key, claimSeconds))) {
    stuck.delete(key);
    return !store.isComplete || (await store.isComplete(key)) ? 'handled' : 'busy';
  }
  try {
    await handle();
  } catch (error) {
    // A claim that ran out may be someone else's by now.
    const held = performance.now() < expiry;
    if (!held || (await succeeds(() => store.release(key), report))) stuck.delete(key);
    throw error;
  }
  stuck.delete(key);
  await succeeds(() => store.complete?.(key, ttlSeconds), report);
  return 'handled';
}

async function succeeds(action: () => unknown, report: (error: unknown) => void): Promise<boolean> {
  try {
    await action();
    return true;
  } catch (error) {
    report(error);
    return false;
  }
}
