import { expect, test } from 'vitest';
import { collect } from '../../fixtures/responses/client.ts';
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
const enveloped = (data: unknown, more = {}) => ({ success: true, message: 'Success', data, ...more });
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
  [
    'paginate(), the size from the query as text',
    second,
    { ...paginated(2, 2), per_page: '2' },
    [2, 2, 23, 12, 3],
  ],
  ['paginate(), a limit that the service does not keep', { limit: 100 }, paginated(1, 15), [1, 15, 23, 2, 2]],
  [
    'paginate(), filtered afterwards, so that the list became an object',
    { limit: 4 },
    { ...paginated(1, 4, { 1: { id: 2 }, 3: { id: 4 } }), to: 2 },
    [1, 4, 23, 6, 2],
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
    'a resource collection',
    second,
    {
      data: rows(2, 3),
      links: { first: url(1), last: url(12), prev: url(1), next: url(3) },
      meta: {
        current_page: 2,
        last_page: 12,
        links: [button('1', 1)],
        per_page: 2,
        from: 3,
        to: 4,
        total: 23,
      },
    },
    [2, 2, 23, 12, 3],
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
    'a resource collection whose total was merged twice',
    { limit: 2 },
    {
      data: rows(2),
      meta: { total: [3, 3], current_page: 1, from: 1, last_page: 2, per_page: 2, to: 2 },
      summary: { average: 81.25 },
      links: { first: url(1), last: url(2), prev: null, next: url(2) },
    },
    [1, 2, 3, 2, 2],
  ],
  [
    'a resource collection of simplePaginate()',
    second,
    {
      data: rows(2, 3),
      links: { first: url(1), last: null, prev: url(1), next: url(3) },
      meta: { current_page: 2, from: 3, per_page: 2, to: 4 },
    },
    [2, 2, null, null, 3],
  ],
  [
    'a resource collection of cursorPaginate()',
    { limit: 2 },
    { data: rows(2), links: { first: null, last: null, prev: null, next: cursor }, meta: { per_page: 2 } },
    [1, 2, null, null, 2],
  ],
  [
    'meta.pagination in an envelope',
    second,
    enveloped(rows(2, 3), {
      meta: { pagination: { total: 23, per_page: 2, current_page: 2, last_page: 12, from: 3, to: 4 } },
    }),
    [2, 2, 23, 12, 3],
  ],
  ['paginate() in an envelope', { limit: 2 }, enveloped(paginated(1, 2)), [1, 2, 23, 12, 2]],
  [
    'a resource collection in an envelope',
    { limit: 2 },
    enveloped({
      data: rows(2),
      links: { first: url(1), last: url(12), prev: null, next: url(2) },
      meta: { current_page: 1, last_page: 12, per_page: 2, total: 23 },
    }),
    [1, 2, 23, 12, 2],
  ],
  ['an envelope that lost its metadata', { limit: 2 }, enveloped(rows(2)), [1, 2, null, null, 2]],
  ['skip() and take()', second, rows(2, 3), [2, 2, null, null, 3]],
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

test('paginate() with its link to the next page costs no request too many', async () => {
  const all = rows(45);
  const { client, asked } = serve((page) => ({
    current_page: page,
    data: all.slice((page - 1) * 15, page * 15),
    last_page: 3,
    next_page_url: page < 3 ? url(page + 1) : null,
    per_page: 15,
    total: 45,
  }));
  expect(await collect(client.exams.list())).toEqual(all);
  expect(asked).toEqual([1, 2, 3]);
});

test('paginate() whose link leads on although no page follows costs none either', async () => {
  const metadata = { last_page: 1, per_page: 2, total: 2 };
  const { client, asked } = serve((page) => ({ ...metadata, data: rows(2), next_page_url: url(page + 1) }));
  expect(await collect(client.exams.list())).toEqual(rows(2));
  expect(asked).toEqual([1]);
});
