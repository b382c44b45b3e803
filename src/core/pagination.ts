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
  /** Number of this page, the first being 1: what the service says, else what was asked for. */
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
    this.page = info.currentPage ?? page;
    this.perPage = info.perPage ?? requestedSize;
    this.total = info.total;
    this.lastPage = findLastPage(info);
    this.#fetched = fetched;
  }

  /**
   * Whether there may be another page. The service's metadata decides; without any, every page that is not
   * empty may be followed by one.
   */
  hasNextPage(): boolean {
    const { info, seen } = this.#fetched;
    if (info.lastPage !== null) return this.page < info.lastPage;
    if (info.hasNextLink !== null) return info.hasNextLink;
    if (info.total !== null && seen !== null) return seen < info.total;
    return this.lastPage === null ? this.data.length > 0 : this.page < this.lastPage;
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
    const { info, items, page, fail } = next;
    // The list became shorter meanwhile; some services then repeat their last page.
    if (info.lastPage !== null && page > info.lastPage) return null;
    if (items.length > 0 && !isSamePage(items, this.#fetched.items)) return new Page(next);
    const isAnnounced = announces(info, page);
    if (items.length === 0 && isAnnounced) return new Page(next);
    const { seen } = this.#fetched;
    const isIncomplete = isAnnounced ?? (info.total !== null && seen !== null && seen < info.total);
    if (!isIncomplete) return null;
    throw fail(
      items.length === 0
        ? `the pages ended after ${seen} items, although its metadata counts ${info.total}`
        : `page ${page} repeats page ${page - 1}, although its metadata says that there is more: ` +
            'the service does not page this list by number, so the rest of it cannot be read',
    );
  }
}

function findLastPage({ lastPage, total, perPage }: PageInfo): number | null {
  return lastPage ?? (total !== null && perPage ? Math.max(1, Math.ceil(total / perPage)) : null);
}

/** Whether a page's own metadata says that the list reaches that far; `null` when it does not say. */
function announces(info: PageInfo, page: number): boolean | null {
  const lastPage = findLastPage(info);
  return lastPage === null ? info.hasNextLink : page <= lastPage;
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
  readonly signal?: AbortSignal | undefined;
}

/**
 * The promise of a list operation. Awaited, it gives one `Page`; iterated with `for await`, every item from
 * that page on, fetching further pages as they are needed.
 */
export class PagePromise<Item> extends ApiPromise<Page<Item>> implements AsyncIterable<Item> {
  readonly #maxItems: number;
  readonly #maxPages: number;
  readonly #signal: AbortSignal | undefined;

  /** Made by the list operations. */
  constructor(runner: Runner<Page<Item>>, { maxItems, maxPages, signal }: IterationBounds) {
    super(runner);
    this.#maxItems = maxItems ?? Number.POSITIVE_INFINITY;
    this.#maxPages = maxPages ?? Number.POSITIVE_INFINITY;
    this.#signal = signal;
  }

  /** The items, page after page. */
  [Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    return this.#items(this.#maxItems);
  }

  /** The pages, one after the other. With `maxItems`, the page that reaches it is the last, and is whole. */
  pages(): AsyncGenerator<Page<Item>, void, undefined> {
    return this.#pages(this.#maxItems);
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
    for await (const page of this.#pages(maxItems)) {
      for (const item of page.data.slice(0, left)) {
        this.#signal?.throwIfAborted();
        yield item;
      }
      left -= page.data.length;
    }
  }

  async *#pages(maxItems: number): AsyncGenerator<Page<Item>, void, undefined> {
    let page: Page<Item> | null = await this;
    let left = maxItems;
    for (let count = 1; page !== null; count += 1) {
      yield page;
      left -= page.data.length;
      page = left > 0 && count < this.#maxPages ? await page.nextPage() : null;
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
