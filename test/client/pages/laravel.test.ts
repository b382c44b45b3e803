import { expect, test } from 'vitest';
import { serve } from '../../fixtures/responses/served.ts';

/** Rows as the framework prints them, numbered from `first` on. */
const rows = (count: number, first = 1) =>
  Array.from({ length: count }, (_, index) => ({ id: first + index }));
const path = 'http://127.0.0.1:8000/api/v1/exams';
const url = (page: number) => `${path}?page=${page}`;
const cursor = `${path}?cursor=eyJpZCI6MiwiX3BvaW50c1RvTmV4dEl0ZW1zIjp0cnVlfQ`;
const button = (label: string, to: number | null) => ({ url: to && url(to), label, active: false });

/** What `paginate()` prints of 23 rows. */
const paginated = (
  page: number,
  perPage: number,
  data: unknown = rows(perPage, (page - 1) * perPage + 1),
) => {
  const last_page = Math.ceil(23 / perPage);
  const next_page_url = page < last_page ? url(page + 1) : null;
  return { current_page: page, data, last_page, next_page_url, per_page: perPage, total: 23 };
};
/** What `simplePaginate()` prints, which counts no rows. */
const simple = (next_page_url: string | null, data = rows(2, 3)) => {
  const numbers = { current_page: 2, from: 3, per_page: 2, to: 2 + data.length };
  return { ...numbers, data, next_page_url, prev_page_url: url(1) };
};
const second = { limit: 2, page: 2 };

/** How a page is read. */
type Read = [
  page: number,
  perPage: number,
  total: number | null,
  lastPage: number | null,
  nextPageNumber: unknown,
];

/** What Laravel's paginators, resources and merged metadata printed, with the query, and how the page is read. */
const printed: [name: string, query: object, body: unknown, read: Read][] = [
  [
    'paginate(), a page in the middle',
    second,
    {
      ...paginated(2, 2),
      from: 3,
      to: 4,
      path,
      first_page_url: url(1),
      last_page_url: url(12),
      prev_page_url: url(1),
      links: [button('pagination.previous', 1), button('2', 2), button('pagination.next', 3)],
    },
    [2, 2, 23, 12, 3],
  ],
  ['paginate(), the last page', { limit: 10, page: 3 }, paginated(3, 10, rows(3, 21)), [3, 10, 23, 3, null]],
  [
    'paginate(), a page beyond the last one',
    { limit: 10, page: 99 },
    { ...paginated(99, 10, []), from: null },
    [99, 10, 23, 3, null],
  ],
  [
    'paginate(), no rows',
    {},
    { ...paginated(1, 10, []), from: null, last_page: 1, next_page_url: null, total: 0 },
    [1, 10, 0, 1, null],
  ],
  ['simplePaginate()', second, simple(url(3)), [2, 2, null, null, 3]],
  ['simplePaginate(), the last page', second, simple(null, rows(1, 3)), [2, 2, null, null, null]],
  [
    'cursorPaginate()',
    { limit: 2 },
    { data: rows(2), path, per_page: 2, next_page_url: cursor, prev_page_url: null },
    [1, 2, null, null, 2],
  ],
  [
    'an empty resource collection',
    {},
    {
      data: [],
      links: { first: url(1), last: url(1), prev: null, next: null },
      meta: { current_page: 1, from: null, last_page: 1, per_page: 10, to: null, total: 0 },
    },
    [1, 10, 0, 1, null],
  ],
  [
    'a resource collection of cursorPaginate()',
    { limit: 2 },
    { data: rows(2), links: { first: null, last: null, prev: null, next: cursor }, meta: { per_page: 2 } },
    [1, 2, null, null, 2],
  ],
];

test.each(printed)('%s is read as it is meant', async (_, query, body, expected) => {
  const { client, reported } = serve(() => body);
  const list = await client.exams.list(query);
  const { data: _data, ...rest } = list.toJSON();
  const [page, perPage, total, lastPage, nextPageNumber] = expected;
  expect(rest).toEqual({ page, perPage, total, lastPage, nextPageNumber });
  expect(list.hasNextPage()).toBe(nextPageNumber !== null);
  expect(reported).toEqual([]);
});
