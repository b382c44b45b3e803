// Reads page numbers, totals and the link to the next page from a list's body, and the ids of its rows.

import { isObject, type JsonObject } from '../../util/json.ts';
import { isNothing, pagingName } from '../response/find.ts';

/** What a body says about its pages; `null` where it says nothing. */
export interface PageInfo {
  readonly currentPage: number | null;
  readonly perPage: number | null;
  readonly total: number | null;
  readonly lastPage: number | null;
  /** Whether the body has a link or cursor to a next page; `null` when it has no field for one. */
  readonly hasNextLink: boolean | null;
}

/**
 * Reads a list's metadata from every place where frameworks put it: beside the list of `rows` items, in `meta`, in `meta.pagination`
 * (documented for deliveries) or `pagination`, and the next link in `links`.
 */
export function readPageInfo(envelopes: readonly JsonObject[], rows: number): PageInfo {
  const info: { -readonly [Name in keyof PageInfo]: PageInfo[Name] } = {
    currentPage: null,
    perPage: null,
    total: null,
    lastPage: null,
    hasNextLink: null,
  };
  const sources = envelopes.flatMap(({ meta, pagination, links, ...root }): unknown[] => {
    const { pagination: inner, cursor } = Object(meta);
    return [root, meta, inner, cursor, pagination, links];
  });
  for (const [name, value] of sources.filter(isObject).flatMap((source) => Object.entries(source))) {
    const count = readCount(value);
    const meaning = meaningOf(name, count !== null && count > rows);
    if (meaning === 'hasNextLink') info[meaning] ||= !isNothing(value);
    // The greatest, since one that counts a page may stand beside one that counts the list.
    else if (meaning !== null && count !== null) info[meaning] = Math.max(info[meaning] ?? 0, count);
  }
  return info;
}

/** What a field says, by its name without case, `_` and `-`. No others are read: `size` or `pages` mean different things. */
function meaningOf(name: string, isAboveRows: boolean): keyof PageInfo | null {
  const plain = name.toLowerCase().replace(/[_-]/g, '');
  if (/^total(count|items|elements|docs|records|results)?$/.test(plain)) return 'total';
  if (plain === 'count' && isAboveRows) return 'total';
  if (plain === 'lastpage' || plain === 'totalpages') return 'lastPage';
  if (plain === 'perpage') return 'perPage';
  if (plain === 'currentpage') return 'currentPage';
  return pagingName.test(name) && !plain.includes('prev') ? 'hasNextLink' : null;
}

/** A count may be a string, or appear twice in a list where two sources of metadata were merged. */
function readCount(value: unknown): number | null {
  const count: unknown = Array.isArray(value) ? value[0] : value;
  // An object in JSON may have a `toString` that cannot be called.
  return typeof count !== 'object' && /^\d{1,15}$/.test(String(count)) ? Number(count) : null;
}

/** The `id` of a row; `null` for none, and for a number too large to be exact: its neighbours are read as the same one. */
export function readId(item: unknown): string | number | null {
  const { id } = Object(item);
  return typeof id === 'string' || Number.isSafeInteger(id) ? id : null;
}
