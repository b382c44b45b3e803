import { isCount } from '../../util/numbers.ts';
import { ApiPromise, type Runner } from '../api-promise.ts';
import { ConfigurationError } from '../errors/configuration-error.ts';
import type { Page } from './page.ts';
import { PagesAhead } from './pages-ahead.ts';

/** Where an iteration ends, if not at the end of the list, and how many pages it asks for at once. */
export interface IterationBounds {
  readonly maxItems?: number | undefined;
  readonly maxPages?: number | undefined;
  readonly concurrency?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The promise of a list operation. Awaited, it gives one `Page`; iterated with `for await`, every item from
 * that page on, fetching further pages as they are needed.
 */
export class PagePromise<Item> extends ApiPromise<Page<Item>> implements AsyncIterable<Item> {
  readonly #maxItems: number;
  readonly #maxPages: number;
  readonly #concurrency: number;
  readonly #signal: AbortSignal | undefined;

  /** @internal Made by the list operations. */
  constructor(runner: Runner<Page<Item>>, { maxItems, maxPages, concurrency = 1, signal }: IterationBounds) {
    super(runner);
    this.#maxItems = maxItems ?? Number.POSITIVE_INFINITY;
    this.#maxPages = maxPages ?? Number.POSITIVE_INFINITY;
    this.#concurrency = concurrency;
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
    const ahead = new PagesAhead<Item>(this.#concurrency, this.#signal);
    let left = maxItems;
    let size = 1;
    try {
      for (let count = 1; page !== null; count += 1) {
        left -= page.data.length;
        size = Math.max(size, page.data.length);
        const wanted = Math.min(Math.ceil(left / size), this.#maxPages - count);
        ahead.prepare(page, wanted);
        yield page;
        page = wanted > 0 ? await ahead.after(page, wanted) : null;
      }
    } finally {
      ahead.stop();
    }
  }
}
