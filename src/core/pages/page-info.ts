import { isObject, type JsonObject } from '../../util/json.ts';

/** What a body says of the pages; `null` where it says nothing. */
export interface PageInfo {
  readonly currentPage: number | null;
  readonly perPage: number | null;
  readonly total: number | null;
  readonly lastPage: number | null;
  /** Whether a link or a cursor to a next page was given; `null` when the body has no place for one. */
  readonly hasNextLink: boolean | null;
}

/**
 * Reads the metadata of a list from every place where the service's framework puts it: at the root beside
 * `data`, in `meta`, in `meta.pagination` (the documented place for deliveries) or `pagination`, and the next
 * link in `links`.
 */
export function readPageInfo(levels: readonly JsonObject[]): PageInfo {
  const sources = levels.flatMap((level) => {
    const { meta, pagination } = level;
    return [level, meta, Object(meta).pagination, pagination].filter(isObject);
  });
  const links = levels.map((level) => level['links']).filter(isObject);
  const count = (key: string): number | null => {
    for (const { [key]: value } of sources) {
      // A count may come as a string, or twice in a list where two sources of metadata were merged.
      const digits = String(Array.isArray(value) ? value[0] : value);
      if (/^\d{1,15}$/.test(digits)) return Number(digits);
    }
    return null;
  };
  return {
    hasNextLink: findNextLink(links, sources),
    currentPage: count('current_page'),
    perPage: count('per_page'),
    total: count('total'),
    lastPage: count('last_page'),
  };
}

/** The pages that the total fills; `null` when total or page size are not known. */
export function countPages({ total, perPage }: PageInfo): number | null {
  return total !== null && perPage ? Math.max(1, Math.ceil(total / perPage)) : null;
}

/** Number of the last page: what the service says, else what follows from its total and page size. */
export function findLastPage(info: PageInfo): number | null {
  return info.lastPage ?? countPages(info);
}

/** Whether the metadata of a page says that the list reaches that far; `null` when it does not say. */
export function announces(info: PageInfo, page: number): boolean | null {
  const lastPage = findLastPage(info);
  return lastPage === null ? info.hasNextLink : page <= lastPage;
}

function findNextLink(links: readonly JsonObject[], sources: readonly JsonObject[]): boolean | null {
  for (const key of ['next_page_url', 'next', 'next_cursor']) {
    for (const holder of key === 'next' ? links : sources) {
      if (Object.hasOwn(holder, key)) return typeof holder[key] === 'string' && holder[key] !== '';
    }
  }
  return null;
}
