// The page that a list operation returns.

import type { ListOptions } from '../options.ts';
import { iterate } from './iteration.ts';
import { findLastPage } from './page-info.ts';
import type { Step } from './step.ts';

/** The query parameters that hold the page size in the list operations. */
interface SizeQuery {
  readonly limit?: number;
  readonly per_page?: number;
}

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
  readonly #step: Step<Item>;
  readonly #options: ListOptions<never>;

  /** @internal Made by the list operations. */
  constructor(step: Step<Item>, options: ListOptions<never>) {
    const { info, answer } = step.fetched;
    const { limit, per_page: perPage } = answer.call.parts.query as SizeQuery;
    // A copy, because plain JavaScript may empty it; the iteration continues with what was read.
    this.data = [...step.rows];
    this.page = info.currentPage ?? step.number;
    this.perPage = info.perPage ?? limit ?? perPage ?? null;
    this.total = info.total;
    this.lastPage = findLastPage(info);
    this.#step = step;
    this.#options = options;
  }

  /**
   * Whether there may be another page. The service's metadata decides; if it is missing or contradicts itself, any page
   * that is not empty may have a successor.
   */
  hasNextPage(): boolean {
    return this.#step.next !== 'none';
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
    const next = await this.#step.after((number) => this.#step.load(number));
    return next && new Page(next, this.#options);
  }

  /**
   * The items from this page on, with the options of the original call: `maxItems`, `maxPages` and `distinct` start at
   * this page.
   */
  [Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    return Page.items(this);
  }

  /** @internal The pages from `start` on. */
  static async *pages<Item>(
    start: Page<Item> | Promise<Page<Item>>,
  ): AsyncGenerator<Page<Item>, void, undefined> {
    const first = await start;
    for await (const step of iterate(first.#step, first.#options)) yield new Page(step, first.#options);
  }

  /** @internal The items from `start` on. */
  static async *items<Item>(
    start: Page<Item> | Promise<Page<Item>>,
    atMost = Number.POSITIVE_INFINITY,
  ): AsyncGenerator<Item, void, undefined> {
    const first = await start;
    const maxItems = Math.min(atMost, first.#options.maxItems ?? atMost);
    let left = maxItems;
    for await (const { rows } of iterate(first.#step, { ...first.#options, maxItems })) {
      for (const item of rows.slice(0, left)) {
        first.#options.signal?.throwIfAborted();
        yield item;
      }
      left -= rows.length;
    }
  }
}
