import type { ListOptions } from '../options.ts';
import { iterate } from './iteration.ts';
import { findLastPage } from './page-info.ts';
import type { Step } from './step.ts';

/** What the list operations call the size of a page in their queries. */
interface SizeQuery {
  readonly limit?: number;
  readonly per_page?: number;
}

/** One page of a list. Iterated with `for await`, it gives every item from this page on. */
export class Page<Item> implements AsyncIterable<Item> {
  /** The items of this page. */
  readonly data: readonly Item[];
  /** Number of this page, the first being 1: what the service says, else what was asked for. */
  readonly page: number;
  /** Items per page: what the service says, else what was asked for; `null` when neither is known. */
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
    // A copy, because plain JavaScript may empty it; an iteration goes on with what was read.
    this.data = [...step.rows];
    this.page = info.currentPage ?? step.number;
    this.perPage = info.perPage ?? limit ?? perPage ?? null;
    this.total = info.total;
    this.lastPage = findLastPage(info);
    this.#step = step;
    this.#options = options;
  }

  /**
   * Whether there may be another page. The service's metadata decides; without any, or where it contradicts itself, every
   * page that is not empty may be followed by one.
   */
  hasNextPage(): boolean {
    return this.#step.next !== 'none';
  }

  /**
   * Fetches the page after this one, whole whatever `distinct` says; `null` when there is none.
   *
   * @throws {ResponseFormatError} when there is more of the list that cannot be read: a page comes again, or the pages end
   * before the total. The list would otherwise be cut short silently.
   * @throws {ResponseValidationError} when the metadata contradicts itself, naming no further page beside a total that is
   * not reached. With another `validation` than `strict`, `onSchemaDrift` and the log are told once instead, and the pages
   * are read until the total is reached or one is empty.
   */
  async nextPage(): Promise<Page<Item> | null> {
    const next = await this.#step.after((number) => this.#step.load(number));
    return next && new Page(next, this.#options);
  }

  /**
   * The items from this page on, by the options of the call that gave it: `maxItems`, `maxPages` and `distinct` count from
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
