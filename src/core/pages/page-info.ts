import { isObject, type JsonObject } from '../json.ts';

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
export function readPageInfo(levels: ReadonlyArray<JsonObject>): PageInfo {
  const sources = levels.flatMap(metadataOf);
  return {
    currentPage: findCount(sources, 'current_page'),
    perPage: findCount(sources, 'per_page'),
    total: findCount(sources, 'total'),
    lastPage: findCount(sources, 'last_page'),
    hasNextLink: findNextLink(levels, sources),
  };
}

function metadataOf(level: JsonObject): JsonObject[] {
  const { meta, pagination } = level;
  return [level, meta, isObject(meta) ? meta['pagination'] : undefined, pagination].filter(isObject);
}

function findCount(sources: ReadonlyArray<JsonObject>, key: string): number | null {
  for (const source of sources) {
    const count = toCount(source[key]);
    if (count !== null) return count;
  }
  return null;
}

/** A count may come as a text, or twice in a list where two sources of metadata were merged. */
function toCount(value: unknown): number | null {
  const single: unknown = Array.isArray(value) ? value[0] : value;
  const count = typeof single === 'string' && single.trim() !== '' ? Number(single) : single;
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : null;
}

function findNextLink(levels: ReadonlyArray<JsonObject>, sources: ReadonlyArray<JsonObject>): boolean | null {
  const links = levels.map((level) => level['links']).filter(isObject);
  for (const [holders, key] of [
    [sources, 'next_page_url'],
    [links, 'next'],
    [sources, 'next_cursor'],
  ] as const) {
    const holder = holders.find((candidate) => Object.hasOwn(candidate, key));
    if (holder !== undefined) return typeof holder[key] === 'string' && holder[key] !== '';
  }
  return null;
}
