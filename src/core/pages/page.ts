// The page that a list operation returns, and the promise of it.

import { isCount } from '../../util/numbers.ts';
import { ApiPromise } from '../api-promise.ts';
import type { ClientContext } from '../call.ts';
import { ConfigurationError } from '../errors/base.ts';
import type { Answer } from '../response/read.ts';
import { checkedKey, endable, iterate } from './iteration.ts';
import { readPage, Step } from './step.ts';

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
  readonly nextPage: number | null;
}

/** Where a page comes from. */
const origin = Symbol('origin');

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
  constructor(step: Step<Item>) {
    const { info, size } = step.fetched;
    // A copy, because plain JavaScript may empty it; the iteration continues with what was read.
    this.data = [...step.rows];
    this.page = info.currentPage ?? step.number;
    this.perPage = info.perPage ?? size;
    this.total = info.total;
    this.lastPage = info.end;
    // Hidden, so that a page is printed and compared as its data; frozen, so that no reactive framework wraps it.
    Object.defineProperty(this, origin, { value: Object.freeze({ step }) });
  }

  /**
   * Whether there may be another page. The service's metadata decides; if it is missing or contradicts itself, any page
   * that is not empty may have a successor.
   */
  hasNextPage(): boolean {
    return stepOf(this, 'hasNextPage').next !== 'none';
  }

  /**
   * Fetches the next page, in full whatever `distinct` says; `null` when there is none.
   *
   * @throws {ResponseFormatError} when the rest of the list cannot be read: a page is repeated, or the pages end before
   * the total. Otherwise the list would be cut short silently.
   * @throws {ResponseValidationError} when the metadata contradicts itself: it announces no further page although the
   * total is not reached. With another `validation` than `strict`, `onSchemaDrift` and the log get one report instead,
   * and pages are read until the total is reached or one is empty.
   */
  async nextPage(): Promise<Page<Item> | null> {
    const step = stepOf(this, 'nextPage');
    const next = await step.after((number) => step.fetched.load(number));
    return next && toPage(next);
  }

  /** This page as plain data, also for `JSON.stringify`. */
  toJSON(): PageData<Item> {
    const step = stepOf(this, 'toJSON');
    const { data, page, perPage, total, lastPage } = this;
    return { data, page, perPage, total, lastPage, nextPage: step.next === 'none' ? null : step.number + 1 };
  }

  /**
   * The items from this page on, with the options of the original call: `maxItems`, `maxPages` and `distinct` start at
   * this page.
   */
  [Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    return itemsFrom(this);
  }
}

/** Outside of the class, whose name bundlers change where it names itself. */
function toPage<Item>(step: Step<Item>): Page<Item> {
  return new Page(step);
}

/** Reads the answer of a list operation as the page where an iteration begins. */
export async function readFirstPage<Item>(answer: Answer, context: ClientContext): Promise<Page<Item>> {
  return toPage(new Step(await readPage<Item>(answer, context), null));
}

/** @throws {TypeError} for a method that was taken off its page */
function stepOf<Item>(page: Page<Item>, method: string): Step<Item> {
  const found = Object(page)[origin];
  if (found !== undefined) return found.step;
  throw new TypeError(`${method}() was called without its page: call it as page.${method}().`);
}

/** The pages from `start` on. */
function pagesFrom<Item>(start: Promise<Page<Item>>): AsyncGenerator<Page<Item>, void, undefined> {
  return endable(async function* (controller) {
    const first = stepOf(await start, 'pages');
    for await (const step of iterate(first, first.fetched.options.maxItems, controller)) yield toPage(step);
  });
}

/** The items from `start` on. */
function itemsFrom<Item>(
  start: Page<Item> | Promise<Page<Item>>,
  atMost = Number.POSITIVE_INFINITY,
): AsyncGenerator<Item, void, undefined> {
  return endable(async function* (controller) {
    const first = stepOf(await start, 'next');
    const { options } = first.fetched;
    const maxItems = Math.min(atMost, options.maxItems ?? atMost);
    let left = maxItems;
    for await (const { rows } of iterate(first, maxItems, controller)) {
      for (const item of rows.slice(0, left)) {
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
    return itemsFrom(this.later());
  }

  /**
   * The pages in order. With `maxItems`, the page that reaches the limit comes last and is complete. With `distinct`,
   * the `data` of a page lacks items already returned, and may be empty.
   */
  pages(): AsyncGenerator<Page<Item>, void, undefined> {
    return pagesFrom(this.later());
  }

  /**
   * Collects at most `maxItems` items into an array. The limit is required, because a list may not fit into memory;
   * iterate with `for await` to read a list of any length.
   */
  toArray(options: { readonly maxItems: number }): Promise<Item[]> {
    return this.#collect('toArray', options, (items: Item[], item) => items.push(item), []);
  }

  /**
   * Collects items into a `Map` by key; when several items share a key, the last one wins. Reads at most `maxItems`
   * items. The limit is required, as with `toArray`. An item without a key (`undefined`, `null`) is an error.
   */
  async toMap<Key>(
    keyOf: (item: Item) => Key,
    options: { readonly maxItems: number },
  ): Promise<Map<Key, Item>> {
    if (typeof keyOf !== 'function') {
      this.later();
      throw new ConfigurationError('toMap() needs a function from an item to its key.');
    }
    const add = (map: Map<Key, Item>, item: Item) => map.set(checkedKey(keyOf, item, 'toMap'), item);
    return this.#collect('toMap', options, add, new Map());
  }

  async #collect<Collection>(
    method: string,
    options: { readonly maxItems: number },
    add: (to: Collection, item: Item) => unknown,
    collection: Collection,
  ): Promise<Collection> {
    // Plain JavaScript may omit the limit; then nothing must be sent.
    const maxItems: unknown = options?.maxItems;
    if (!isCount(maxItems)) {
      this.later();
      throw new ConfigurationError(
        `${method}() needs \`maxItems\`, a positive integer: the list may be long.`,
      );
    }
    for await (const item of itemsFrom(this, maxItems)) add(collection, item);
    return collection;
  }
}
