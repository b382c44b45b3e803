// Page numbers and links of lists, in the forms that the styles share.

/** A slice of a list, and its position. */
export interface ListPage {
  readonly rows: readonly unknown[];
  readonly total: number;
  readonly page: number;
  readonly perPage: number;
  /** URL of the list, without its query. */
  readonly url: string;
}

/** Positions as Laravel counts them: `from` and `to` start at 1 and are null on an empty page. */
export function span({ rows, page, perPage }: ListPage): { from: number | null; to: number | null } {
  if (rows.length === 0) return { from: null, to: null };
  const from = (page - 1) * perPage + 1;
  return { from, to: from + rows.length - 1 };
}

export function lastPage({ total, perPage }: ListPage): number {
  return Math.max(1, Math.ceil(total / perPage));
}

/** The URL of a page. Like Laravel's, it contains only the page, and drops `limit` and every filter. */
export function pageUrl({ url }: ListPage, page: number): string {
  return `${url}?page=${page}`;
}

export function previousUrl(list: ListPage): string | null {
  return list.page > 1 ? pageUrl(list, list.page - 1) : null;
}

export function nextUrl(list: ListPage): string | null {
  return hasMore(list) ? pageUrl(list, list.page + 1) : null;
}

function hasMore(list: ListPage): boolean {
  return list.page < lastPage(list);
}

interface PageLink {
  readonly url: string | null;
  readonly label: string;
  readonly active: boolean;
}

/** The buttons of a page navigator, which Laravel includes in a list. */
export function pageLinks(list: ListPage): PageLink[] {
  const numbers = shownPages(list.page, lastPage(list)).map((page) =>
    page === null
      ? { url: null, label: '...', active: false }
      : { url: pageUrl(list, page), label: String(page), active: page === list.page },
  );
  return [
    { url: previousUrl(list), label: '&laquo; Previous', active: false },
    ...numbers,
    { url: nextUrl(list), label: 'Next &raquo;', active: false },
  ];
}

/** Below this many pages a navigator shows them all. */
const ALL_SHOWN = 14;
const AROUND_CURRENT = 3;
const AT_AN_END = 10;

/** The pages that a navigator shows, null for a gap. */
function shownPages(current: number, last: number): (number | null)[] {
  if (last < ALL_SHOWN) return range(1, last);
  const head = range(1, 2);
  const tail = range(last - 1, last);
  if (current <= AT_AN_END - AROUND_CURRENT) return [...range(1, AT_AN_END), null, ...tail];
  if (current > last - (AT_AN_END - AROUND_CURRENT))
    return [...head, null, ...range(last - AT_AN_END + 1, last)];
  return [...head, null, ...range(current - AROUND_CURRENT, current + AROUND_CURRENT), null, ...tail];
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
