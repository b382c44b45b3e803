// Runs the handler of an event only once, by means of the deduplication store.

import { ExamServiceError } from '../../core/errors/base.ts';
import { withTimeout } from '../../core/time.ts';
import { copyError } from '../../util/errors.ts';
import {
  type Deduplication,
  type DeduplicationStore,
  DeduplicationStoreError,
  type StoreMethod,
} from './deduplication-options.ts';

/**
 * What became of an event: its handler has run for it (`handled`), or for an earlier delivery of it (`duplicate`), or another
 * process is running it with an unknown result (`busy`).
 */
export type WebhookOutcome = 'handled' | 'duplicate' | 'busy';

/**
 * `dispatch` was given an event that another process is handling, or was handling when it crashed: whether it was handled is unknown.
 * Dispatch it again later.
 */
export class EventBusyError extends ExamServiceError {
  /** @internal */
  static override readonly kind: string = 'event_busy';
  override readonly name = 'EventBusyError';
  override readonly code = 'event_busy';

  /** @internal */
  constructor(seconds: number | undefined) {
    const message = `The event is being handled, or its process crashed: dispatch it again later, after ${seconds} s at the latest.`;
    super(message, { outcome: 'unknown', retryable: true });
  }
}

/** Work in progress. A duplicate shares its outcome, since acknowledging it earlier could lose the event. */
interface Work {
  readonly outcome: Promise<WebhookOutcome>;
  /** When its claim ends: work that hangs must not hold the event any longer. Not a timer, which a worker ends with its request. */
  readonly endsAt: number;
}

/** The work of each store, by event. */
const inProgress = new WeakMap<DeduplicationStore, Map<string, Work>>();

/**
 * Runs `handle` unless the event was handled before. A failure releases the claim and is thrown to everyone who waits
 * for it; later failures of the store are only reported, as they do not change the outcome.
 *
 * @param timeout for a delivery that waits for work of an earlier one, and for each call of the store
 */
export function handleOnce(
  options: Deduplication,
  key: string,
  handle: () => Promise<unknown>,
  timeout: number | false,
  report: (error: unknown) => void,
): Promise<WebhookOutcome> {
  const works = inProgress.get(options.store) ?? new Map<string, Work>();
  inProgress.set(options.store, works);
  const now = performance.now();
  // The oldest come first, so this looks at one that has not ended at most, however many there are.
  for (const [hung, { endsAt }] of works) {
    if (endsAt > now) break;
    works.delete(hung);
  }
  const current = works.get(key);
  const claimMs = options.processingSeconds * 1000;
  if (current && current.endsAt > now) {
    const joined = current.outcome.then((outcome) => (outcome === 'busy' ? outcome : 'duplicate'));
    return withTimeout(timeout || claimMs, joined, () => 'busy');
  }
  // Claiming and handling must fit into the lifetime of the claim.
  const storeMs = timeout ? Math.min(timeout, claimMs - timeout) : claimMs;
  const work = { outcome: claimAndHandle(options, key, handle, storeMs, report), endsAt: now + claimMs };
  works.set(key, work);
  const forget = () => works.get(key) === work && works.delete(key);
  work.outcome.then(forget, forget);
  return work.outcome;
}

async function claimAndHandle(
  { store, ttlSeconds, processingSeconds }: Deduplication,
  key: string,
  handle: () => Promise<unknown>,
  storeMs: number,
  report: (error: unknown) => void,
): Promise<WebhookOutcome> {
  const owner = crypto.randomUUID();
  const methods = store as object as Record<StoreMethod, (...given: unknown[]) => unknown>;
  const call = async (method: StoreMethod, ...given: unknown[]) => methods[method](key, ...given);
  /** What the store returns, in time. Its failures are reported as those of the store. */
  const ask = async (method: StoreMethod, called: Promise<unknown>) => {
    const fail = (failure: string, cause?: { readonly cause: unknown }) => {
      throw new DeduplicationStoreError(method, failure, cause);
    };
    const returned = called.catch((cause) => fail('failed', { cause: copyError(cause) }));
    const said = await withTimeout(storeMs, returned, () => fail(`took longer than ${storeMs} ms`));
    // A forgotten return value would make every event look busy, and a text like 'false' count as true.
    if (typeof said === 'boolean' || method === 'complete' || method === 'release') return said;
    return fail(`returned ${typeof said}, not true or false`);
  };
  const release = () => call('release', owner);
  const claim = call('claim', owner, processingSeconds);
  try {
    if (!(await ask('claim', claim))) {
      return (await ask('isComplete', call('isComplete'))) ? 'duplicate' : 'busy';
    }
  } catch (error) {
    // The claim may still succeed. If it cannot be released either, it expires by itself.
    claim.then(release, release).catch(() => {});
    throw error;
  }
  try {
    await handle();
  } catch (error) {
    await ask('release', release()).catch(report);
    throw error;
  }
  await ask('complete', call('complete', owner, ttlSeconds)).catch(report);
  return 'handled';
}
