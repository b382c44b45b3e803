import { LONGEST_TIMER_MS } from '../util/numbers.ts';
import type { DeduplicationOptions } from './deduplication.ts';
import { handleOnce, type WebhookOutcome } from './handle-once.ts';
import type { OnHangUp } from './incoming.ts';

/** How handlers run: the options that bear on it. */
export interface RunOptions {
  readonly timeoutMs: number | false;
  readonly deduplication:
    | (Pick<DeduplicationOptions, 'store' | 'ttlSeconds'> & { readonly processingSeconds: number })
    | undefined;
}

/** One event to handle. */
export interface Job {
  /** Key of its deduplication. */
  readonly key: string;
  /** Tells when the sender of the delivery has gone. */
  readonly onHangUp: OnHangUp | undefined;
  readonly handle: (signal: AbortSignal) => unknown;
  /** Told of what goes wrong beside the outcome. */
  readonly report: (error: unknown) => void;
}

/** Runs the handler of an event: once, and within its time. A time that is over is returned as the error that says so. */
export async function runHandler(
  { timeoutMs, deduplication }: RunOptions,
  { key, onHangUp, handle, report }: Job,
): Promise<WebhookOutcome | DOMException> {
  const stop = new AbortController();
  const claimMs = deduplication ? deduplication.processingSeconds * 1000 : Number.POSITIVE_INFINITY;
  const limitMs = timeoutMs === false ? claimMs : timeoutMs;
  // The claim and the handler have to fit into the time of the claim.
  const storeMs = timeoutMs === false ? claimMs : Math.min(timeoutMs, claimMs - timeoutMs);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let startTimer = () => {};
  const late = new Promise<'late'>((resolve) => {
    if (limitMs === Number.POSITIVE_INFINITY) return;
    startTimer = () => {
      timer = setTimeout(resolve, Math.min(limitMs, LONGEST_TIMER_MS), 'late');
    };
  });
  // The time is the handler's own: the store is given its time apart.
  const run = async () => {
    startTimer();
    try {
      await handle(stop.signal);
    } finally {
      clearTimeout(timer);
    }
    return 'handled' as const;
  };
  // A deduplicated handler goes on when the sender hangs up: its retry joins.
  if (!deduplication) onHangUp?.((reason) => stop.abort(reason));
  const work = deduplication
    ? handleOnce(deduplication, key, run, storeMs, report)
    : { outcome: run(), joined: false };
  if (work.joined) startTimer();
  const outcome = await Promise.race([work.outcome, late]).finally(() => clearTimeout(timer));
  if (outcome !== 'late') return outcome;
  if (work.joined) return 'busy';
  const error = new DOMException(`The handler took longer than ${limitMs} ms.`, 'TimeoutError');
  stop.abort(error);
  work.outcome.catch(report);
  return error;
}
