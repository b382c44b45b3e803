import { expect, test } from 'vitest';
import { collect } from '../../fixtures/responses/client.ts';
import { serve } from '../../fixtures/responses/served.ts';

/** Rows as the framework prints them, numbered from `first` on. */
const rows = (count: number, first = 1) =>
  Array.from({ length: count }, (_, index) => ({ id: first + index }));
const url = (page: number) => `http://127.0.0.1:8000/api/v1/exams?page=${page}`;
const cursor = 'http://127.0.0.1:8000/api/v1/exams?cursor=eyJpZCI6MiwiX3BvaW50c1RvTmV4dEl0ZW1zIjp0cnVlfQ';
const button = (label: string, to: number | null) => ({ url: to && url(to), label, active: false });

/** What Laravel's paginators, resources and merged metadata printed, with the query, and how the page is read. */
const printed: [name: string, query: object, body: unknown, page: object][] = [
  [
    'paginate(), a page in the middle',
    { limit: 2, page: 2 },
    {
      current_page: 2,
      data: rows(2, 3),
      first_page_url: url(1),
      from: 3,
      last_page: 12,
      last_page_url: url(12),
      links: [button('pagination.previous', 1), button('2', 2), button('pagination.next', 3)],
      next_page_url: url(3),
      path: 'http://127.0.0.1:8000/api/v1/exams',
      per_page: 2,
      prev_page_url: url(1),
      to: 4,
      total: 23,
    },
    { page: 2, perPage: 2, total: 23, lastPage: 12, nextPage: 3 },
  ],
  [
    'paginate(), the last page',
    { limit: 10, page: 3 },
    { current_page: 3, data: rows(3, 21), last_page: 3, next_page_url: null, per_page: 10, total: 23 },
    { page: 3, perPage: 10, total: 23, lastPage: 3, nextPage: null },
  ],
  [
    'paginate(), a page beyond the last one',
    { limit: 10, page: 99 },
    { current_page: 99, data: [], from: null, last_page: 3, next_page_url: null, per_page: 10, total: 23 },
    { page: 99, perPage: 10, total: 23, lastPage: 3, nextPage: null },
  ],
  [
    'paginate(), no rows',
    {},
    { current_page: 1, data: [], from: null, last_page: 1, next_page_url: null, per_page: 10, total: 0 },
    { page: 1, perPage: 10, total: 0, lastPage: 1, nextPage: null },
  ],
  [
    'paginate(), the size from the query as text',
    { limit: 2, page: 2 },
    { current_page: 2, data: rows(2, 3), last_page: 12, next_page_url: url(3), per_page: '2', total: 23 },
    { page: 2, perPage: 2, total: 23, lastPage: 12, nextPage: 3 },
  ],
  [
    'paginate(), a limit that the service does not keep',
    { limit: 100 },
    { current_page: 1, data: rows(15), last_page: 2, next_page_url: url(2), per_page: 15, total: 23 },
    { page: 1, perPage: 15, total: 23, lastPage: 2, nextPage: 2 },
  ],
  [
    'paginate(), filtered afterwards, so that the list became an object',
    { limit: 4 },
    {
      current_page: 1,
      data: { 1: { id: 2 }, 3: { id: 4 } },
      last_page: 6,
      next_page_url: url(2),
      per_page: 4,
      to: 2,
      total: 23,
    },
    { page: 1, perPage: 4, total: 23, lastPage: 6, nextPage: 2 },
  ],
  [
    'simplePaginate()',
    { limit: 2, page: 2 },
    {
      current_page: 2,
      data: rows(2, 3),
      from: 3,
      next_page_url: url(3),
      per_page: 2,
      prev_page_url: url(1),
      to: 4,
    },
    { page: 2, perPage: 2, total: null, lastPage: null, nextPage: 3 },
  ],
  [
    'simplePaginate(), the last page',
    { limit: 2, page: 2 },
    {
      current_page: 2,
      data: rows(1, 3),
      from: 3,
      next_page_url: null,
      per_page: 2,
      prev_page_url: url(1),
      to: 3,
    },
    { page: 2, perPage: 2, total: null, lastPage: null, nextPage: null },
  ],
  [
    'cursorPaginate()',
    { limit: 2 },
    {
      data: rows(2),
      path: 'http://127.0.0.1:8000/api/v1/exams',
      per_page: 2,
      next_page_url: cursor,
      prev_page_url: null,
    },
    { page: 1, perPage: 2, total: null, lastPage: null, nextPage: 2 },
  ],
  [
    'a resource collection',
    { limit: 2, page: 2 },
    {
      data: rows(2, 3),
      links: { first: url(1), last: url(12), prev: url(1), next: url(3) },
      meta: {
        current_page: 2,
        from: 3,
        last_page: 12,
        links: [button('1', 1)],
        per_page: 2,
        to: 4,
        total: 23,
      },
    },
    { page: 2, perPage: 2, total: 23, lastPage: 12, nextPage: 3 },
  ],
  [
    'an empty resource collection',
    {},
    {
      data: [],
      links: { first: url(1), last: url(1), prev: null, next: null },
      meta: { current_page: 1, from: null, last_page: 1, per_page: 10, to: null, total: 0 },
    },
    { page: 1, perPage: 10, total: 0, lastPage: 1, nextPage: null },
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
    { page: 1, perPage: 2, total: 3, lastPage: 2, nextPage: 2 },
  ],
  [
    'a resource collection of simplePaginate()',
    { limit: 2, page: 2 },
    {
      data: rows(2, 3),
      links: { first: url(1), last: null, prev: url(1), next: url(3) },
      meta: { current_page: 2, from: 3, per_page: 2, to: 4 },
    },
    { page: 2, perPage: 2, total: null, lastPage: null, nextPage: 3 },
  ],
  [
    'a resource collection of cursorPaginate()',
    { limit: 2 },
    { data: rows(2), links: { first: null, last: null, prev: null, next: cursor }, meta: { per_page: 2 } },
    { page: 1, perPage: 2, total: null, lastPage: null, nextPage: 2 },
  ],
  [
    'meta.pagination in an envelope',
    { limit: 2, page: 2 },
    {
      success: true,
      message: 'Success',
      data: rows(2, 3),
      meta: { pagination: { total: 23, per_page: 2, current_page: 2, last_page: 12, from: 3, to: 4 } },
    },
    { page: 2, perPage: 2, total: 23, lastPage: 12, nextPage: 3 },
  ],
  [
    'paginate() in an envelope',
    { limit: 2 },
    {
      success: true,
      message: 'Success',
      data: { current_page: 1, data: rows(2), last_page: 12, next_page_url: url(2), per_page: 2, total: 23 },
    },
    { page: 1, perPage: 2, total: 23, lastPage: 12, nextPage: 2 },
  ],
  [
    'a resource collection in an envelope',
    { limit: 2 },
    {
      success: true,
      message: 'Success',
      data: {
        data: rows(2),
        links: { first: url(1), last: url(12), prev: null, next: url(2) },
        meta: { current_page: 1, last_page: 12, per_page: 2, total: 23 },
      },
    },
    { page: 1, perPage: 2, total: 23, lastPage: 12, nextPage: 2 },
  ],
  [
    'an envelope that lost its metadata',
    { limit: 2 },
    { success: true, message: 'Success', data: rows(2) },
    { page: 1, perPage: 2, total: null, lastPage: null, nextPage: 2 },
  ],
  [
    'skip() and take()',
    { limit: 2, page: 2 },
    rows(2, 3),
    { page: 2, perPage: 2, total: null, lastPage: null, nextPage: 3 },
  ],
];

test.each(printed)('%s is read as it is meant', async (_, query, body, expected) => {
  const { client, reported } = serve(() => body);
  const page = await client.exams.list(query);
  const { data: _data, ...rest } = page.toJSON();
  expect(rest).toEqual(expected);
  expect(page.hasNextPage()).toBe(rest.nextPage !== null);
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
  const { client, asked } = serve((page) => ({
    data: rows(2),
    last_page: 1,
    next_page_url: url(page + 1),
    per_page: 2,
    total: 2,
  }));
  expect(await collect(client.exams.list())).toEqual(rows(2));
  expect(asked).toEqual([1]);
});
