import { describe, expect, test } from 'vitest';
import {
  type ListOptions,
  NotFoundError,
  type OnSchemaDriftEvent,
  ResponseValidationError,
} from '../../../src/index.ts';
import { collect, connect, rejection } from '../../fixtures/responses/client.ts';
import {
  allStyles,
  contradictoryStyles,
  type ListStyle,
  type Shown,
  saying,
} from '../../fixtures/responses/lists.ts';
import { type PagedService, paged, pagesAsked, range, show } from '../../fixtures/responses/paged.ts';

const all = range(57);
const { 'a paginator': paginator = () => null, 'a bare array': plain = () => null } = allStyles;

/** A client of the service, what its hook was told, and what its log was. */
async function observe(service: PagedService, validation: 'strict' | 'report' | 'off') {
  const told: OnSchemaDriftEvent[] = [];
  const warnings: string[] = [];
  const logger = { debug() {}, info() {}, error() {}, warn: (line: string) => warnings.push(line) };
  const hooks = { onSchemaDrift: (event: OnSchemaDriftEvent) => told.push(event) };
  return { told, warnings, ...(await connect(paged(service), { validation, logger, hooks })) };
}

/** The items that an iteration gave before it failed, and why it did. */
async function failing<Item>(items: AsyncIterable<Item>) {
  const seen: Item[] = [];
  const loop = async () => {
    for await (const item of items) seen.push(item);
  };
  return { error: await rejection(loop()), seen };
}

describe.each(Object.entries(contradictoryStyles))('%s beside a total that is not reached', (_, style) => {
  test('is an error in mode strict, after the items of the page that says so', async () => {
    await using service = await observe({ all, style }, 'strict');
    const { error, seen } = await failing(service.client.exams.list());
    expect(error).toBeInstanceOf(ResponseValidationError);
    expect(error).toMatchObject({ operation: 'exams.list', status: 200, issues: [{ path: 'total' }] });
    expect(String(error)).toContain("`validation: 'report'`");
    expect(seen).toEqual(all.slice(0, 10));
    expect(service.told).toEqual([]);
  });

  test.each(['report', 'off'] as const)('is told once in mode %s, and no end', async (validation) => {
    await using service = await observe({ all, style }, validation);
    expect(await collect(service.client.exams.list())).toEqual(all);
    expect(service.told).toMatchObject([{ operation: 'exams.list', issues: [{ path: 'total' }] }]);
    expect(JSON.stringify(service.told.map(({ issues }) => issues))).not.toContain('57');
    expect(service.warnings).toHaveLength(1);
    expect(pagesAsked(service.server.requests)).toEqual([null, 2, 3, 4, 5, 6]);
  });

  test('is no end with pages fetched ahead', async () => {
    await using service = await observe({ all, style }, 'report');
    expect(await collect(service.client.exams.list({}, { concurrency: 4 }))).toEqual(all);
    expect(service.told).toHaveLength(1);
  });

  test('concerns only those who go on', async () => {
    await using service = await observe({ all, style }, 'strict');
    const first = await service.client.exams.list();
    expect(first.hasNextPage()).toBe(true);
    expect(await rejection(first.nextPage())).toBeInstanceOf(ResponseValidationError);
    expect(await service.client.exams.list().toArray({ maxItems: 10 })).toHaveLength(10);
    expect(await collect(service.client.exams.list({}, { maxPages: 1 }))).toHaveLength(10);
    expect(service.server.requests).toHaveLength(3);
  });
});

describe('a list whose metadata contradicts itself, read on in mode report', () => {
  const style = saying({ last_page: 1 });
  const lying: ListStyle = (shown) => ({ ...(style(shown) as object), total: 1_000 });

  test('ends with an empty page when the total is too high', async () => {
    await using service = await observe({ all, style: lying }, 'report');
    expect(await collect(service.client.exams.list())).toEqual(all);
    expect(service.told).toHaveLength(1);
    expect(pagesAsked(service.server.requests)).toEqual([null, 2, 3, 4, 5, 6, 7]);
  });

  test('ends with a 404', async () => {
    await using service = await connect(
      ({ query }) =>
        Number(query.get('page')) > 6 ? { status: 404 } : { body: show({ all, style: lying }, query) },
      { validation: 'report' },
    );
    expect(await collect(service.client.exams.list())).toEqual(all);
  });

  test('ends with the page that comes again, without repeats', async () => {
    await using service = await observe({ all, style, ignoresPage: true }, 'report');
    expect(await collect(service.client.exams.list())).toEqual(all.slice(0, 10));
    expect(service.told).toHaveLength(1);
  });

  test('is told once, too, when a user goes from page to page', async () => {
    await using service = await observe({ all, style }, 'report');
    let [page, count]: [Awaited<ReturnType<typeof service.client.exams.list>> | null, number] = [
      await service.client.exams.list(),
      0,
    ];
    while (page !== null) [page, count] = [await page.nextPage(), count + 1];
    expect(count).toBe(6);
    expect(service.told).toHaveLength(1);
  });
});

test('metadata that appears late and contradicts itself is an error as well', async () => {
  await using service = await connect([
    { body: { data: all.slice(0, 10) } },
    { body: { data: all.slice(10, 20), total: 57, last_page: 1 } },
  ]);
  const { error, seen } = await failing(service.client.exams.list());
  expect(error).toBeInstanceOf(ResponseValidationError);
  expect(seen).toEqual(all.slice(0, 20));
});

describe('a last_page made with a limit that the service did not keep', () => {
  const style = saying({ last_page: 1, per_page: 100 });
  const query = { limit: 100 };

  test('is an error as soon as the next page shows it', async () => {
    await using service = await observe({ all, style, cap: 10 }, 'strict');
    const { error, seen } = await failing(service.client.exams.list(query));
    expect(error).toBeInstanceOf(ResponseValidationError);
    expect(seen).toEqual(all.slice(0, 10));
  });

  test('is told once in mode report, and no end', async () => {
    await using service = await observe({ all, style, cap: 10 }, 'report');
    expect(await collect(service.client.exams.list(query))).toEqual(all);
    expect(service.told).toHaveLength(1);
  });
});

describe.each<[string, object]>([
  ['a total of 0', { total: 0 }],
  ['a total of 0 and the pages made of it', { total: 0, per_page: 10, last_page: 1, next_page_url: null }],
  ['a total below the items of the page', { total: 9, current_page: 1 }],
  ['a last page of 0', { last_page: 0 }],
])('%s beside items says nothing of the end', (_, said) => {
  test.each([1, 4])('so all items are read, with %i requests at once', async (concurrency) => {
    const style: ListStyle = ({ all, page, perPage }) => ({
      data: all.slice((page - 1) * perPage, page * perPage),
      ...said,
    });
    await using service = await observe({ all, style }, 'strict');
    expect(await collect(service.client.exams.list({}, { concurrency }))).toEqual(all);
  });
});

describe('no contradiction', () => {
  const strict = async (service: PagedService, query = {}, options: ListOptions = {}) => {
    await using connected = await observe(service, 'strict');
    return await collect(connected.client.exams.list(query, options));
  };

  test('is a total that items were filtered out of after paging', async () => {
    const keep = (item: unknown) => all.slice(0, 40).some((exam, index) => exam === item && index % 3 > 0);
    expect(await strict({ all, style: paginator, keep })).toEqual(all.filter(keep));
  });

  describe.each([{ clamps: true }, { wraps: true }])(
    'is such a total where later pages are shown again: %o',
    (beyond) => {
      test.each([
        ['with a page size', saying({ per_page: 10 })],
        ['in a paginator', paginator],
      ])('%s', async (_, style) => {
        const keep = (item: unknown) => (item as { id: number }).id % 3 > 0;
        expect(await strict({ all, style, keep, ...beyond })).toEqual(all.filter(keep));
      });
    },
  );

  test('is a last page before the one that is read first', async () => {
    const style = saying({ last_page: 1 });
    expect(await strict({ all, style }, { page: 3 })).toEqual(all.slice(20));
  });

  test('is a total that shrinks because exams are deleted meanwhile', async () => {
    await using service = await connect(({ query }, { number }) => ({
      body: show({ all: all.slice(0, number > 2 ? 31 : 57), style: paginator }, query),
    }));
    expect(await collect(service.client.exams.list())).toEqual(all.slice(0, 31));
  });

  test('is a list that becomes shorter, of which the first page is shown for one that is gone', async () => {
    await using service = await connect(({ query }, { number }) => ({
      body:
        number > 2
          ? show({ all: all.slice(0, 20), style: paginator }, new URLSearchParams())
          : show({ all: all.slice(0, 21), style: paginator }, query),
    }));
    expect(await collect(service.client.exams.list())).toEqual(all.slice(0, 20));
  });

  test('is a total that grows when a page of exams is added after the last', async () => {
    const keep = (item: unknown) => (item as { id: number }).id % 10 > 2;
    await using service = await connect(({ query }, { number }) => ({
      body: show({ all: all.slice(0, number > 2 ? 30 : 20), style: paginator, keep }, query),
    }));
    expect(await collect(service.client.exams.list())).toEqual(all.slice(0, 30).filter(keep));
  });
});

describe('whatever leads to a next page', () => {
  test.each<[string, object]>([
    ['a link as an object', { links: { next: { href: '/exams?cursor=10' } } }],
    ['a cursor that is a number', { meta: { next_cursor: 10 } }],
    ['a cursor of its own', { meta: { cursor: { current: null, next: 10, count: 10 } } }],
    ['has_more', { has_more: true }],
    ['a token', { next_page_token: 'abc' }],
    ['a next page', { pagination: { next_page: 2 } }],
  ])('is more, and where it does not come an error, no shorter list: %s', async (_, more) => {
    const style: ListStyle = (shown) => ({ exams: plain(shown), ...more });
    await using service = await observe({ all, style, ignoresPage: true }, 'strict');
    const { error, seen } = await failing(service.client.exams.list());
    expect(String(error)).toContain('page 2 repeats page 1');
    expect(seen).toEqual(all.slice(0, 10));
  });

  test('is read where the service pages by number all the same', async () => {
    const style: ListStyle = (shown) => ({
      data: plain(shown),
      links: { next: shown.page < 6 ? { href: '/next' } : null },
    });
    await using service = await observe({ all, style }, 'strict');
    expect(await collect(service.client.exams.list())).toEqual(all);
    expect(pagesAsked(service.server.requests)).toEqual([null, 2, 3, 4, 5, 6]);
  });
});

test('a list that is read from a later page on is held against its total as well', async () => {
  // The service says that it gives 20, and gives 10.
  const style: ListStyle = (shown) => ({
    data: plain(shown),
    meta: { current_page: shown.page, per_page: 20, last_page: 3, total: 57 },
  });
  await using service = await observe({ all, style }, 'strict');
  const { error, seen } = await failing(service.client.exams.list({ page: 2 }));
  expect(error).toMatchObject({ name: 'ResponseValidationError', issues: [{ path: 'total' }] });
  expect(seen).toEqual(all.slice(10, 30));
});

test('a page size of 0 says nothing of the pages before', async () => {
  const style: ListStyle = (shown) => ({
    data: plain(shown),
    meta: { current_page: shown.page, per_page: 0, last_page: 6, total: 57 },
  });
  await using service = await observe({ all, style }, 'strict');
  expect(await collect(service.client.exams.list({ page: 2 }))).toEqual(all.slice(10));
});

describe('rows that the metadata denies come all the same:', () => {
  const listing = (shown: Shown, more: object) => ({ data: plain(shown), ...more });
  const isLast = (shown: Shown) => shown.page >= 6;

  test.each<[string, ListStyle, object?]>([
    [
      'a last page of 1 beside a link to the next',
      (shown) => listing(shown, { last_page: 1, next_page_url: isLast(shown) ? null : '/exams?page=next' }),
    ],
    [
      'a last page of 1 beside has_more',
      (shown) => listing(shown, { meta: { last_page: 1 }, has_more: !isLast(shown) }),
    ],
    [
      'a total of the page beside that of the list',
      (shown) => listing(shown, { total: 10, meta: { total: all.length } }),
    ],
    ['a last page of 1 beside another', (shown) => listing(shown, { last_page: 1, meta: { last_page: 6 } })],
    ['a last page that becomes less', (shown) => listing(shown, { last_page: shown.page === 1 ? 6 : 1 })],
    [
      'a page size that is only repeated, from page 2 on',
      (shown) => listing(shown, { total: all.length, per_page: 100 }),
      { page: 2 },
    ],
    [
      'a last page of that size, from page 2 on',
      (shown) => listing(shown, { total: all.length, per_page: 100, last_page: 1 }),
      { page: 2 },
    ],
  ])('%s', async (_, style, query = {}) => {
    await using service = await observe({ all, style }, 'strict');
    const expected = all.slice('page' in query ? 10 : 0);
    expect(await collect(service.client.exams.list(query))).toEqual(expected);
  });

  test('a total of 0 keeps no promise of a next page from being one', async () => {
    await using service = await connect(({ query }) =>
      query.has('page') ? { status: 404 } : { body: { data: all.slice(0, 10), total: 0, last_page: 3 } },
    );
    expect((await failing(service.client.exams.list())).error).toBeInstanceOf(NotFoundError);
  });
});
