// The page that a list operation returns, and the promise of it.

import { ApiPromise } from '../api-promise.ts';
import { aBoolean, aCount, aFunction, expectObjects, readOptions, withDefault } from '../check.ts';
import type { ResponseToRead } from '../response/read.ts';
import { readPage } from './fetched-page.ts';
import { cancellable, checkedKey, idOf, iterate } from './iteration.ts';
import { lastPageOf, type PlacedPage, placeAfter, placeFirst } from './next-page.ts';
import { type Collector, collectUntilStable } from './until-stable.ts';

/** A page as plain data, which survives `JSON.stringify`, caches and server rendering. */
export interface PageData<Item> {
  /** The items of this page. */
  readonly data: readonly Item[];
  /** Number of this page, from 1. */
  readonly page: number;
  /** Items per page; `null` when it is not known. */
  readonly perPage: number | null;
  /** Items on all pages; `null` when the service does not say. */
  readonly total: number | null;
  /** Number of the last page; `null` when the service does not say. */
  readonly lastPage: number | null;
  /** Number of the next page, as `page` for the list operation; `null` when there is none. */
  readonly nextPageNumber: number | null;
}

/** How a list is collected. */
export interface CollectOptions {
  /** Most items to hold. */
  readonly maxItems: number;
  /**
   * Reads the list again until a pass adds nothing that was there when the first began, five times at most: use it before you act on
   * what is not in the list. An item that moves to another page while a pass is read may be missing from it. A list that does not
   * change is read twice.
   *
   * - The result holds the items of all passes, each as the latest pass showed it, including those deleted meanwhile.
   * - Items made meanwhile, whose `id` is an integer above all of the first pass, are added and need no further pass.
   * - A pass that shows more items on two pages than its `total` rose does not count: items moved, or the order is not stable.
   * - With a function as `distinct`, two different items of one page with the same key are an error.
   * - More than `maxItems` items are an error, and so are the options `page` and `maxPages`.
   * @default false
   */
  readonly untilStable?: boolean | undefined;
}

/** Where a page keeps its place. */
const position = Symbol('position');

/** One page of a list. Iterate over it with `for await` for every item from this page on. */
export class Page<Item> implements AsyncIterable<Item> {
  /** The items of this page. */
  readonly data: readonly Item[];
  /** Number of this page, from 1: as stated by the service, otherwise as requested. */
  readonly page: number;
  /** Items per page: as stated by the service, otherwise as requested; `null` when neither is known. */
  readonly perPage: number | null;
  /** Items on all pages; `null` when the service does not say. */
  readonly total: number | null;
  /** Number of the last page; `null` when the service does not say. */
  readonly lastPage: number | null;

  /** @internal Made by the list operations. */
  constructor(placed: PlacedPage<Item>) {
    const { number, limit, info } = placed.fetched;
    // A copy, because plain JavaScript may empty it; the iteration continues with what was read.
    this.data = placed.rows.map(({ item }) => item);
    this.page = info.currentPage ?? number;
    this.perPage = info.perPage ?? limit;
    this.total = info.total;
    this.lastPage = lastPageOf(placed.info, info.perPage);
    // Hidden, so that a page is printed and compared as its data; frozen, so that no reactive framework wraps it.
    Object.defineProperty(this, position, { value: Object.freeze({ placed }) });
  }

  /**
   * Whether there may be another page. The service's metadata decides; without any, every page that is not empty may have a
   * successor.
   */
  hasNextPage(): boolean {
    return placeOf(this).next !== 'none';
  }

  /**
   * Fetches the next page, in full even with `distinct`; `null` when there is none.
   *
   * @throws {ResponseFormatError} when the rest of the list cannot be read: a page that the metadata announces is empty or
   * repeats the one before it. Otherwise the list would be cut short silently. With another `validation` than `strict`, an empty
   * page ends the list and is reported.
   * @throws {ResponseValidationError} when the metadata contradicts itself: its total is more than its pages hold or less than the
   * page has. With another `validation` than `strict`, `onSchemaDrift` and the log get a report instead, and `last_page` or the
   * link to a next page counts.
   */
  async nextPage(): Promise<Page<Item> | null> {
    let placed: PlacedPage<Item> | null = placeOf(this);
    do {
      if (placed.next === 'none') return null;
      const { fetched }: PlacedPage<Item> = placed;
      placed = placeAfter(placed, await fetched.load(fetched.number + 1));
    } while (placed?.isRepeat);
    return placed && toPage(placed);
  }

  /** This page as plain data, also for `JSON.stringify`. */
  toJSON(): PageData<Item> {
    const { next, fetched } = placeOf(this);
    return { ...this, nextPageNumber: next === 'none' ? null : fetched.number + 1 };
  }

  /**
   * The items from this page on, with the options of the original call: `maxItems`, `maxPages` and `distinct` start at
   * this page.
   */
  [Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    return itemsFrom(this);
  }
}

/** Outside of the class: bundlers rename a class that refers to itself. */
function toPage<Item>(placed: PlacedPage<Item>): Page<Item> {
  return new Page(placed);
}

/** Reads the response of a list operation as the page where an iteration begins. */
export async function readFirstPage<Item>(response: ResponseToRead): Promise<Page<Item>> {
  return toPage(placeFirst(await readPage<Item>(response)));
}

/** The place of a page in its list. */
export function placeOf<Item>(page: Page<Item>): PlacedPage<Item> {
  return Object(page)[position].placed;
}

/** The items from `start` on. */
function itemsFrom<Item>(
  start: Page<Item> | Promise<Page<Item>>,
  atMost = Number.POSITIVE_INFINITY,
): AsyncGenerator<Item, void, undefined> {
  return cancellable(async function* (controller) {
    const first = placeOf(await start);
    const { options } = first.fetched;
    const maxItems = Math.min(atMost, options.maxItems ?? atMost);
    let left = maxItems;
    for await (const { rows } of iterate(first, maxItems, controller)) {
      for (const { item } of rows.slice(0, left)) {
        if (options.signal?.aborted) throw options.signal.reason;
        yield item;
      }
      left -= rows.length;
    }
  });
}

/**
 * The promise of a list operation. Await it for one `Page`; iterate over it with `for await` for every item from that
 * page on. Further pages are fetched as needed.
 */
export class PagePromise<Item> extends ApiPromise<Page<Item>> implements AsyncIterable<Item> {
  /** Every item, page after page. */
  [Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    return itemsFrom(this.withoutUnhandledRejection());
  }

  /**
   * The pages in order. With `maxItems`, the page that reaches the limit comes last and is complete. With `distinct`,
   * the `data` of a page lacks items already returned, and may be empty.
   */
  pages(): AsyncGenerator<Page<Item>, void, undefined> {
    const start = this.withoutUnhandledRejection();
    return cancellable(async function* (controller) {
      const first = placeOf(await start);
      for await (const page of iterate(first, first.fetched.options.maxItems, controller)) yield toPage(page);
    });
  }

  /**
   * Collects at most `maxItems` items into an array. The limit is required, because a list may not fit into memory;
   * iterate with `for await` to read a list of any length. `untilStable` reads the list until nothing is missing.
   *
   * @throws {ConfigurationError} without the limit; with `untilStable`, also for a list of more items
   * @throws {ResponseFormatError} with `untilStable`, for a list that changes too fast for five passes (`retryable`) or whose pages
   * overlap in each of them, and for an item without an `id` in a list without `distinct`
   */
  async toArray(options: CollectOptions): Promise<Item[]> {
    const items = new Map<unknown, Item>();
    const add: Collector<Item>['add'] = (row, key, page) =>
      items.size < items.set(key ?? idOf(row, page), row.item).size;
    await collect(this.withoutUnhandledRejection(), 'toArray', options, add);
    return [...items.values()];
  }

  /**
   * Collects items into a `Map` by key; when several items share a key, the last one wins. Reads at most `maxItems`
   * items. The limit is required, as with `toArray`; `untilStable` reads the list until a pass adds no key.
   *
   * @throws {ConfigurationError} without the limit, and for an item without a key (`undefined`, `null`) or with one that is not exact
   * (`NaN`, a number above 2^53); with `untilStable`, also for a list of more items
   * @throws {ResponseFormatError} with `untilStable`, as `toArray`; but items need no `id`
   */
  async toMap<Key>(keyOf: (item: Item) => Key, options: CollectOptions): Promise<Map<Key, Item>> {
    const start = this.withoutUnhandledRejection();
    aFunction(keyOf, 'keyOf');
    const map = new Map<Key, Item>();
    const add: Collector<Item>['add'] = ({ item }) =>
      map.size < map.set(checkedKey(keyOf, item, 'toMap'), item).size;
    await collect(start, 'toMap', options, add);
    return map;
  }
}

/** Adds the items of a list: those of all passes, or at most `maxItems`, each with a key of its own. */
async function collect<Item>(
  start: Promise<Page<Item>>,
  caller: string,
  options: CollectOptions,
  add: Collector<Item>['add'],
): Promise<void> {
  expectObjects(`${caller} needs the option \`maxItems\``, options);
  const { maxItems, untilStable } = readOptions(`the options of ${caller}`, options, {
    maxItems: aCount(),
    untilStable: withDefault(aBoolean, false),
  });
  const first = placeOf(await start);
  if (untilStable) return collectUntilStable(first, { caller, maxItems, add });
  for await (const item of itemsFrom(start, maxItems)) add({ sent: item, item }, {}, first.fetched);
}
