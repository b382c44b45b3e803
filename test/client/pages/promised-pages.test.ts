import { describe, expect, test } from 'vitest';
import { type ListOptions, ResponseFormatError } from '../../../src/index.ts';
import { collect, connect, rejection } from '../../fixtures/responses/client.ts';
import { range } from '../../fixtures/responses/paged.ts';

/** The items of a page of a list. */
const rows = (page: number, size: number, count = 180) => range(count).slice((page - 1) * size, page * size);

/** A service that answers each page as told. */
const service = (bodyOf: (page: number) => unknown, options = {}) =>
  connect(({ query }) => ({ body: bodyOf(Number(query.get('page') ?? 1)) }), options);

describe('a page that was promised and brings nothing new is an error and no end of the list:', () => {
  const numbered = (page: number) => ({ data: rows(page, 10), total: 180, per_page: 10, last_page: 18 });
  const linked = (page: number) => ({ data: rows(page, 10), next_page_url: `/exams?page=${page + 1}` });
  const counted = (page: number) => ({ data: rows(page, 10), total: 180 });
  // It says that it gives 100, and gives 50.
  const capped = (page: number) => ({ data: rows(page, 50), total: 180, per_page: 100 });

  test.each<[string, (page: number) => object, number, unknown, string]>([
    [
      'empty, beside a last page and a size that was not kept',
      (page) => ({ ...capped(page), last_page: 4 }),
      3,
      { data: [], total: 180 },
      'ended after 100 items, although its metadata counts 180',
    ],
    [
      'empty, beside a link and a size that was not kept',
      (page) => ({ ...capped(page), next_page_url: '/exams?page=next' }),
      3,
      { data: [], total: 180 },
      'ended after 100 items, although its metadata counts 180',
    ],
    ['empty in an envelope alone', numbered, 2, { success: true, data: [] }, 'page 2 is empty, although'],
    ['an empty list alone', numbered, 2, [], 'page 2 is empty, although'],
    ['empty metadata', numbered, 2, { data: [], meta: [] }, 'page 2 is empty, although'],
    ['an empty list alone, where a total is all that is said', counted, 2, [], 'page 2 is empty, although'],
    ['empty after a link', linked, 2, { data: [] }, 'page 2 is empty, although'],
    ['the first page alone', numbered, 2, rows(1, 10), 'page 2 repeats page 1, although'],
  ])('%s', async (_, style, number, body, told) => {
    await using given = await service((page) => (page === number ? body : style(page)));
    const error = await rejection(collect(given.client.exams.list()));
    expect(error).toBeInstanceOf(ResponseFormatError);
    expect(String(error)).toContain(told);
  });
});

describe('a link says more than a total that counts the items of a page:', () => {
  test('a page of which nothing is left after filtering is no end', async () => {
    await using given = await service((page) => {
      const data = page === 2 ? [] : rows(page, 10, 40);
      return { data, total: data.length, per_page: 10, next_page_url: page < 4 ? '/exams?page=next' : null };
    });
    expect(await collect(given.client.exams.list())).toEqual(
      range(40).filter(({ id }) => id < 11 || id > 20),
    );
  });

  test('a service that ignores page and gives a cursor is not paged by number', async () => {
    await using given = await service(() => ({
      data: rows(1, 10),
      total: 10,
      per_page: 10,
      next_cursor: 'abc',
    }));
    const error = await rejection(collect(given.client.exams.list()));
    expect(String(error)).toContain('the service does not page this list by number');
  });
});

test('from a later page on, a page size that the service does not keep is no end', async () => {
  await using given = await service((page) => ({
    data: rows(page, 50),
    total: 180,
    per_page: 100,
    current_page: page,
  }));
  expect(await collect(given.client.exams.list({ page: 2, limit: 100 }))).toEqual(range(180).slice(50));
});

test.each<[string, ListOptions]>([
  ['one after the other', {}],
  ['some of them ahead', { concurrency: 3 }],
])('once metadata is doubted, its page number ends nothing: pages %s', async (_, options) => {
  const body = (page: number) => ({
    data: rows(page, 10, 30),
    current_page: 1,
    last_page: 1,
    total: 30,
    per_page: 10,
  });
  await using given = await service(body, { validation: 'report' });
  expect(await collect(given.client.exams.list({}, options))).toEqual(range(30));
});

test.each([
  ['first', (page: number) => ({ total: 40, meta: { total: page < 5 ? 10 : 0 } })],
  ['last', (page: number) => ({ total: page < 5 ? 10 : 0, meta: { total: 40 } })],
])('of two totals the greater counts the list, where it stands %s', async (_, totals) => {
  await using given = await service((page) => ({ data: rows(page, 10, 40), per_page: 10, ...totals(page) }));
  const page = await given.client.exams.list();
  expect(page.total).toBe(40);
  expect(await collect(page)).toEqual(range(40));
});

test('nothing is fetched ahead where no page follows', async () => {
  await using given = await service(() => ({ data: rows(1, 10, 10), next_page_url: null }));
  expect(await collect(given.client.exams.list({}, { concurrency: 3 }))).toEqual(range(10));
  expect(given.server.requests).toHaveLength(1);
});

describe('a link to a next page that is always there', () => {
  const always = (page: number, total: number) => ({
    data: rows(page, 10, 20),
    total,
    per_page: 10,
    next_page_url: '/exams?page=next',
  });

  test('ends with an empty page beside a total that is reached', async () => {
    await using given = await service((page) => always(page, 20));
    expect(await collect(given.client.exams.list())).toEqual(range(20));
    expect(given.server.requests).toHaveLength(3);
  });

  test('is not followed without end beside a total that counts the items of a page', async () => {
    await using given = await service((page) => always(page, page < 3 ? 10 : 0));
    const error = await rejection(collect(given.client.exams.list()));
    expect(String(error)).toContain('1000 pages in a row are empty');
  });
});

describe('a total that equals the size of a full page may count that page alone, so the next page is asked for:', () => {
  const counted = (page: number, perPage?: number) => {
    const data = rows(page, 50);
    return { data, total: data.length, per_page: perPage };
  };

  test.each([
    ['beside the size of the page', 50],
    ['beside nothing', undefined],
  ])('%s', async (_, perPage) => {
    await using given = await service((page) => counted(page, perPage));
    expect(await collect(given.client.exams.list({ limit: 50 }))).toEqual(range(180));
  });

  test.each([
    ['empty', { data: [], total: 50, per_page: 50 }],
    ['the same page', { data: rows(1, 50), total: 50, per_page: 50 }],
  ])('where the list has no more, and the next page is %s, it ends', async (_, second) => {
    await using given = await service((page) => (page === 1 ? counted(1, 50) : second));
    expect(await collect(given.client.exams.list({ limit: 50 }))).toEqual(range(50));
    expect(given.server.requests).toHaveLength(2);
  });

  test('a last page beside it says that there is none', async () => {
    await using given = await service((page) => ({ ...counted(page, 50), last_page: 1 }));
    expect(await collect(given.client.exams.list({ limit: 50 }))).toEqual(range(50));
    expect(given.server.requests).toHaveLength(1);
  });
});
