// The pool of the bulk jobs: works on several items at once, and reports their results one at a time in the order of the source.

import { onAbort, withDeadline } from '../core/time.ts';
import type { Job } from './job.ts';

/** Rows in the list of a summary, or settled behind one that is not, at most: what a job holds must not grow with the source. */
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
}

interface Failure {
  readonly cause: unknown;
}

/** What was begun and is not reported; without an end, it is under way or waits. */
interface Entry<Result> {
  end?: { readonly result: Result } | Failure;
  isWaiting?: boolean;
}

/**
 * Works on the items, and reports the results in the same order. Nothing begins while a result is reported, nor while too many wait
 * behind one that is not settled, nor after a failure: what is under way then ends by itself, and is not reported.
 *
 * @throws the first failure in the order of the items, of their source, of the work or of `report`; or why the job was aborted
 */
export async function runPool<Item, Result>(
  job: Job,
  { items, stop }: ItemSource<Item>,
  work: (item: Item, lend: Lend) => Promise<Result>,
  report: (result: Result) => Promise<void>,
): Promise<void> {
  const { signal, stopping } = job;
  /** In the order of the items. */
  const begun: Entry<Result>[] = [];
  let next: { readonly item: Item } | undefined;
  let isReading = false;
  let isOver = false;
  let wake = () => {};

  const fail = (cause: unknown): Failure => {
    stopping.abort(cause);
    return { cause };
  };

  const read = async (): Promise<void> => {
    isReading = true;
    try {
      const { done, value } = await items.next();
      if (done === true) isOver = true;
      else next = { item: value };
    } catch (cause) {
      begun.push({ end: fail(cause) });
    }
    isReading = false;
    wake();
  };

  const begin = async (item: Item): Promise<void> => {
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
    entry.end = await work(item, lend).then((result) => ({ result }), fail);
    wake();
  };

  const settle = async (end: NonNullable<Entry<Result>['end']>): Promise<Failure | undefined> => {
    if ('cause' in end) return end;
    return report(end.result).then(() => undefined, fail);
  };

  const run = async (running: AbortSignal): Promise<void> => {
    let failure: Failure | undefined;
    const isEnding = () => isOver || stopping.signal.aborted;
    while (begun.length > 0 || !isEnding()) {
      running.throwIfAborted();
      const [head] = begun;
      if (head?.end !== undefined) {
        begun.shift();
        failure ??= await settle(head.end);
        continue;
      }
      const underWay = begun.filter(({ end, isWaiting }) => end === undefined && !isWaiting).length;
      const hasRoom = !isEnding() && underWay < job.concurrency && begun.length - underWay < LONGEST_LIST;
      if (hasRoom && next !== undefined) {
        void begin(next.item);
        next = undefined;
      } else if (hasRoom && !isReading) {
        void read();
      } else {
        if (underWay === 0 && !isReading) job.stopIfStuck();
        // Results are reported when they are there, however long the source takes for its next row.
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
    if (failure !== undefined) throw failure.cause;
  };

  stopping.signal.onabort = () => void stop();
  try {
    await withDeadline(signal, Number.POSITIVE_INFINITY, run);
  } catch (cause) {
    stopping.abort(cause);
    // An abort may come while a failure waits for its turn.
    throw signal?.aborted ? stopping.signal.reason : cause;
  } finally {
    const closed = stop();
    await withDeadline(signal, CLOSING_MS, () => closed).catch(() => {});
  }
}
