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

const none: PageInfo = { currentPage: null, perPage: null, total: null, lastPage: null, hasNextLink: null };

/** What a number says, by its name without case, `_` and `-`. No others are read: `size` or `pages` mean different things. */
const meanings = new Map<string, Exclude<keyof PageInfo, 'hasNextLink'>>([
  ['currentpage', 'currentPage'],
  ['perpage', 'perPage'],
  ['lastpage', 'lastPage'],
  ['totalpages', 'lastPage'],
  ['count', 'total'],
  ...['', 'count', 'items', 'elements', 'docs', 'records', 'results'].map(
    (of) => [`total${of}`, 'total'] as const,
  ),
]);

/**
 * Reads a list's metadata from every place where frameworks put it: beside the list of `rows` items, in `meta`, in `meta.pagination`
 * (documented for deliveries) or `pagination`, and the next link in `links`.
 */
export function readPageInfo(envelopes: readonly JsonObject[], rows: number): PageInfo {
  const info: { -readonly [Name in keyof PageInfo]: PageInfo[Name] } = { ...none };
  for (const envelope of envelopes) {
    const { meta, pagination, links } = envelope;
    for (const source of [envelope, meta, Object(meta).pagination, Object(meta).cursor, pagination, links]) {
      for (const name of isObject(source) ? Object.keys(source) : []) {
        const plain = name.toLowerCase().replace(/[_-]/g, '');
        const meaning = meanings.get(plain);
        const count = meaning === undefined ? null : readCount(source[name]);
        // The greatest: a number that counts the rows of the page, such as `count`, may stand beside one that counts the list.
        if (meaning !== undefined && count !== null && (plain !== 'count' || count > rows))
          info[meaning] = Math.max(info[meaning] ?? 0, count);
        else if (meaning === undefined && pagingName.test(name) && !plain.includes('prev'))
          info.hasNextLink ||= !isNothing(source[name]);
      }
    }
  }
  return info;
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
