// Iterates over the pages of a list, and fetches some of them ahead.

import { prefetchCancelled } from '../call.ts';
import { ConfigurationError } from '../errors/base.ts';
import type { ListOptions } from '../options/client-options.ts';
import { onAbort } from '../time.ts';
import { type FetchedPage, readId, type Step } from './step.ts';

/** A generator that `return` ends at once, also while it waits for a further page: whatever it has in flight is cancelled. */
export function endable<T>(
  run: (controller: AbortController) => AsyncGenerator<T, void, undefined>,
): AsyncGenerator<T, void, undefined> {
  const controller = new AbortController();
  const generator = run(controller);
  const end = generator.return;
  // Not by assignment, which cannot shadow what is frozen.
  return Object.defineProperty(generator, 'return', {
    value(value: undefined) {
      controller.abort(prefetchCancelled);
      return end.call(generator, value);
    },
  });
}

/** Iterates over pages. With `maxItems`, the page that reaches the limit comes last and is complete. */
export async function* iterate<Item>(
  first: Step<Item>,
  maxItems: number | undefined,
  controller: AbortController,
): AsyncGenerator<Step<Item>, void, undefined> {
  const { maxPages = Number.POSITIVE_INFINITY, concurrency = 1, signal, distinct } = first.fetched.options;
  const ahead = fetchAhead<Item>(concurrency, signal, controller);
  const given = new Set<unknown>();
  let step: Step<Item> | null = first;
  let left = maxItems ?? Number.POSITIVE_INFINITY;
  let size = 1;
  try {
    for (let count = 1; step !== null; count += 1) {
      if (distinct !== undefined) leaveOut(step, distinct, given);
      left -= step.rows.length;
      size = Math.max(size, step.fetched.data.length);
      const wanted = Math.min(Math.ceil(left / size), maxPages - count);
      ahead.prepare(step, wanted);
      yield step;
      step = wanted > 0 ? await ahead.after(step, wanted) : null;
    }
  } catch (error) {
    if (error !== prefetchCancelled) throw error;
  } finally {
    controller.abort(prefetchCancelled);
  }
}

/** Removes rows whose keys are in `given`. */
function leaveOut<Item>(
  step: Step<Item>,
  distinct: NonNullable<ListOptions<never>['distinct']>,
  given: Set<unknown>,
): void {
  step.rows = step.rows.filter((item) => {
    const { size } = given;
    const key = distinct === true ? idOf(item, step) : checkedKey(distinct, item as never, 'distinct');
    return given.add(key).size > size;
  });
}

/**
 * The key that a function of the caller gives for an item.
 *
 * @throws {ConfigurationError} for none, which would make one of all items, and for a promise, which is never the same
 */
export function checkedKey<Item, Key>(of: (item: Item) => Key, item: Item, where: string): Key {
  const key = of(item);
  if (key !== undefined && key !== null && typeof Object(key).then !== 'function') return key;
  throw new ConfigurationError(`\`${where}\` must give a key for each item: it gave ${key}.`);
}

/** @throws {ResponseFormatError} for an item without an id, which can be neither kept nor skipped */
function idOf(item: unknown, { fetched }: Step<unknown>): unknown {
  const id = readId(item);
  if (id !== null) return id;
  throw fetched.fail(
    'an item has no `id`, which `distinct: true` compares; use `distinct: (item) => key` instead',
  );
}

/** Fetches the pages of one iteration, some of them ahead. `controller` cancels whatever is in flight when it ends. */
function fetchAhead<Item>(concurrency: number, signal: AbortSignal | undefined, controller: AbortController) {
  /** The pages after the one that is read, in their order. */
  const pending: Promise<FetchedPage<Item>>[] = [];
  let firstFailed = Number.POSITIVE_INFINITY;

  /** Without `await`, as each adds a line to the stack of an error, which is cut off after ten: the caller's is to be among them. */
  const fetch = (step: Step<Item>, number: number): Promise<FetchedPage<Item>> => {
    // Followed while the page is on its way and no longer: the signal may outlive an iterator that was given up.
    const unfollow = signal && onAbort(signal, () => controller.abort(signal.reason));
    const fail = (error: unknown) => {
      firstFailed = Math.min(firstFailed, number);
      throw error;
    };
    return step.fetched.load(number, controller.signal).catch(fail).finally(unfollow);
  };
  /** Starts fetching pages up to `count` after `step`; those up to `last` are under way or read. */
  const start = (step: Step<Item>, last: number, count: number): void => {
    if (signal?.aborted) return;
    const end = Math.min(step.horizon, step.number + count, firstFailed);
    for (let number = last + pending.length + 1; number <= end; number += 1) {
      const page = fetch(step, number);
      // A failure surfaces when the iteration gets there; until then nobody handles it.
      page.catch(() => {});
      pending.push(page);
    }
  };
  return {
    /** Starts fetching the pages after `step`; at most `wanted` of them will be read. */
    prepare(step: Step<Item>, wanted: number): void {
      start(step, step.number, Math.min(wanted, concurrency - 1));
    },
    /** The page after `step`; the pages after that are fetched meanwhile. */
    after(step: Step<Item>, wanted: number): Promise<Step<Item> | null> {
      return step.after(async (number) => {
        if (signal?.aborted) throw signal.reason;
        const page = pending.shift() ?? fetch(step, number);
        start(step, number, Math.min(wanted, concurrency));
        return page;
      });
    },
  };
}
