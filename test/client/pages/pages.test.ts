import { describe, expect, test } from 'vitest';
import { connect } from '../../fixtures/responses/client.ts';
import {
  allStyles,
  linkedStyles,
  numberedStyles,
  plainStyles,
  totalStyles,
} from '../../fixtures/responses/lists.ts';
import { paged, pagesAsked, range } from '../../fixtures/responses/paged.ts';
import { bodyOf, serve } from '../../fixtures/responses/served.ts';
import { rejection } from '../../helpers/client.ts';

const all = range(23);

describe('a page says', () => {
  test.each(Object.entries(numberedStyles))(
    'its number, size, total and last page from %s',
    async (_, style) => {
      await using service = await connect(paged({ all, style }));
      const page = await service.client.exams.list({ page: 2, limit: 5 });
      expect(page).toMatchObject({ page: 2, perPage: 5, total: 23, lastPage: 5 });
      expect(page.data).toEqual(all.slice(5, 10));
    },
  );

  test.each(Object.entries(linkedStyles))('its number and size, and no total, from %s', async (_, style) => {
    await using service = await connect(paged({ all, style }));
    const page = await service.client.exams.list({ page: 3 });
    expect(page).toMatchObject({ page: 3, perPage: 10, total: null, lastPage: null });
  });

  test.each(Object.entries(plainStyles))(
    'what was asked for where the service says nothing: %s',
    async (_, style) => {
      await using service = await connect(paged({ all, style }));
      const page = await service.client.exams.list({ page: 3, limit: 4 });
      expect(page).toMatchObject({ page: 3, perPage: 4, total: null, lastPage: null });
      expect(await service.client.exams.list({ limit: 12 })).toMatchObject({ page: 1, perPage: 12 });
      expect(await service.client.exams.list()).toMatchObject({ page: 1, perPage: null });
    },
  );

  test('its total where it is all that the service says', async () => {
    await using service = await connect({ body: { data: range(10), total: 57 } });
    expect(await service.client.exams.list()).toMatchObject({
      page: 1,
      perPage: null,
      total: 57,
      lastPage: null,
    });
  });

  test('that an empty list has one page', async () => {
    await using service = await connect({ body: { data: [], total: 0, per_page: 10 } });
    expect(await service.client.exams.list()).toMatchObject({ page: 1, total: 0, lastPage: 1 });
  });

  test('the size that the service capped', async () => {
    const { 'a paginator': style = () => null } = numberedStyles;
    await using service = await connect(paged({ all, style, cap: 10 }));
    expect(await service.client.exams.list({ limit: 100 })).toMatchObject({ perPage: 10, lastPage: 3 });
  });

  test('the number of the page that came, where the service shows its last one instead', async () => {
    const { 'a resource collection': style = () => null } = numberedStyles;
    await using service = await connect(paged({ all, style, clamps: true }));
    const page = await service.client.exams.list({ page: 99 });
    expect(page).toMatchObject({ page: 3, lastPage: 3, data: all.slice(20) });
    expect(page.hasNextPage()).toBe(false);
  });

  test('nothing of numbers that make no sense', async () => {
    const meta = { per_page: 'ten', total: -1, last_page: 2.5, current_page: '' };
    await using service = await connect({ body: { data: range(2), meta } });
    expect(await service.client.exams.list()).toMatchObject({
      page: 1,
      perPage: null,
      total: null,
      lastPage: null,
    });
  });
});

describe('hasNextPage and nextPage', () => {
  const telling = { ...numberedStyles, ...linkedStyles, ...totalStyles };

  test.each(Object.entries(telling))('follow the metadata of %s', async (_, style) => {
    await using service = await connect(paged({ all, style }));
    const numbers: number[] = [];
    let page = await service.client.exams.list({ limit: 8 });
    for (;;) {
      numbers.push(page.data.length);
      const next = await page.nextPage();
      expect(page.hasNextPage()).toBe(next !== null);
      if (next === null) break;
      page = next;
    }
    expect(numbers).toEqual([8, 8, 7]);
    expect(service.server.requests).toHaveLength(3);
  });

  test.each(Object.entries(plainStyles))('without metadata, go on until %s is empty', async (_, style) => {
    await using service = await connect(paged({ all, style }));
    const first = await service.client.exams.list({ page: 2, limit: 20 });
    expect(first.hasNextPage()).toBe(true);
    expect(await first.nextPage()).toBeNull();
    const beyond = await service.client.exams.list({ page: 9 });
    expect(beyond.hasNextPage()).toBe(false);
    expect(await beyond.nextPage()).toBeNull();
    expect(pagesAsked(service.server.requests)).toEqual([2, 3, 9]);
  });

  test('a total and a page size are enough to know the last page, wherever one begins', async () => {
    const { 'a total and a page size': style = () => null } = numberedStyles;
    await using service = await connect(paged({ all, style }));
    const page = await service.client.exams.list({ page: 3 });
    expect(page.hasNextPage()).toBe(false);
  });

  test.each(['', null, false, 0, 'false', '0', {}, []])('a next page that is %j is none', async (next) => {
    await using service = await connect({ body: { data: range(2), has_more: next } });
    expect((await service.client.exams.list()).hasNextPage()).toBe(false);
  });

  test.each<[string, string, object, boolean]>([
    ['the last page', '3 last_page=2', { page: 2 }, false],
    ['a page beyond last_page', 'current_page=9 last_page=2 total=3 per_page=2', { page: 9 }, false],
    ['a page beyond last_page, with a link', 'last_page=2 next_page_url="/10"', { page: 9 }, false],
    ['a page beyond the total, with a link', 'total=3 per_page=2 next_page_url="/10"', { page: 9 }, false],
    ['a page beyond the total alone', 'total=3', { page: 9 }, false],
    ['a page whose link leads nowhere', 'next_page_url=null', { page: 9 }, false],
    ['a page that is less than its limit', '1 2 total=5 per_page=100 last_page=1', { limit: 100 }, false],
    ['a page before the last one', '1 last_page=2', {}, true],
    ['a page that has rows and no metadata', '1', {}, true],
  ])('of %s, as its metadata says', async (_, line, query, hasNext) => {
    const { client, asked } = serve(() => bodyOf(line));
    const page = await client.exams.list(query);
    expect(page.hasNextPage()).toBe(hasNext);
    expect(page.toJSON().nextPageNumber === null).toBe(!hasNext);
    if (!hasNext) expect(await page.nextPage()).toBeNull();
    expect(asked).toHaveLength(1);
  });
});

test.each(Object.entries(allStyles))(
  'a page computes the next one and keeps the rest of the query: %s',
  async (_, style) => {
    await using service = await connect(paged({ all: range(9), style }));
    const first = await service.client.participants.list(
      { limit: 4, page: 1 },
      { query: { school: 'SMA 1' } },
    );
    await first.nextPage();
    const [, next] = service.server.requests;
    expect(next?.path).toBe('/participants');
    expect(Object.fromEntries(next?.query ?? [])).toEqual({ limit: '4', school: 'SMA 1', page: '2' });
  },
);

test('the first request names a page only when the caller did', async () => {
  await using service = await connect({ body: [] });
  await service.client.exams.list();
  await service.client.exams.list({ page: 1 });
  expect(pagesAsked(service.server.requests)).toEqual([null, 1]);
});

test('deliveries are paged by per_page', async () => {
  const delivery = (id: number) => ({
    id: String(id),
    event: 'exam_result.scored',
    status: 'delivered',
    attempts: 1,
    payload: {},
    created_at: '2026-03-01T09:45:13+07:00',
  });
  const { 'meta.pagination in an envelope': style = () => null } = numberedStyles;
  await using service = await connect(paged({ all: range(5).map(({ id }) => delivery(id)), style }));
  const query = { per_page: 2, status: 'delivered' };
  const deliveries = await service.client.webhooks.deliveries(3, query).toArray({ maxItems: 10 });
  expect(deliveries.map(({ id }) => id)).toEqual(['1', '2', '3', '4', '5']);
  expect(service.server.requests.map(({ path, query: sent }) => [path, Object.fromEntries(sent)])).toEqual([
    ['/webhooks/3/deliveries', { per_page: '2', status: 'delivered' }],
    ['/webhooks/3/deliveries', { per_page: '2', status: 'delivered', page: '2' }],
    ['/webhooks/3/deliveries', { per_page: '2', status: 'delivered', page: '3' }],
  ]);
});

test('a failure to fetch the next page leaves this page as it was', async () => {
  await using service = await connect([
    { body: [{ id: 1 }] },
    { status: 500, body: { message: 'Out of order' } },
  ]);
  const page = await service.client.exams.list();
  expect(await rejection(page.nextPage())).toMatchObject({
    code: 'internal_server',
    operation: 'exams.list',
  });
  expect(page.data).toEqual([{ id: 1 }]);
});

test('a page as JSON names the next one, and the last one none', async () => {
  const { 'a paginator': style = () => null } = allStyles;
  await using service = await connect(paged({ all: range(15), style }));
  const page = await service.client.exams.list();
  const written = async (one: unknown) => JSON.parse(JSON.stringify(one));
  const counts = { perPage: 10, total: 15, lastPage: 2 };
  expect(await written(page)).toEqual({ data: range(10), page: 1, ...counts, nextPageNumber: 2 });
  expect(await written(await page.nextPage())).toMatchObject({ page: 2, ...counts, nextPageNumber: null });
});
