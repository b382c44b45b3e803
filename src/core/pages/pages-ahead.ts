import { onAbort } from '../attempt/deadline.ts';
import type { FetchedPage, Step } from './step.ts';

/** Fetches the pages of one iteration, some of them ahead. */
export class PagesAhead<Item> {
  readonly #concurrency: number;
  readonly #signal: AbortSignal | undefined;
  /** Cancels whatever is in flight when the iteration ends. */
  readonly #controller = new AbortController();
  /** The pages after the one that is read, in their order. */
  readonly #pending: Promise<FetchedPage<Item>>[] = [];
  #unfollow: (() => void) | undefined;
  #firstFailed = Number.POSITIVE_INFINITY;

  constructor(concurrency: number, signal: AbortSignal | undefined) {
    this.#concurrency = concurrency;
    this.#signal = signal;
    if (signal?.aborted) this.#controller.abort(signal.reason);
    else if (signal !== undefined) {
      this.#unfollow = onAbort(signal, () => this.#controller.abort(signal.reason));
    }
  }

  /** Starts fetching the pages after `step`; at most `wanted` of them will be read. */
  prepare(step: Step<Item>, wanted: number): void {
    this.#start(step, Math.min(wanted, this.#concurrency - 1));
  }

  /** The page after `step`; the pages after that are fetched meanwhile. */
  async after(step: Step<Item>, wanted: number): Promise<Step<Item> | null> {
    return step.after(async (number) => {
      this.#signal?.throwIfAborted();
      this.#start(step, Math.min(wanted, this.#concurrency));
      return this.#pending.shift() ?? this.#fetch(step, number);
    });
  }

  /** Cancels what is in flight. */
  stop(): void {
    this.#unfollow?.();
    this.#controller.abort();
  }

  #start(step: Step<Item>, count: number): void {
    const end = Math.min(step.horizon, step.number + count, this.#firstFailed);
    for (let number = step.number + this.#pending.length + 1; number <= end; number += 1) {
      this.#pending.push(this.#fetch(step, number));
    }
  }

  #fetch(step: Step<Item>, number: number): Promise<FetchedPage<Item>> {
    const fetching = step.load(number, this.#controller.signal);
    // The failure surfaces when the iteration gets there; until then nobody handles it.
    fetching.catch(() => {
      this.#firstFailed = Math.min(this.#firstFailed, number);
    });
    return fetching;
  }
}
