// Remembers the pages of an iteration, to notice a service that sends the same page again.

import { hash } from '../../util/hash.ts';
import { isObject } from '../../util/json.ts';
import type { PageInfo } from './metadata.ts';

/** A page that an iteration has read, linked to those before it. It holds no rows, because a list may be long. */
export interface Trail {
  readonly number: number;
  readonly info: PageInfo;
  /** How many items the page had. */
  readonly size: number;
  /** Computed when the next page has arrived: a page that is read alone needs none. */
  fingerprint: number | null;
  /** Number of empty pages in a row, up to this one. */
  readonly gap: number;
  readonly before: Trail | null;
}

/** Identifies a page by its ids, because other fields may change between answers; without ids, by its items. */
export function fingerprintOf(items: readonly unknown[]): number {
  return hash(JSON.stringify(items.map((item) => (isObject(item) ? (item['id'] ?? item) : item))));
}

/** The earlier page that this one repeats, if any. Pages moved by newly inserted rows repeat none. */
export function findRepeated(page: Trail): Trail | null {
  let earlier = page.size > 0 ? page.before : null;
  while (earlier !== null && (earlier.fingerprint !== page.fingerprint || hasMoved(earlier, page))) {
    earlier = earlier.before;
  }
  return earlier;
}

function hasMoved({ number, info: { total, lastPage } }: Trail, { info: now, ...page }: Trail): boolean {
  const pages = page.number - number;
  if (total !== null && now.total !== null) return now.total - total >= pages * page.size;
  return lastPage !== null && now.lastPage !== null && now.lastPage - lastPage >= pages;
}
