// Runs the handler of an event within its time limit, and only once if deduplication is on.

import { LONGEST_TIMER_MS } from '../util/numbers.ts';
import type { DeduplicationOptions } from './deduplication.ts';
import { handleOnce, type WebhookOutcome } from './handle-once.ts';
import type { OnHangUp } from './incoming.ts';

/** The options that affect how handlers run. */
export interface RunOptions {
  readonly timeoutMs: number | false;
  readonly deduplication:
    | (Pick<DeduplicationOptions, 'store' | 'ttlSeconds'> & { readonly processingSeconds: number })
    | undefined;
}

/** One event to handle. */
export interface Job {
  /** Returns the key for its deduplication. */
  readonly key: () => Promise<string>;
  /** Notifies when the sender of the delivery disconnects. */
  readonly onHangUp: OnHangUp | undefined;
  readonly handle: (signal: AbortSignal) => unknown;
  /** Reports errors that do not change the outcome. */
  readonly report: (error: unknown) => void;
}

/** Runs the handler of an event once and within its time limit. A timeout is returned as an error. */
export async function runHandler(
  { timeoutMs, deduplication }: RunOptions,
  { key, onHangUp, handle, report }: Job,
): Promise<WebhookOutcome | DOMException> {
  const stop = new AbortController();
  const claimMs = deduplication ? deduplication.processingSeconds * 1000 : Number.POSITIVE_INFINITY;
  const limitMs = timeoutMs === false ? claimMs : timeoutMs;
  // Claiming and handling must fit into the lifetime of the claim.
  const storeMs = timeoutMs === false ? claimMs : Math.min(timeoutMs, claimMs - timeoutMs);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let startTimer = () => {};
  const late = new Promise<undefined>((resolve) => {
    if (limitMs === Number.POSITIVE_INFINITY) return;
    startTimer = () => {
      timer = setTimeout(resolve, Math.min(limitMs, LONGEST_TIMER_MS), undefined);
    };
  });
  const inTime = <Result>(result: Promise<Result>): Promise<Result | undefined> =>
    Promise.race([result, late]).finally(() => clearTimeout(timer));
  const tooLate = (what: string) =>
    new DOMException(`${what} took longer than ${limitMs} ms.`, 'TimeoutError');
  // The time limit is for the handler alone; the key and the store have their own.
  const run = async () => {
    startTimer();
    try {
      await handle(stop.signal);
    } finally {
      clearTimeout(timer);
    }
    return 'handled' as const;
  };
  // A deduplicated handler continues when the sender disconnects: its retry joins.
  if (!deduplication) onHangUp?.((reason) => stop.abort(reason));
  if (deduplication) startTimer();
  const chosen = deduplication ? await inTime(key()) : '';
  if (chosen === undefined) return tooLate('`deduplication.key`');
  const work = deduplication
    ? handleOnce(deduplication, chosen, run, storeMs, report)
    : { outcome: run(), joined: false };
  if (work.joined) startTimer();
  const outcome = await inTime(work.outcome);
  if (outcome !== undefined) return outcome;
  if (work.joined) return 'busy';
  const error = tooLate('The handler');
  stop.abort(error);
  work.outcome.catch(report);
  return error;
}
