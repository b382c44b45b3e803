// Iterates over the pages of a list, and prefetches some of them.

import { captureStack } from '../../util/errors.ts';
import { ConfigurationError, isExamServiceError } from '../errors/base.ts';
import type { ListOptions } from '../options/client-options.ts';
import type { Row } from '../response/read.ts';
import { isThenable, onAbort, prefetchCancelled } from '../time.ts';
import type { FetchedPage } from './fetched-page.ts';
import { readId } from './metadata.ts';
import { type PlacedPage, placeAfter } from './next-page.ts';

/** A generator that `return` ends immediately, also while it waits for a further page: requests in flight are cancelled. */
export function cancellable<T>(
  run: (controller: AbortController) => AsyncGenerator<T, void, undefined>,
): AsyncGenerator<T, void, undefined> {
  const controller = new AbortController();
  const generator = run(controller);
  const end = generator.return;
  return Object.assign(generator, {
    return(value: undefined) {
      controller.abort(prefetchCancelled);
      return end.call(generator, value);
    },
  });
}

/** Iterates over pages. With `maxItems`, the page that reaches the limit comes last and is complete. */
export async function* iterate<Item>(
  first: PlacedPage<Item>,
  maxItems: number | undefined,
  controller: AbortController,
): AsyncGenerator<PlacedPage<Item>, void, undefined> {
  const { maxPages = Number.POSITIVE_INFINITY, distinct } = first.fetched.options;
  const isDistinct = distinct !== undefined && !first.isInPass;
  const pages = new Prefetcher<Item>(first.fetched.options, controller);
  const seen = new Set<unknown>();
  let page: PlacedPage<Item> | null = first;
  let left = maxItems ?? Number.POSITIVE_INFINITY;
  let size = 1;
  try {
    // Skipped pages count, or a list that grows with each request would never end.
    for (let count = 1; page !== null; count += 1) {
      const { fetched, isRepeat, rows: all }: PlacedPage<Item> = page;
      const isFirst = (row: Row<Item>) => seen.size < seen.add(keyOf(row, fetched)).size;
      const rows = isDistinct && !isRepeat ? all.filter(isFirst) : all;
      if (!isRepeat) left -= rows.length;
      size = Math.max(size, fetched.rows.length);
      const wanted = Math.min(Math.ceil(left / size), maxPages - count);
      pages.prepare(page, wanted);
      if (!isRepeat) yield { ...page, rows };
      page = wanted > 0 ? await pages.after(page, wanted) : null;
    }
  } catch (error) {
    if (error !== prefetchCancelled) throw error;
  } finally {
    controller.abort(prefetchCancelled);
  }
}

/** What distinguishes a row: its key of `distinct`, without that its `id`; `null` without either. */
export function keyOf(row: Row<unknown>, fetched: FetchedPage<unknown>): unknown {
  const { distinct } = fetched.options;
  if (distinct === undefined) return readId(row.sent);
  return distinct === true ? idOf(row, fetched) : checkedKey(distinct, row.item as never, 'distinct');
}

/**
 * The key that the key function of a caller returns for an item.
 *
 * @throws {ConfigurationError} for no key, for a number that is not exact (other items would have the same), and for a promise (no
 * two are the same)
 */
export function checkedKey<Item, Key>(of: (item: Item) => Key, item: Item, caller: string): Key {
  const key = of(item);
  const isExact = typeof key !== 'number' || Math.abs(key) <= Number.MAX_SAFE_INTEGER;
  if (key !== undefined && key !== null && !isThenable(key) && isExact) return key;
  throw new ConfigurationError(
    `The key function of \`${caller}\` returned ${key}: return a text, or a number up to 2^53.`,
  );
}

/** @throws {ResponseFormatError} for an item without an exact id, which can be neither kept nor skipped */
export function idOf({ sent }: Row<unknown>, { fail }: FetchedPage<unknown>): unknown {
  const id = readId(sent);
  if (id !== null) return id;
  throw fail('an item has no `id` to compare, or one above 2^53; use `distinct: (item) => key` instead');
}

/** A page that is being fetched. */
interface PendingPage<Item> {
  /** Never rejects: the iteration throws a failure when it reaches the page, and before that a rejection would be unhandled. */
  readonly result: Promise<{ readonly fetched: FetchedPage<Item> } | { readonly error: unknown }>;
  hasFailed: boolean;
}

/** Fetches the pages of one iteration, some of them ahead. `controller` cancels those in flight when it ends. */
class Prefetcher<Item> {
  readonly #options: ListOptions<never>;
  readonly #controller: AbortController;
  /** The pages after the one that is read, in their order. */
  readonly #pending: PendingPage<Item>[] = [];

  constructor(options: ListOptions<never>, controller: AbortController) {
    this.#options = options;
    this.#controller = controller;
  }

  /** Starts fetching pages after `page`, while that is worked on; at most `wanted` of them will be read. */
  prepare(page: PlacedPage<Item>, wanted: number): void {
    const { concurrency = 1, signal } = this.#options;
    if (!signal?.aborted) this.#start(page, Math.min(wanted, concurrency - 1));
  }

  /** The page after `page`; those after that are fetched meanwhile. */
  async after(page: PlacedPage<Item>, wanted: number): Promise<PlacedPage<Item> | null> {
    if (page.next === 'none') return null;
    const { concurrency = 1, signal } = this.#options;
    if (signal?.aborted) throw signal.reason;
    this.#start(page, Math.min(wanted, concurrency));
    const arrived = await (this.#pending.shift() ?? this.#fetch(page, page.fetched.number + 1)).result;
    if ('fetched' in arrived) return placeAfter(page, arrived.fetched);
    // Nobody waited for it when it failed.
    if (isExamServiceError(arrived.error)) captureStack(arrived.error);
    throw arrived.error;
  }

  /**
   * Starts fetching up to `count` pages after `page`, and none beyond one that failed. Where no number says the end, only the next
   * page is fetched: those after it may not exist.
   */
  #start(page: PlacedPage<Item>, count: number): void {
    const { number } = page.fetched;
    const known = Number.isFinite(page.end) ? page.end : number + 1;
    const end = Math.min(known, number + count);
    const pending = this.#pending;
    while (number + pending.length < end && !pending.some(({ hasFailed }) => hasFailed))
      pending.push(this.#fetch(page, number + pending.length + 1));
  }

  // Exactly one promise waits for each promise on the way to the caller, and few by `await`: it adds a line to the stack of an
  // error, which keeps ten, and the caller's must be among them.
  #fetch({ fetched }: PlacedPage<Item>, number: number): PendingPage<Item> {
    const { signal } = this.#options;
    const controller = this.#controller;
    // Followed only while the page is fetched: the signal may outlive an abandoned iterator.
    const unfollow = signal && onAbort(signal, () => controller.abort(signal.reason));
    const fail = (error: unknown) => {
      pending.hasFailed = true;
      return { error };
    };
    const loaded = fetched.load(number, controller.signal).finally(unfollow);
    const pending = { result: loaded.then((page) => ({ fetched: page }), fail), hasFailed: false };
    return pending;
  }
}
