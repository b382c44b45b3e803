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

/** What a length-aware paginator knows: `from` and `to` start at 1 and are null on an empty page. */
export function numbersOf({ rows, total, page, perPage }: ListPage) {
  const from = rows.length === 0 ? null : (page - 1) * perPage + 1;
  return {
    total,
    per_page: perPage,
    current_page: page,
    last_page: Math.max(1, Math.ceil(total / perPage)),
    from,
    to: from === null ? null : from + rows.length - 1,
  };
}

/** The URLs of other pages. Like Laravel's, they contain only the page, and drop `limit` and every filter. */
export function urlsOf(list: ListPage) {
  const { last_page: last } = numbersOf(list);
  const { page } = list;
  return {
    first: urlOf(list, 1),
    last: urlOf(list, last),
    prev: page > 1 ? urlOf(list, page - 1) : null,
    next: page < last ? urlOf(list, page + 1) : null,
  };
}

function urlOf({ url }: ListPage, page: number): string {
  return `${url}?page=${page}`;
}

/** The buttons of a page navigator, which Laravel includes in a list. */
export function buttonsOf(list: ListPage): object[] {
  const { prev, next } = urlsOf(list);
  const numbers = shownPages(list.page, numbersOf(list).last_page).map((page) =>
    page === null
      ? { url: null, label: '...', active: false }
      : { url: urlOf(list, page), label: String(page), active: page === list.page },
  );
  return [
    { url: prev, label: '&laquo; Previous', active: false },
    ...numbers,
    { url: next, label: 'Next &raquo;', active: false },
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
