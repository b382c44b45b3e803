// The pool of the bulk jobs: works on several items at once and gives the results in the order of the source. A job counts the results
// one by one, so the number counted is where a rerun begins.

import { onAbort, withDeadline } from '../core/time.ts';
import type { Job } from './job.ts';

/** Rows in the list of a summary, or begun behind one that waits, at most: what a job holds must not grow with the source. */
export const LONGEST_LIST = 1_000;
/** How long the end of a job waits for its source to close. */
const CLOSING_MS = 5_000;

/**
 * Waits until `resume`, which `wait` is given, is called, and gives its place among those under way to another item meanwhile.
 *
 * @throws why the job stops
 */
export type Lend = (wait: (resume: () => void) => void) => Promise<void>;

interface ItemSource<Item> {
  readonly items: AsyncIterator<Item, unknown>;
  /** Ends the items immediately, even if their source does not respond. Resolves when a source that responds has been closed. */
  stop(): Promise<unknown>;
  /** How many are begun and not yet given; those beyond the concurrency of the job wait behind a slow one. */
  readonly ahead: number;
}

/** What was begun and not given; without an end, it is under way. */
interface Entry<Result> {
  end?: { readonly result: Result } | { readonly cause: unknown };
  isWaiting?: boolean;
}

/**
 * Begins work on the items, and yields the results in the same order. Nothing new begins while the caller is busy with a result, nor
 * after a failure of the source or of the work; the first in order is thrown after all results. In the end the source is stopped.
 *
 * @param work its signal aborts with that of the job, and at the end, and so ends work that is still under way
 */
export async function* mapOrdered<Item, Result>(
  job: Job,
  { items, stop, ahead }: ItemSource<Item>,
  work: (item: Item, lend: Lend, signal: AbortSignal) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  const { signal, stopping } = job;
  const controller = new AbortController();
  const begun: Entry<Result>[] = [];
  let isReading = false;
  let isOver = false;
  let failure: { readonly cause: unknown } | undefined;
  let wake = () => {};

  const begin = async (): Promise<void> => {
    const entry: Entry<Result> = {};
    const lend: Lend = async (wait) => {
      stopping.signal.throwIfAborted();
      await new Promise<void>((resolve) => {
        const resume = () => {
          entry.isWaiting = false;
          unfollow();
          resolve();
        };
        const unfollow = onAbort(stopping.signal, resume);
        entry.isWaiting = true;
        wait(resume);
        wake();
      });
      stopping.signal.throwIfAborted();
    };
    begun.push(entry);
    isReading = true;
    try {
      const { done, value } = await items.next().finally(() => {
        isReading = false;
      });
      wake();
      if (done === true) {
        isOver = true;
        begun.pop();
      } else {
        entry.end = { result: await work(value, lend, controller.signal) };
      }
    } catch (cause) {
      entry.end = { cause };
      stopping.abort(cause);
    }
    wake();
  };

  controller.signal.onabort = () => wake();
  stopping.signal.onabort = () => void stop();
  const unfollow = signal && onAbort(signal, () => controller.abort(signal.reason));
  if (signal?.aborted) controller.abort(signal.reason);
  try {
    while (!isOver || begun.length > 0) {
      if (controller.signal.aborted) throw controller.signal.reason;
      const [head] = begun;
      if (head?.end !== undefined) {
        begun.shift();
        if ('result' in head.end) yield head.end.result;
        else failure ??= head.end;
        continue;
      }
      const underWay = begun.filter(({ end, isWaiting }) => end === undefined && !isWaiting).length;
      // Only others can end the waiting of the first.
      const most = head?.isWaiting ? LONGEST_LIST : ahead;
      if (!isOver && !isReading && underWay < job.concurrency && begun.length < most) void begin();
      else if (underWay === 0) job.stopIfStuck();
      // Results come as soon as they are there, however long the source takes for its next row.
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    if (failure !== undefined) throw failure.cause;
  } finally {
    unfollow?.();
    controller.abort();
    const closed = stop();
    await withDeadline(signal, CLOSING_MS, () => closed).catch(() => {});
  }
}
