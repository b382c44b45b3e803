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
