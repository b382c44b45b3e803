import { describe, expect, test } from 'vitest';
import { ConfigurationError, ResponseFormatError } from '../../../src/index.ts';
import { collect, collectFrom, connect } from '../../fixtures/responses/client.ts';
import { range } from '../../fixtures/responses/paged.ts';
import { failure, rejection } from '../../helpers/client.ts';
import type { Handler } from '../../helpers/server.ts';

const all = range(9);
/** Nine exams in four pages: 1 2 3 4 - 3 4 5 - 5 4 - 6 7 8 9 1 */
const overlapping: Handler = ({ query }) => {
  const pages = [
    [1, 2, 3, 4],
    [3, 4, 5],
    [5, 4],
    [6, 7, 8, 9, 1],
  ];
  return { body: (pages[Number(query.get('page') ?? 1) - 1] ?? []).map((id) => ({ id })) };
};

describe('distinct: true leaves out the rows that an iteration gave already', () => {
  test.each([1, 4])('item by item (concurrency %i)', async (concurrency) => {
    await using service = await connect(overlapping);
    const list = service.client.exams.list({}, { distinct: true, concurrency });
    expect(await collect(list)).toEqual(all);
  });

  test('page by page, where a page may be left empty', async () => {
    await using service = await connect(overlapping);
    const pages = await collect(service.client.exams.list({}, { distinct: true }).pages());
    expect(pages.map(({ data }) => data.map(({ id }) => id))).toEqual([[1, 2, 3, 4], [5], [], [6, 7, 8, 9]]);
  });

  test('in arrays and maps', async () => {
    await using service = await connect(overlapping);
    const list = service.client.exams.list({}, { distinct: true });
    expect(await list.toArray({ maxItems: 100 })).toEqual(all);
    expect((await list.toMap(({ id }) => id, { maxItems: 100 })).size).toBe(9);
  });

  test('from a page on', async () => {
    await using service = await connect(overlapping);
    const page = await service.client.exams.list({ page: 2 }, { distinct: true });
    expect((await collect(page)).map(({ id }) => id)).toEqual([3, 4, 5, 6, 7, 8, 9, 1]);
  });

  test('from a page on that came without some of its rows, with what that page has', async () => {
    await using service = await connect(overlapping);
    const [, second] = await collect(service.client.exams.list({}, { distinct: true }).pages());
    expect((await collectFrom(second)).map(({ id }) => id)).toEqual([5, 4, 6, 7, 8, 9, 1]);
  });

  test('within one page as well', async () => {
    await using service = await connect([
      { body: { data: [{ id: 1 }, { id: 1 }, { id: 2 }], last_page: 1 } },
    ]);
    expect(await collect(service.client.exams.list({}, { distinct: true }))).toEqual(range(2));
  });

  test('and each iteration starts over', async () => {
    await using service = await connect(overlapping);
    const list = service.client.exams.list({}, { distinct: true });
    expect([await collect(list), await collect(list)]).toEqual([all, all]);
  });
});

test('without distinct every row is given, and so are those of a page that is awaited or comes next', async () => {
  await using service = await connect(overlapping);
  expect(await collect(service.client.exams.list())).toHaveLength(14);
  const page = await service.client.exams.list({}, { distinct: true });
  expect((await page.nextPage())?.data).toHaveLength(3);
});

test('maxItems counts the rows that are given', async () => {
  await using service = await connect(overlapping);
  const list = (maxItems: number) => service.client.exams.list({}, { distinct: true, maxItems });
  expect(await collect(list(6))).toEqual(range(6));
  expect(await collect(list(5))).toEqual(range(5));
  expect(await list(8).toArray({ maxItems: 7 })).toEqual(range(7));
  expect(await collect(list(5).pages())).toHaveLength(2);
});

describe('a function distinguishes rows by another key', () => {
  test('also where they have no id', async () => {
    const results = ['A', 'B', 'A'].map((participant_code, score) => ({ participant_code, score }));
    await using service = await connect([{ body: { data: results, last_page: 1 } }]);
    const distinct = (result: { readonly [field: string]: unknown }) => result['participant_code'];
    expect(await collect(service.client.examResults.list({}, { distinct }))).toEqual(results.slice(0, 2));
  });

  test('compared as keys of a Map are', async () => {
    const keys = ['1', 1, 0, -0, '1', 1n, Number.MAX_SAFE_INTEGER];
    const items = range(keys.length);
    await using service = await connect([{ body: { data: items, last_page: 1 } }]);
    const distinct = ({ id }: { readonly id: number }) => keys[id - 1];
    const given = await collect(service.client.exams.list({}, { distinct }));
    expect(given.map(({ id }) => id)).toEqual([1, 2, 3, 6, 7]);
  });

  test.each<[string, () => unknown]>([
    ['undefined', () => undefined],
    ['null', () => null],
    ['[object Promise]', async () => 1],
    ['NaN', () => Number.NaN],
    ['9007199254740992', () => 2 ** 53],
    ['-9007199254740992', () => -(2 ** 53)],
    ['Infinity', () => Number.POSITIVE_INFINITY],
  ])('and %s is no key: it would shorten the list, or change nothing', async (what, distinct) => {
    await using service = await connect(overlapping);
    const list = await rejection(collect(service.client.exams.list({}, { distinct })));
    const map = await rejection(service.client.exams.list().toMap(distinct, { maxItems: 9 }));
    for (const [name, error] of Object.entries({ distinct: list, toMap: map })) {
      expect(error).toBeInstanceOf(ConfigurationError);
      expect(String(error)).toContain(`\`${name}\``);
      expect(String(error)).toContain(what);
    }
  });

  test('and what it throws reaches the caller', async () => {
    await using service = await connect(overlapping);
    const reason = new Error('no key');
    const distinct = ({ id }: { readonly id: number }) => {
      if (id === 5) throw reason;
      return id;
    };
    const seen: unknown[] = [];
    const loop = async () => {
      for await (const item of service.client.exams.list({}, { distinct, concurrency: 3 })) seen.push(item);
    };
    expect(await rejection(loop())).toBe(reason);
    expect(seen).toEqual(range(4));
  });
});

test.each([
  ['without an id', { participant_code: 'B' }],
  ['whose id is null', { id: null }],
])('with distinct: true, an item %s is an error that names the remedy', async (_, item) => {
  await using service = await connect([{ body: [{ id: 1 }] }, { body: [item] }]);
  const seen: unknown[] = [];
  const loop = async () => {
    for await (const each of service.client.examResults.list({}, { distinct: true })) seen.push(each);
  };
  const error = await failure(loop(), ResponseFormatError);
  expect(error).toMatchObject({ operation: 'examResults.list', status: 200 });
  expect(String(error)).toContain('use `distinct: (item) => key` instead');
  expect(seen).toEqual([{ id: 1 }]);
});

test('with distinct: true, an id above 2^53 is an error that says so: its neighbours would be taken for the same row', async () => {
  const body = '[{"id":9007199254740992},{"id":9007199254740993},{"id":9007199254740994}]';
  await using service = await connect({ headers: { 'content-type': 'application/json' }, body });
  const error = await rejection(collect(service.client.examResults.list({}, { distinct: true })));
  expect(error).toBeInstanceOf(ResponseFormatError);
  expect(String(error)).toContain('2^53');
  expect(String(error)).toContain('`distinct: (item) => key`');
  const keyOf = (result: { readonly [field: string]: unknown }) => result['id'];
  const map = await rejection(service.client.examResults.list().toMap(keyOf, { maxItems: 9 }));
  expect(map).toBeInstanceOf(ConfigurationError);
  expect(String(map)).toContain('2^53');
});
