// One page of an iteration, and how to get from it to the next.

import { hasStatus } from '../errors/api-error.ts';
import { isVerdict } from '../errors/base.ts';
import { ResponseFormatError } from '../errors/response-error.ts';
import type { ListOptions } from '../options/client-options.ts';
import { planPage } from '../plan.ts';
import { type Answer, type ReadList, readList } from '../response/read.ts';
import { Call, type Sender } from '../send.ts';
import { announces, type PageInfo, readPageInfo } from './metadata.ts';

/** One fetched page. */
export interface FetchedPage<Item> extends Omit<ReadList<Item>, 'levels'> {
  readonly info: PageInfo;
  /** The requested page number. */
  readonly number: number;
  /** The requested page size; `null` when none was requested. */
  readonly size: number | null;
  /** The caller's options, for every page of the list. */
  readonly options: ListOptions<never>;
  /** Fetches another page of the same list. */
  readonly load: (number: number, signal?: AbortSignal) => Promise<FetchedPage<Item>>;
  /** The error for a list whose rest cannot be read. */
  readonly fail: (problem: string, retryable?: boolean) => ResponseFormatError;
}

/** Reads the answer of a list operation. */
export async function readPage<Item>(answer: Answer, sender: Sender): Promise<FetchedPage<Item>> {
  const { plan } = answer.request;
  const query = new URLSearchParams(plan.query);
  const { levels, ...list } = await readList<Item>(answer);
  return {
    ...list,
    info: readPageInfo(levels),
    number: Number(query.get('page') ?? 1),
    size: Number(query.get('limit') ?? query.get('per_page')) || null,
    options: plan.options,
    // The signal of a page within an iteration ends with the iteration.
    load: (page, signal = plan.options.signal) =>
      new Call(planPage(plan, page, signal), sender, readPage<Item>).read().then(({ data }) => data),
    fail: (problem, retryable) => new ResponseFormatError(answer, problem, 'done', { retryable }),
  };
}

/** After this many empty pages in a row, what leads to the next one is ignored: an iteration has to end. */
const MOST_EMPTY_PAGES = 1_000;

/** What a body without metadata says about its pages. */
const noInfo = readPageInfo([]);

/** A page within an iteration, and the way to the next. */
export class Step<Item> {
  readonly fetched: FetchedPage<Item>;
  /** The items that the iteration returns; with `distinct`, not all of them. */
  rows: readonly Item[];
  /** Whether the metadata has contradicted itself. From then on only the total counts. */
  readonly #isDoubted: boolean;
  /** Whether the iteration began at page 1. */
  readonly #isWhole: boolean;
  /** Items up to this page, at most; `null` when the iteration began later, and nothing says how many came before. */
  readonly #seen: number | null;
  /** Items still to come; `null` when nothing counts them. */
  readonly #left: number | null;
  readonly #trail: Trail;

  constructor(fetched: FetchedPage<Item>, before: Step<Item> | null, isDoubted = false) {
    const { items, number } = fetched;
    const size = items.length;
    const isWhole = before === null ? number === 1 : before.#isWhole;
    // Of metadata that counts too little, only a later page counts.
    const lastPage = Number(fetched.info.lastPage) > number ? fetched.info.lastPage : null;
    const rest = { ...noInfo, lastPage, end: lastPage };
    const info = isRefuted(fetched, isWhole) ? rest : fetched.info;
    const trail = before === null ? null : before.#trail;
    // Where the pages before were not read: as much as they can have held.
    const most = number === 1 ? 0 : info.perPage ? (number - 1) * info.perPage : null;
    const seenBefore = before === null ? most : before.#seen;
    const seen = seenBefore === null ? null : seenBefore + size;
    const left = info.total === null || seen === null ? null : info.total - seen;
    this.fetched = fetched;
    this.rows = fetched.data;
    this.#isDoubted = isDoubted;
    this.#isWhole = isWhole;
    this.#seen = seen;
    this.#left = isDoubted && Number(left) > 0 ? null : left;
    this.#trail = {
      number,
      info: isDoubted ? noInfo : info,
      size,
      fingerprint: null,
      gap: size > 0 ? 0 : (trail?.gap ?? 0) + 1,
      end: size > 0 || trail === null ? info.end : trail.end,
      before: trail,
    };
  }

  /** The requested page number. */
  get number(): number {
    return this.#trail.number;
  }

  /** Whether another page follows: the metadata promises it, it is possible, or there is none. */
  get next(): 'promised' | 'possible' | 'none' {
    const left = this.#left;
    const { info, size } = this.#trail;
    const leadsOn = info.lastPage === null ? info.hasNextLink : this.#reached < info.lastPage;
    if (this.#isCut || (leadsOn === false && info.hasNextLink)) return 'possible';
    if (leadsOn) return 'promised';
    if (leadsOn === false || (left !== null && left <= 0)) return 'none';
    if (this.#isCovered) return 'possible';
    if (left !== null || info.filled !== null) return 'promised';
    return size > 0 ? 'possible' : 'none';
  }

  /** The last page that may be prefetched: where the metadata ends the list, if it does. */
  get horizon(): number {
    const { number, info, size } = this.#trail;
    if (this.next === 'none' || this.#isCut) return number;
    return info.end ?? number + Math.ceil((this.#left ?? Number.POSITIVE_INFINITY) / size);
  }

  /** A service may return its last page for any later one, or the first page for every number. */
  get #reached(): number {
    const { number, info } = this.#trail;
    return Math.max(number, info.currentPage ?? 0);
  }

  /** Whether the metadata ends the list here although it counts items that have not arrived. */
  get #isCut(): boolean {
    const { lastPage, hasNextLink } = this.#trail.info;
    const isEnd = hasNextLink === false || (lastPage !== null && this.#reached >= lastPage);
    return isEnd && Number(this.#left) > 0;
  }

  /** Whether the pages so far have room for the total: missing items may have been filtered out after paging. */
  get #isCovered(): boolean {
    return this.#reached >= (this.#trail.info.filled ?? Number.POSITIVE_INFINITY);
  }

  /**
   * The page after this one, loaded with `fetch`; `null` at the end of the list.
   *
   * @throws {ResponseValidationError} when the metadata contradicts itself, in mode `strict`
   * @throws {ResponseFormatError} when the rest of the list cannot be read
   */
  async after(fetch: (number: number) => Promise<FetchedPage<Item>>): Promise<Step<Item> | null> {
    const { next } = this;
    const number = this.number + 1;
    if (next === 'none') return null;
    const isContradiction = this.#isCut && !this.#isCovered;
    if (isContradiction) this.#tellContradiction();
    let fetched: FetchedPage<Item>;
    try {
      fetched = await fetch(number);
    } catch (error) {
      const isMissing = hasStatus(error, 404);
      if (next === 'possible' && isMissing && isVerdict(error, this.fetched.options.signal)) return null;
      throw error;
    }
    return this.#check(new Step(fetched, this, this.#isDoubted || isContradiction));
  }

  /** Throws in mode `strict`; otherwise informs hooks and log. */
  #tellContradiction(): void {
    const message = 'counts items that have not come, although the metadata says that no page follows';
    this.fetched.contradict({ path: ['total'], message });
  }

  /** The next page, unless it shows that the list has ended. */
  #check(next: Step<Item>): Step<Item> | null {
    const { number, info, size, gap, end } = next.#trail;
    const told = next.fetched.info;
    const isPromised = this.next === 'promised';
    for (const step of [this, next]) step.#trail.fingerprint ??= fingerprintOf(step.fetched.items);
    const repeated = findRepeated(next.#trail);
    const isCounted = next.#left !== null && next.#left + size > 0;
    // What was promised is not missing because it was filtered out.
    const isFiltered = this.#isCovered && !isPromised;
    // Some services show their last page again, or the first, where the list has ended or become shorter.
    const isOver = isFiltered ? !announces(told, number) : number > (told.lastPage ?? number) && !isCounted;
    if (isOver && (size === 0 || repeated !== null || isEarlier(next.#trail))) return null;
    if (isOver && isFiltered && this.#isCut) {
      // The items that had not come were not filtered out: these are they.
      this.#tellContradiction();
      return new Step(next.fetched, this, true);
    }
    if (size > 0 && repeated === null) return next;
    // A total that counts less than has come may be that of a page: a link then says more.
    const isAnnounced = (Number(next.#left) < 0 && info.hasNextLink) || announces(info, number);
    const isEndless = gap >= MOST_EMPTY_PAGES && number > Number(end);
    if (size === 0 && isAnnounced && !isEndless) return next;
    const goesRound = repeated !== null && repeated.number < this.number;
    // A page without metadata does not take back what the one before has promised.
    const isExpected = isAnnounced ?? (told.total === null ? isPromised : isCounted);
    if (!goesRound && (next.#isDoubted || !isExpected)) return null;
    const more = 'although its metadata says that there is more';
    const repetition = `page ${number} repeats page ${repeated?.number}`;
    let problem = `page ${number} is empty, ${more}`;
    if (info.total !== null)
      problem = `the pages ended after ${next.#seen} items, although its metadata counts ${info.total}`;
    if (isEndless) problem = `${gap} pages in a row are empty, ${more}`;
    if (repeated !== null) problem = `${repetition}, ${more}: the service does not page this list by number`;
    if (goesRound) problem = `${repetition}: the service repeats its pages, or their order changes`;
    // A service that does not page by number will not do so next time.
    const isPermanent = repeated !== null && !goesRound;
    throw next.fetched.fail(
      `${problem}. The rest of the list cannot be read`,
      isPermanent ? false : undefined,
    );
  }
}

/** A page that an iteration has read, linked to those before it. It holds no rows, because a list may be long. */
interface Trail {
  readonly number: number;
  readonly info: PageInfo;
  /** How many items the page had. */
  readonly size: number;
  /** Computed when the next page has arrived: a page that is read alone needs none. */
  fingerprint: number | null;
  /** Number of empty pages in a row, up to this one. */
  readonly gap: number;
  /** The end of the list as it was stated before them: one that moves on with each empty page is none. */
  readonly end: number | null;
  readonly before: Trail | null;
}

/** Whether a page says that it is an earlier one than was asked for. */
function isEarlier({ info, number }: Pick<Trail, 'info' | 'number'>): boolean {
  return (info.currentPage ?? number) < number;
}

/**
 * Whether a page has more items than its metadata counts, as with a total of 0, or is itself beyond what it counts. Where the items are
 * counted as well, by a total and from page 1 on, that is a contradiction instead. A total that is the size of a full page may count that
 * page alone, and says nothing of the list.
 */
function isRefuted(fetched: FetchedPage<unknown>, isWhole: boolean): boolean {
  const { items, info, number, size } = fetched;
  const { total, lastPage, perPage, hasNextLink } = info;
  const count = items.length;
  if (count > (total ?? (lastPage === 0 ? 0 : count))) return true;
  const isAlone = lastPage === null && hasNextLink === null;
  if (isAlone && count > 0 && count === total && count === (perPage ?? size)) return true;
  const isBeyond = count > 0 && number > (info.end ?? number) && !isEarlier(fetched);
  return isBeyond && !(isWhole && total !== null);
}

/** Identifies a page by its ids, because other fields may change between answers; by its items where ids do not tell them apart. */
function fingerprintOf(items: readonly unknown[]): number {
  const ids = new Set(items.map(readId));
  const isTold = ids.size === items.length && !ids.has(null);
  return hash(JSON.stringify(isTold ? [...ids] : items));
}

/** The `id` of an item; `null` for none, or for a number too large to be exact, which is that of its neighbours, too. */
export function readId(item: unknown): unknown {
  const { id } = Object(item);
  return typeof id === 'number' && !Number.isSafeInteger(id) ? null : (id ?? null);
}

/** A 53-bit hash of a string: large enough that strings within one program do not collide by chance. */
function hash(text: string): number {
  let high = 0;
  let low = 0;
  for (let index = 0; index < text.length; index += 1) {
    // Multipliers that spread bits well: from the golden ratio and from MurmurHash3.
    high = Math.imul(high ^ text.charCodeAt(index), 0x9e3779b1);
    low = Math.imul(low ^ text.charCodeAt(index), 0x85ebca6b);
  }
  return (high >>> 0) * 2 ** 21 + (low >>> 11);
}

/** The earlier page that this one repeats, if any. Pages moved by newly inserted rows repeat none. */
function findRepeated(page: Trail): Trail | null {
  let earlier = page.size > 0 ? page.before : null;
  while (earlier !== null && (earlier.fingerprint !== page.fingerprint || hasMoved(earlier, page))) {
    earlier = earlier.before;
  }
  return earlier;
}

function hasMoved({ number, info: { total, lastPage } }: Trail, { info: now, ...page }: Trail): boolean {
  const pages = page.number - number;
  if (total !== null && now.total !== null) return now.total - total >= pages * page.size;
  return lastPage !== null && Number(now.lastPage) - lastPage >= pages;
}
