import { isObject } from '../../util/json.ts';
import type { Answer } from '../answer/answer.ts';
import type { ReadList } from '../answer/read.ts';
import type { Call } from '../call.ts';
import { ResponseFormatError } from '../errors/response-format-error.ts';
import type { PageInfo } from './page-info.ts';

/** One page as it was fetched. */
export interface FetchedPage<Item> extends ReadList<Item> {
  readonly answer: Answer;
  /** Fetches another page of the same list. */
  readonly load: (call: Call) => Promise<FetchedPage<Item>>;
}

/** Fetches the page of this number. */
export type FetchPage<Item> = (page: number) => Promise<FetchedPage<Item>>;

/** What the list operations have in common in their queries. */
interface ListQuery {
  readonly page?: number;
  readonly limit?: number;
  readonly per_page?: number;
}

/** One page of a list. */
export class Page<Item> {
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
  readonly #fetched: FetchedPage<Item>;
  /** Number that was asked for. */
  readonly #number: number;
  /** Items of the pages up to this one, counted from page 1; `null` when iteration began later. */
  readonly #seen: number | null;

  /** @internal Made by the list operations, of a page that was fetched and the one before it in an iteration. */
  constructor(fetched: FetchedPage<Item>, before?: Page<Item>) {
    const { data, items, info, answer } = fetched;
    const { page = 1, limit, per_page: perPage } = answer.call.parts.query as ListQuery;
    this.data = data;
    this.page = info.currentPage ?? page;
    this.perPage = info.perPage ?? limit ?? perPage ?? null;
    this.total = info.total;
    this.lastPage = findLastPage(info);
    this.#fetched = fetched;
    this.#number = page;
    const seenBefore = before === undefined ? (page === 1 ? 0 : null) : before.#seen;
    this.#seen = seenBefore === null ? null : seenBefore + items.length;
  }

  /**
   * Whether there may be another page. The service's metadata decides; without any, every page that is not
   * empty may be followed by one.
   */
  hasNextPage(): boolean {
    const { info } = this.#fetched;
    const seen = this.#seen;
    if (info.lastPage !== null) return this.page < info.lastPage;
    if (info.hasNextLink !== null) return info.hasNextLink;
    if (info.total !== null && seen !== null) return seen < info.total;
    return this.lastPage === null ? this.data.length > 0 : this.page < this.lastPage;
  }

  /**
   * Fetches the page after this one; `null` when there is none.
   *
   * @throws {ResponseFormatError} when the service's metadata says that there is more, but the same page comes
   * again or the pages end before the total: the list would otherwise be cut short silently.
   */
  nextPage(): Promise<Page<Item> | null> {
    return Page.after(this, (number) => Page.fetch(this, number));
  }

  /** @internal The page after `page`, fetched by `fetch`: for an iteration, which may have it already. */
  static async after<Item>(page: Page<Item>, fetch: FetchPage<Item>): Promise<Page<Item> | null> {
    return page.hasNextPage() ? page.#follow(await fetch(page.#number + 1)) : null;
  }

  /** @internal Any page of the list that `page` belongs to. */
  static fetch<Item>(page: Page<Item>, number: number, signal?: AbortSignal): Promise<FetchedPage<Item>> {
    const { answer, load } = page.#fetched;
    return load(answer.call.forPage(number, signal));
  }

  /** @internal The pages after `page` that its metadata promises; without any, their number is not bounded. */
  static ahead(page: Page<unknown>): { readonly first: number; readonly last: number } {
    const { data, info } = page.#fetched;
    const number = page.#number;
    const left = info.total === null || page.#seen === null ? null : info.total - page.#seen;
    const promised = left === null || data.length === 0 ? null : number + Math.ceil(left / data.length);
    const last = page.lastPage ?? promised ?? Number.POSITIVE_INFINITY;
    return { first: number + 1, last: page.hasNextPage() ? last : number };
  }

  #follow(next: FetchedPage<Item>): Page<Item> | null {
    const { info, items, answer } = next;
    const page = this.#number + 1;
    // The list became shorter meanwhile; some services then repeat their last page.
    if (info.lastPage !== null && page > info.lastPage) return null;
    const seen = this.#seen;
    if (items.length > 0 && !isSamePage(items, this.#fetched.items)) return new Page(next, this);
    const isAnnounced = announces(info, page);
    if (items.length === 0 && isAnnounced) return new Page(next, this);
    const isIncomplete = isAnnounced ?? (info.total !== null && seen !== null && seen < info.total);
    if (!isIncomplete) return null;
    throw new ResponseFormatError(
      answer,
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

function isSamePage(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => isSameItem(item, b[index]));
}

/** Items are the same when their ids are; fields such as a time of retrieval may differ. */
function isSameItem(a: unknown, b: unknown): boolean {
  if (isObject(a) && isObject(b) && a['id'] !== undefined) return a['id'] === b['id'];
  return JSON.stringify(a) === JSON.stringify(b);
}
