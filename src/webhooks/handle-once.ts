// Runs the handler of an event only once, by means of the deduplication store.

import { LONGEST_TIMER_MS } from '../util/numbers.ts';
import type { DeduplicationOptions, DeduplicationStore, StoreMethod } from './deduplication.ts';
import { DeduplicationStoreError } from './deduplication-store-error.ts';

/**
 * What became of an event: its handler has run now (`handled`) or had run before (`duplicate`), or another process is
 * running it with an unknown result (`busy`).
 */
export type WebhookOutcome = 'handled' | 'duplicate' | 'busy';

/** The handling of an event; `joined` if it had started before. */
export interface Work {
  readonly outcome: Promise<WebhookOutcome>;
  readonly joined: boolean;
}

type Options = Pick<DeduplicationOptions, 'store' | 'ttlSeconds'> & { readonly processingSeconds: number };

/** Work in progress. A duplicate shares its outcome, since acknowledging it earlier could lose the event. */
const inProgress = new WeakMap<DeduplicationStore, Map<string, Promise<WebhookOutcome>>>();

/**
 * Runs `handle` unless the event was handled before. A failure releases the claim and is thrown to everyone who waits
 * for it; later failures of the store are only reported, as they do not change the outcome.
 *
 * @param storeTimeoutMs how long the store may take to answer
 */
export function handleOnce(
  options: Options,
  key: string,
  handle: () => Promise<unknown>,
  storeTimeoutMs: number,
  report: (error: unknown) => void,
): Work {
  const works = inProgress.get(options.store) ?? new Map<string, Promise<WebhookOutcome>>();
  inProgress.set(options.store, works);
  const current = works.get(key);
  if (current) return { outcome: current, joined: true };
  const forget = () => {
    clearTimeout(timer);
    if (works.get(key) === outcome) works.delete(key);
  };
  // The claim expires at this time, so hanging work must not hold the event any longer.
  const timer = setTimeout(forget, Math.min(options.processingSeconds * 1000, LONGEST_TIMER_MS));
  // Nor should it keep a Node process alive.
  (timer as { unref?(): void }).unref?.();
  const outcome = claimAndHandle(options, key, handle, storeTimeoutMs, report).finally(forget);
  works.set(key, outcome);
  return { outcome, joined: false };
}

async function claimAndHandle(
  { store, ttlSeconds, processingSeconds }: Options,
  key: string,
  handle: () => Promise<unknown>,
  storeTimeoutMs: number,
  report: (error: unknown) => void,
): Promise<WebhookOutcome> {
  const owner = crypto.randomUUID();
  const ask = <Answer>(method: StoreMethod, answer: Promise<Answer>) =>
    withinTime(method, answer, storeTimeoutMs);
  const isTrue = async (method: StoreMethod, answer: Promise<unknown>) => {
    const given = await ask(method, answer);
    if (typeof given === 'boolean') return given;
    // A forgotten answer would make every event look busy, and a text like 'false' count as true.
    throw new DeduplicationStoreError(method, `answered with ${typeof given}, not with true or false`);
  };
  const release = async () => store.release(key, owner);
  const claim = (async () => store.claim(key, owner, processingSeconds))();
  try {
    if (!(await isTrue('claim', claim))) {
      return (await isTrue('isComplete', (async () => store.isComplete(key))())) ? 'duplicate' : 'busy';
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
  await ask('complete', (async () => store.complete(key, owner, ttlSeconds))()).catch(report);
  return 'handled';
}

/** The answer of a store. Its failures are reported as those of the store. */
async function withinTime<Answer>(
  method: StoreMethod,
  answer: Promise<Answer>,
  milliseconds: number,
): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new DeduplicationStoreError(method, `has not answered for ${milliseconds} ms`);
    timer = setTimeout(reject, Math.min(milliseconds, LONGEST_TIMER_MS), error);
  });
  const failed = (cause: unknown) => {
    throw new DeduplicationStoreError(method, 'failed', { cause });
  };
  return Promise.race([answer.catch(failed), late]).finally(() => clearTimeout(timer));
}
