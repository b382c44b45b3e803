// The pool of the bulk jobs: works on several items at once, and reports their results one at a time in the order of the source.

import { onAbort, withDeadline } from '../core/time.ts';
import type { Job } from './job.ts';

/** Rows in the list of a summary, or results that wait for an earlier one, at most: what a job holds must not grow with its source. */
export const LONGEST_LIST = 1_000;
/** How long the end of a job waits for its source to close. */
const CLOSING_MS = 5_000;

/**
 * Waits until rows are due again, by the index of the first. Meanwhile another item takes the place among those under way.
 *
 * @throws why the job stops
 */
export type PauseWork = (index: number) => Promise<void>;

/** What a pool works on, and how. */
interface Work<Item, Result> {
  readonly items: AsyncIterator<Item, unknown>;
  /** Ends the items immediately, even if their source does not respond. Resolves when a source that responds has been closed. */
  stop(): Promise<unknown>;
  work(item: Item, pause: PauseWork): Promise<Result>;
  report(result: Result): Promise<void>;
}

/** How the work on an item ended. */
type End<Result> = { readonly result: Result } | { readonly cause: unknown };

/** An item that was begun and is not reported yet. Without an `end`, it is under way or waits. */
interface Begun<Result> {
  end?: End<Result>;
  isWaiting?: boolean;
}

/**
 * Works on the items, and reports the results in the same order. Nothing begins while a result is reported, while too many results wait
 * for an earlier one, or after a failure: requests in flight finish on their own, and are not reported.
 *
 * @throws the first failure in the order of the items, of their source, of the work or of `report`; or why the job was aborted
 */
export async function runPool<Item, Result>(job: Job, work: Work<Item, Result>): Promise<void> {
  const { signal, stopping } = job;
  stopping.signal.onabort = () => void work.stop();
  const pool = new Pool(job, work);
  try {
    await withDeadline(signal, Number.POSITIVE_INFINITY, () => pool.run());
  } catch (cause) {
    stopping.abort(cause);
    // An abort may come while a failure waits for its turn.
    throw signal?.aborted ? stopping.signal.reason : cause;
  } finally {
    const closed = work.stop();
    await withDeadline(signal, CLOSING_MS, () => closed).catch(() => {});
  }
}

class Pool<Item, Result> {
  readonly #job: Job;
  readonly #work: Work<Item, Result>;
  /** In the order of the items. */
  readonly #begun: Begun<Result>[] = [];
  /** The item that was read, until it begins. */
  #next: { readonly item: Item } | undefined;
  #isReading = false;
  #isOver = false;
  #wake = () => {};

  constructor(job: Job, work: Work<Item, Result>) {
    this.#job = job;
    this.#work = work;
  }

  async run(): Promise<void> {
    let failure: { readonly cause: unknown } | undefined;
    while (this.#begun.length > 0 || !this.#isEnding) {
      const [head] = this.#begun;
      if (head?.end !== undefined) {
        this.#begun.shift();
        const { end } = head;
        failure ??=
          'cause' in end ? end : await this.#work.report(end.result).then(() => undefined, this.#fail);
      } else if (!this.#advance()) {
        // Results are reported when they are there, however long the source takes for its next row.
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
    if (failure !== undefined) throw failure.cause;
  }

  get #isEnding(): boolean {
    return this.#isOver || this.#job.stopping.signal.aborted;
  }

  /** Begins the next item, or reads it, if there is room. */
  #advance(): boolean {
    const unsettled = this.#begun.filter(({ end }) => end === undefined);
    const waiting = unsettled.filter(({ isWaiting }) => isWaiting).length;
    const underWay = unsettled.length - waiting;
    const hasRoom = this.#job.hasRoom(underWay, waiting) && this.#begun.length - underWay < LONGEST_LIST;
    if (this.#isEnding || !hasRoom || this.#isReading) {
      if (underWay === 0 && !this.#isReading) this.#job.sendIfAllWait();
      return false;
    }
    if (this.#next === undefined) void this.#read();
    else void this.#begin(this.#next.item);
    return true;
  }

  async #read(): Promise<void> {
    this.#isReading = true;
    try {
      const { done, value } = await this.#work.items.next();
      if (done === true) this.#isOver = true;
      else this.#next = { item: value };
    } catch (cause) {
      // What was read before it is settled first.
      this.#begun.push({ end: { cause } });
      this.#isOver = true;
    }
    this.#isReading = false;
    this.#wake();
  }

  async #begin(item: Item): Promise<void> {
    const begun: Begun<Result> = {};
    this.#begun.push(begun);
    this.#next = undefined;
    begun.end = await this.#work.work(item, this.#pause(begun)).then((result) => ({ result }), this.#fail);
    this.#wake();
  }

  #pause(begun: Begun<Result>): PauseWork {
    const { signal } = this.#job.stopping;
    return async (index) => {
      signal.throwIfAborted();
      await new Promise<void>((resolve) => {
        const resume = () => {
          begun.isWaiting = false;
          unfollow();
          resolve();
        };
        const unfollow = onAbort(signal, resume);
        begun.isWaiting = true;
        this.#job.whenDue(index, resume);
        this.#wake();
      });
      signal.throwIfAborted();
    };
  }

  readonly #fail = (cause: unknown): { readonly cause: unknown } => {
    this.#job.stopping.abort(cause);
    return { cause };
  };
}
