import { ApiPromise, type Runner } from './api-promise.ts';
import { ConfigurationError } from './errors/configuration-error.ts';
import type { ResponseFormatError } from './errors/response-format-error.ts';
import { isObject } from './json.ts';
import type { PageInfo } from './page-info.ts';

/** One page as it was fetched. */
export interface FetchedPage<Item> {
  readonly page: number;
  /** The checked items. */
  readonly data: ReadonlyArray<Item>;
  /** The items as they came, by which a repeated page is told. */
  readonly items: ReadonlyArray<unknown>;
  readonly info: PageInfo;
  /** The page size that was asked for; `null` when none was. */
  readonly requestedSize: number | null;
  /** Items of the pages up to this one, counted from page 1; `null` when iteration began later. */
  readonly seen: number | null;
  /** Fetches the page after this one. */
  readonly fetchNext: () => Promise<FetchedPage<Item>>;
  /** Makes the error for a list that cannot be continued. */
  readonly fail: (problem: string) => ResponseFormatError;
}

/** One page of a list. */
export class Page<Item> {
  /** The items of this page. */
  readonly data: ReadonlyArray<Item>;
  /** Number of this page; the first is 1. */
  readonly page: number;
  /** Items per page: what the service says, else what was asked for; `null` when neither is known. */
  readonly perPage: number | null;
  /** Items on all pages; `null` when the service does not say. */
  readonly total: number | null;
  /** Number of the last page; `null` when the service does not say. */
  readonly lastPage: number | null;
  readonly #fetched: FetchedPage<Item>;

  /** Made by the list operations. */
  constructor(fetched: FetchedPage<Item>) {
    const { data, page, info, requestedSize } = fetched;
    this.data = data;
    this.page = page;
    this.perPage = info.perPage ?? requestedSize;
    this.total = info.total;
    this.lastPage = info.lastPage ?? countPages(info);
    this.#fetched = fetched;
  }

  /**
   * Whether there may be another page. The service's metadata decides; without any, every page that is not
   * empty may be followed by one.
   */
  hasNextPage(): boolean {
    if (this.lastPage !== null) return this.page < this.lastPage;
    return this.#fetched.info.hasNextLink ?? this.data.length > 0;
  }

  /**
   * Fetches the page after this one; `null` when there is none.
   *
   * @throws ResponseFormatError when the service's metadata says that there is more, but the same page comes
   * again or the pages end before the total: the list would otherwise be cut short silently.
   */
  async nextPage(): Promise<Page<Item> | null> {
    if (!this.hasNextPage()) return null;
    const next = await this.#fetched.fetchNext();
    const { info, items, fail } = next;
    const isPaged = info.lastPage !== null || info.hasNextLink !== null;
    const isIncomplete =
      info.total !== null && this.#fetched.seen !== null && this.#fetched.seen < info.total;
    if (items.length > 0 && isSamePage(items, this.#fetched.items)) {
      if (isPaged || isIncomplete) {
        throw fail(
          `page ${next.page} repeats page ${this.page}, although its metadata says that there is more: ` +
            'the service does not page this list by number, so the rest of it cannot be read',
        );
      }
      return null;
    }
    if (items.length === 0 && !isPaged && countPages(info) === null) {
      if (isIncomplete) {
        throw fail(
          `the pages ended after ${this.#fetched.seen} items, although its metadata counts ${info.total}`,
        );
      }
      return null;
    }
    return new Page(next);
  }
}

function countPages({ total, perPage }: PageInfo): number | null {
  return total !== null && perPage ? Math.max(1, Math.ceil(total / perPage)) : null;
}

function isSamePage(a: ReadonlyArray<unknown>, b: ReadonlyArray<unknown>): boolean {
  return a.length === b.length && a.every((item, index) => isSameItem(item, b[index]));
}

/** Items are the same when their ids are; fields such as a time of retrieval may differ. */
function isSameItem(a: unknown, b: unknown): boolean {
  if (isObject(a) && isObject(b) && a['id'] !== undefined) return a['id'] === b['id'];
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Where an iteration ends, if not at the end of the list. */
export interface IterationBounds {
  readonly maxItems?: number | undefined;
  readonly maxPages?: number | undefined;
}

/**
 * The promise of a list operation. Awaited, it gives one `Page`; iterated with `for await`, every item from
 * that page on, fetching further pages as they are needed.
 */
export class PagePromise<Item> extends ApiPromise<Page<Item>> implements AsyncIterable<Item> {
  readonly #maxItems: number;
  readonly #maxPages: number;

  /** Made by the list operations. */
  constructor(runner: Runner<Page<Item>>, { maxItems, maxPages }: IterationBounds) {
    super(runner);
    this.#maxItems = maxItems ?? Number.POSITIVE_INFINITY;
    this.#maxPages = maxPages ?? Number.POSITIVE_INFINITY;
  }

  /** The items, page after page. */
  [Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    return this.#items(this.#maxItems);
  }

  /** The pages, one after the other. */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let page: Page<Item> | null = await this;
    for (let count = 1; page !== null; count += 1) {
      yield page;
      page = count < this.#maxPages ? await page.nextPage() : null;
    }
  }

  /**
   * Collects items into an array, at most `maxItems` of them. The bound is mandatory, because a list may hold
   * more than the memory does; iterate with `for await` to read a list of any length.
   */
  toArray(options: { readonly maxItems: number }): Promise<Item[]> {
    // Plain JavaScript may call it without the bound; then nothing must be sent.
    const maxItems: unknown = options?.maxItems;
    if (!isCount(maxItems)) {
      return this.refuse(
        new ConfigurationError('toArray() needs `maxItems`, a positive integer: the list may be long.'),
      );
    }
    return this.#collect(Math.min(maxItems, this.#maxItems));
  }

  async #collect(maxItems: number): Promise<Item[]> {
    const items: Item[] = [];
    for await (const item of this.#items(maxItems)) items.push(item);
    return items;
  }

  async *#items(maxItems: number): AsyncGenerator<Item, void, undefined> {
    let left = maxItems;
    for await (const page of this.pages()) {
      for (const item of page.data) {
        yield item;
        left -= 1;
        if (left <= 0) return;
      }
    }
  }
}

/** Refuses a bound that would not bound anything. */
export function checkBounds(bounds: IterationBounds): void {
  for (const name of ['maxItems', 'maxPages'] as const) {
    const value: unknown = bounds[name];
    if (value !== undefined && !isCount(value)) {
      throw new ConfigurationError(`\`${name}\` must be a positive integer.`);
    }
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
