import { describe, expect, test } from 'vitest';
import { ExamClient, NotFoundError, ResponseFormatError } from '../../../src/index.ts';
import { collect, connect, rejection } from '../../fixtures/responses/client.ts';
import { allStyles, linkedStyles, numberedStyles, plainStyles } from '../../fixtures/responses/lists.ts';
import { pagesAsked, range, show } from '../../fixtures/responses/paged.ts';
import type { Handler } from '../../helpers/server.ts';

const all = range(57);
const none = () => null;
const {
  'a paginator': numbered = none,
  'a total': totalOnly = none,
  'a bare array': plain = none,
} = allStyles;
const pageOf = (query: URLSearchParams) => Number(query.get('page') ?? 1);

/** A service without metadata that shows these pages, and nothing beyond them. */
const showing =
  (...pages: ReadonlyArray<readonly unknown[]>): Handler =>
  ({ query }) => ({ body: pages[pageOf(query) - 1] ?? [] });

describe('without metadata, a page that came before', () => {
  const [a, b, c] = [range(3), range(6).slice(3), range(9).slice(6)] as const;

  test.each([1, 4])(
    'is an error when the service repeats its pages (concurrency %i)',
    async (concurrency) => {
      await using service = await connect(({ query }) => ({ body: [a, b, c][(pageOf(query) - 1) % 3] }));
      const seen: unknown[] = [];
      const loop = async () => {
        for await (const item of service.client.exams.list({}, { concurrency })) seen.push(item);
      };
      const error = await rejection(loop());
      expect(error).toBeInstanceOf(ResponseFormatError);
      expect(error).toMatchObject({ operation: 'exams.list', status: 200, retryable: true });
      expect(String(error)).toContain(
        'page 4 repeats page 1: the service repeats its pages, or their order changes',
      );
      expect(seen).toEqual([...a, ...b, ...c]);
    },
  );

  test('is an error for a user who goes from page to page', async () => {
    await using service = await connect(showing(a, b, a));
    const second = await (await service.client.exams.list()).nextPage();
    expect(String(await rejection(second?.nextPage() ?? Promise.resolve()))).toContain(
      'page 3 repeats page 1',
    );
  });

  test('is known by its ids, whatever else changes', async () => {
    await using service = await connect(({ query }, { number }) => ({
      body: (pageOf(query) % 2 === 1 ? a : b).map(({ id }) => ({ id, read_at: number })),
    }));
    expect(await rejection(collect(service.client.exams.list()))).toBeInstanceOf(ResponseFormatError);
  });

  test('is known by the whole records where there are no ids', async () => {
    const results = ['A', 'B'].map((participant_code) => [{ participant_code }]);
    await using service = await connect(({ query }) => ({ body: results[(pageOf(query) - 1) % 2] }));
    expect(String(await rejection(collect(service.client.examResults.list())))).toContain('repeats page 1');
  });

  test('is the end when it is the one just before', async () => {
    await using service = await connect(showing(a, b, c, c, c));
    expect(await collect(service.client.exams.list())).toEqual(range(9));
  });

  test('is no matter when only some of its items did', async () => {
    await using service = await connect(showing(a, [...a.slice(2), ...b], [...a, ...c], a.slice(1)));
    expect(await collect(service.client.exams.list())).toHaveLength(3 + 4 + 6 + 2);
  });

  test('counts in the iteration at hand only', async () => {
    await using service = await connect(showing(a, b, c));
    const list = service.client.exams.list();
    expect([await collect(list), await collect(list), await collect(await list)]).toEqual(
      Array.from({ length: 3 }, () => range(9)),
    );
  });
});

test('with metadata, a page of before the last one is an error as well', async () => {
  await using service = await connect(({ query }) => {
    const page = new URLSearchParams({ page: String(((pageOf(query) - 1) % 3) + 1) });
    const body = show({ all, style: numbered }, page) as object;
    return { body: { ...body, current_page: pageOf(query) } };
  });
  const error = await rejection(collect(service.client.exams.list()));
  expect(String(error)).toContain('page 4 repeats page 1');
});

describe('rows that are inserted at the head meanwhile', () => {
  /** A list of which `count` more rows stand at the head once page 3 is asked for. */
  const growing =
    (count: number, style = numbered): Handler =>
    ({ query }) => {
      const rows = pageOf(query) < 3 ? all : [...range(57 + count).slice(57), ...all];
      return { body: show({ all: rows, style }, query) };
    };

  test.each([
    ['a part of a page', 4, numbered],
    ['exactly one page, by the total and the last page', 10, numbered],
    ['exactly two pages', 20, numbered],
    ['exactly one page, by the total alone', 10, totalOnly],
  ])('push others onto the next page: %s', async (_, count, style) => {
    await using service = await connect(growing(count, style));
    const items = await collect(service.client.exams.list());
    expect(items).toEqual([...all.slice(0, 20), ...all.slice(20 - count)]);
  });

  test('are known by the last page where there is no total', async () => {
    const lastPage = (shown: { all: readonly unknown[] }) => Math.ceil(shown.all.length / 10);
    await using service = await connect(
      growing(10, (shown) => ({ data: plain(shown), last_page: lastPage(shown) })),
    );
    expect(await collect(service.client.exams.list())).toHaveLength(67);
  });

  test('leave each once with distinct', async () => {
    await using service = await connect(growing(10));
    expect(await collect(service.client.exams.list({}, { distinct: true }))).toEqual(all);
  });

  test('do not hide that the service ignores page: one row more does not move a page', async () => {
    await using service = await connect((_, { number }) => ({
      body: show({ all: range(56 + number), style: numbered, ignoresPage: true }, new URLSearchParams()),
    }));
    const error = await rejection(collect(service.client.exams.list()));
    expect(String(error)).toContain('page 2 repeats page 1');
    // It will not page by number the next time either.
    expect(error).toMatchObject({ retryable: false });
  });
});

describe('a 404 beyond the first page', () => {
  const missing =
    (style = plain): Handler =>
    ({ query }) =>
      pageOf(query) > 6
        ? { status: 404, body: { message: 'No page' } }
        : { body: show({ all, style }, query) };

  test.each(Object.entries(plainStyles))('ends a list without metadata: %s', async (_, style) => {
    await using service = await connect(missing(style));
    expect(await collect(service.client.exams.list())).toEqual(all);
    expect(pagesAsked(service.server.requests)).toEqual([null, 2, 3, 4, 5, 6, 7]);
  });

  test('ends it with pages fetched ahead, too', async () => {
    await using service = await connect(missing());
    expect(await collect(service.client.exams.list({}, { concurrency: 5 }))).toEqual(all);
  });

  test('is no next page', async () => {
    await using service = await connect(missing());
    expect(await (await service.client.exams.list({ page: 6 })).nextPage()).toBeNull();
  });

  test.each([1, 4])(
    'is an error where the metadata promises the page (concurrency %i)',
    async (concurrency) => {
      for (const style of Object.values({ ...numberedStyles, ...linkedStyles, totalOnly })) {
        await using service = await connect(({ query }) =>
          pageOf(query) > 3 ? { status: 404 } : { body: show({ all, style }, query) },
        );
        const error = await rejection(collect(service.client.exams.list({}, { concurrency })));
        expect(error).toBeInstanceOf(NotFoundError);
      }
    },
  );

  test('is an error when it is the first page that was asked for', async () => {
    await using service = await connect(missing());
    const list = service.client.exams.list({ page: 7 });
    expect(await rejection(list)).toBeInstanceOf(NotFoundError);
    expect(await rejection(collect(list))).toBeInstanceOf(NotFoundError);
  });

  test('does not stand for other failures', async () => {
    await using service = await connect([{ body: [{ id: 1 }] }, { status: 410 }]);
    expect(await rejection(collect(service.client.exams.list()))).toMatchObject({ status: 410 });
  });
});

describe('a very long list', () => {
  /** A client of a service that exists only as a function: thousands of requests need no network. */
  const clientOf = (answer: (query: URLSearchParams) => unknown) =>
    new ExamClient({
      baseUrl: 'http://localhost/api/v1',
      apiKey: 'key-of-the-tests',
      fetch: async (url) => Response.json(answer(new URL(url).searchParams)),
    });

  test('is read to its end, page by page', async () => {
    const service = { all: range(6_000), style: plain, perPage: 2 };
    const client = clientOf((query) => show(service, query));
    let count = 0;
    for await (const _ of client.exams.list()) count += 1;
    expect(count).toBe(6_000);
  });

  test('of empty pages only is an error in the end, although each has a link to the next', async () => {
    const client = clientOf(() => ({ data: [], next_page_url: 'http://exam.example.test' }));
    const error = await rejection(collect(client.exams.list()));
    expect(error).toBeInstanceOf(ResponseFormatError);
    expect(String(error)).toContain('1000 pages in a row are empty');
    expect(error).toMatchObject({ retryable: true });
  });

  test('of empty pages only is an error in the end, although each says that it is the last but one', async () => {
    const client = clientOf((query) => {
      const page = Number(query.get('page') ?? 1);
      return { data: page === 1 ? [{ id: 1 }] : [], current_page: page, last_page: page + 1 };
    });
    const error = await rejection(collect(client.exams.list()));
    expect(error).toBeInstanceOf(ResponseFormatError);
    expect(String(error)).toContain('1000 pages in a row are empty');
  });

  test('goes on over more empty pages than that where the metadata counts them', async () => {
    const client = clientOf((query) => {
      const page = Number(query.get('page') ?? 1);
      const isFilled = page === 1 || page === 1_003;
      return { data: isFilled ? [{ id: page }] : [], current_page: page, last_page: 1_003 };
    });
    expect(await collect(client.exams.list())).toEqual([{ id: 1 }, { id: 1_003 }]);
  });
});

test.each<[string, (index: number) => object]>([
  ['one id', (index) => ({ id: 7, score: index })],
  ['ids too large to be exact', (index) => ({ id: 2 ** 53 + 2 * Math.floor(index / 30), score: index })],
  ['no id', (index) => ({ score: index })],
])('rows with %s are told apart by the rest of them: their list is read to its end', async (_, rowAt) => {
  const rows = Array.from({ length: 25 }, (_row, index) => rowAt(index));
  await using service = await connect(({ query }) => ({ body: show({ all: rows, style: plain }, query) }));
  const list = service.client.examResults.list({}, { validation: 'off' });
  expect(await list.toArray({ maxItems: 99 })).toEqual(rows);
});
