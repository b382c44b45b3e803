// Reads page numbers, totals and the link to the next page from a list's body, and the ids of its rows.

import type { JsonObject } from '../../util/json.ts';
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
 * Reads a list's metadata from every place where the service's framework puts it: at the root beside `data`, in `meta`,
 * in `meta.pagination` (documented for deliveries) or `pagination`, and the next link in `links`.
 */
export function readPageInfo(envelopes: readonly JsonObject[]): PageInfo {
  const sources = envelopes.flatMap((envelope): JsonObject[] => {
    const { meta, pagination } = envelope;
    return [envelope, Object(meta), Object(Object(meta).pagination), Object(pagination)];
  });
  const links = envelopes.flatMap(({ links, meta }): JsonObject[] => [
    Object(links),
    Object(Object(meta).cursor),
  ]);
  return {
    currentPage: findCount(sources, 'current_page'),
    perPage: findCount(sources, 'per_page'),
    total: findCount(sources, 'total'),
    lastPage: findCount(sources, 'last_page'),
    hasNextLink: findNextLink([...sources, ...links]),
  };
}

/** The greatest, since one that counts a page may stand beside one that counts the list; `null` for none. */
function findCount(sources: readonly JsonObject[], key: string): number | null {
  let greatest: number | null = null;
  for (const { [key]: value } of sources) {
    // A count may be a string, or appear twice in a list where two sources of metadata were merged.
    const count: unknown = Array.isArray(value) ? value[0] : value;
    // An object in JSON may have a `toString` that cannot be called.
    if (typeof count === 'object' || !/^\d{1,15}$/.test(String(count))) continue;
    greatest = Math.max(greatest ?? 0, Number(count));
  }
  return greatest;
}

/** Whether anything leads on: an address, an object with one, a cursor, a number. */
function findNextLink(holders: readonly JsonObject[]): boolean | null {
  let isMore: boolean | null = null;
  for (const holder of holders) {
    for (const name of Object.keys(holder))
      if (pagingName.test(name) && !/prev/i.test(name)) isMore ||= !isNothing(holder[name]);
  }
  return isMore;
}

/** The `id` of a row; `null` for none, and for a number too large to be exact: its neighbours are read as the same one. */
export function readId(item: unknown): string | number | null {
  const { id } = Object(item);
  return typeof id === 'string' || Number.isSafeInteger(id) ? id : null;
}
