// The rule for the next page: where a list ends, and whether a fetched page is the next one.
//
// The next page is the same query with `page + 1`. The end is decided by numbers first (`last_page`, or `total` with the page
// size), then by a field for the next link, and without either by an empty page. The latest page's metadata counts, and a
// page is compared with the one before it only.

import type { SchemaIssue } from '../../util/standard-schema.ts';
import type { ResponseFormatError } from '../errors/response-error.ts';
import type { Row } from '../response/read.ts';
import type { FetchedPage } from './fetched-page.ts';
import type { PageInfo } from './metadata.ts';

/** A page at its place in the list. */
export interface PlacedPage<Item> {
  readonly fetched: FetchedPage<Item>;
  /** The rows that the caller gets; with `distinct`, without those already returned. */
  readonly rows: readonly Row<Item>[];
  /** How many rows the pages up to this one have. */
  readonly rowsSoFar: number;
  /** Its metadata; without a `total` that contradicts the rest. */
  readonly info: PageInfo;
  /** Rows of the largest page so far; 0 while none is known to be full. */
  readonly fullPageSize: number;
  /** Whether its own metadata says that the list has this page; `null` when it says nothing. */
  readonly ownPageExists: boolean | null;
  /** Whether another page follows: the metadata announces it, it is possible, or there is none. */
  readonly next: 'announced' | 'possible' | 'none';
  /** The last page that the metadata announces; infinite when only the pages can show it. */
  readonly end: number;
  /** Whether it repeats the page before it, and is to be skipped. */
  readonly isRepeat: boolean;
  /** Whether it is read in passes: an empty page then ends its pass, and the next one shows whether the list ends there. */
  readonly isInPass: boolean;
}

/** The last page by the numbers of one page; `null` when they do not say. `size` is the rows of a full page, 0 if unknown. */
export function lastPageOf({ lastPage, total }: PageInfo, size: number | null): number | null {
  return lastPage ?? (total !== null && size ? Math.max(1, Math.ceil(total / size)) : null);
}

/** Whether the metadata of one page says that the list has page `number`; `null` when it says nothing. */
function hasPage(info: PageInfo, size: number, number: number): boolean | null {
  const last = lastPageOf(info, size);
  return last === null ? info.hasNextLink : number <= last;
}

/**
 * Places the first page that is read.
 *
 * @throws {ResponseValidationError} when its numbers contradict themselves, in mode `strict`
 */
export function placeFirst<Item>(fetched: FetchedPage<Item>): PlacedPage<Item> {
  // A later page may be the last one, whose rows do not show how many a full page has.
  return place(fetched, fetched.number === 1 ? Math.max(1, fetched.rows.length) : 0, null);
}

function place<Item>(
  fetched: FetchedPage<Item>,
  fullPageSize: number,
  before: PlacedPage<Item> | null,
): PlacedPage<Item> {
  const { rows, number, info: stated } = fetched;
  // Never the `limit` asked for, which a service may cap.
  const size = stated.perPage || fullPageSize;
  const contradiction = findContradiction(stated, rows.length, size);
  if (contradiction !== null) fetched.contradict(contradiction);
  // Then `last_page` counts, otherwise the link.
  const info = contradiction === null ? stated : { ...stated, total: null };

  const isNextListed = hasPage(info, size, number + 1);
  const isPossible = isNextListed === null && rows.length > 0;
  const next = isNextListed ? 'announced' : isPossible ? 'possible' : 'none';
  if (next === 'none' && stated.perPage && (number - 1) * size + rows.length < Number(info.total))
    fetched.report({
      path: 'per_page',
      message: 'is more than the last page has, before `total` is reached',
    });
  return {
    fetched,
    rows,
    rowsSoFar: (before?.rowsSoFar ?? (number - 1) * size) + rows.length,
    info,
    fullPageSize,
    ownPageExists: hasPage(info, size, number),
    next,
    end: next === 'none' ? number : (lastPageOf(info, size) ?? Number.POSITIVE_INFINITY),
    isRepeat: false,
    isInPass: before?.isInPass ?? false,
  };
}

/** What contradicts itself among the numbers of one page. */
function findContradiction({ total, lastPage }: PageInfo, rows: number, size: number): SchemaIssue | null {
  if (total !== null && total < rows)
    return { path: ['total'], message: 'is less than the rows of this page' };
  if (lastPage === 0 && rows > 0) return { path: ['last_page'], message: 'is 0, although there are rows' };
  const most = lastPage !== null && size > 0 ? lastPage * size : Number.POSITIVE_INFINITY;
  return Number(total) > most ? { path: ['total'], message: 'is more than `last_page` pages hold' } : null;
}

/**
 * The page after `before`, marked if it is to be skipped; `null` when the list has ended.
 *
 * @throws {ResponseValidationError} when its numbers contradict themselves, in mode `strict`
 * @throws {ResponseFormatError} when the rest of the list cannot be read
 */
export function placeAfter<Item>(before: PlacedPage<Item>, next: FetchedPage<Item>): PlacedPage<Item> | null {
  const { keys } = next;
  const { keys: earlier } = before.fetched;
  const isEmpty = keys.length === 0;
  const isRepeat =
    !isEmpty && keys.length === earlier.length && keys.every((key, index) => key === earlier[index]);
  const isNew = !isEmpty && !isRepeat;
  // Where new rows follow, the page before was full.
  const isSizeKnown = isNew || before.fullPageSize > 0;
  const fullPageSize = isSizeKnown ? Math.max(before.fullPageSize, earlier.length, keys.length) : 0;
  const page = place(next, fullPageSize, before);
  if (isNew) return page;
  const skipped = { ...page, isRepeat, rowsSoFar: before.rowsSoFar };
  // The list has become shorter.
  if (page.ownPageExists === false) return null;

  if (page.ownPageExists || before.next === 'announced') {
    if (isEmpty) return endAnnounced(page, before);
    const hasGrown = before.info.total !== null && Number(page.info.total) > before.info.total;
    // Inserted rows have moved the page before to this place, and the rows after it further on.
    if (hasGrown && page.next === 'announced') return skipped;
    throw cannotContinue(next);
  }
  if (isEmpty) return null;
  if (!before.isRepeat) return skipped;
  // The service ignores `page`, and this is the whole list unless `limit` cut it.
  if (keys.length !== next.limit) return null;
  throw cannotContinue(next);
}

/**
 * A list that ends with an empty page, although that page or the one before it announced rows.
 *
 * @throws {ResponseFormatError} in mode `strict`, unless further passes show whether it ends there
 */
function endAnnounced<Item>({ fetched, info }: PlacedPage<Item>, before: PlacedPage<Item>): null {
  if (before.isInPass) return null;
  const { rowsSoFar } = before;
  const total = Number(info.total ?? before.info.total);
  const announced = total > rowsSoFar ? `\`total\` says ${total}` : 'the metadata says that there is more';
  const shown = rowsSoFar === 1 ? '1 row was' : `${rowsSoFar} rows were`;
  const problem = `page ${fetched.number} is empty, and ${announced}: ${shown} shown`;
  const question = 'does the service count rows that it does not show?';
  if (fetched.isStrict)
    throw fetched.fail(`${problem}; ${question} With \`validation: 'report'\` the list ends there`);
  fetched.report({ path: '', message: problem });
  return null;
}

function cannotContinue({ number, fail }: FetchedPage<unknown>): ResponseFormatError {
  const problem = `page ${number} repeats page ${number - 1}, although there may be more`;
  // It will not do so for the next page either.
  return fail(`${problem}: the service does not page this list by number. Its rest cannot be read`, false);
}
