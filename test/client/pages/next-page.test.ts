import { describe, expect, test } from 'vitest';
import { ResponseFormatError, ResponseValidationError } from '../../../src/index.ts';
import { bodyOf, exhaust, readPages, serve } from '../../fixtures/responses/served.ts';
import { rejection } from '../../helpers/client.ts';

type Query = { readonly page?: number; readonly limit?: number };
/** What happens; the pages in the order in which they are asked for; the ids that an iteration gives. */
type Row = [what: string, pages: string, ids: string, query?: Query];

describe('the end of a list is decided', () => {
  test.each<Row>([
    ['by last_page', '1 2 last_page=2 | 3 last_page=2', '1 2 3'],
    ['by last_page, whatever a link says', '1 2 last_page=1 next_page_url="/2"', '1 2'],
    ['by last_page, although no link leads on', '1 last_page=2 next=null | 2 last_page=2 next=null', '1 2'],
    ['by the greater of two last pages', '1 last_page=1 meta.last_page=2 | 2 last_page=2', '1 2'],
    ['by a total and per_page', '1 2 total=3 per_page=2 | 3 total=3 per_page=2', '1 2 3'],
    ['by a total that fills its pages', '1 2 total=4 per_page=2 | 3 4 total=4 per_page=2', '1 2 3 4'],
    ['by a total of one row more', '1 2 total=3 per_page=2 | 3 total=3 per_page=2', '1 2 3'],
    ['by a total, whatever a link says', '1 2 total=2 per_page=2 next="/2"', '1 2'],
    ['by a total, although no link leads on', '1 total=2 next=null | 2 total=2 next=null', '1 2'],
    ['by the greater of two totals', '1 total=1 meta.total=2 | 2 total=1 meta.total=2', '1 2'],
    ['by a total and the size of the first page', '1 2 total=3 | 3 total=3', '1 2 3'],
    ['by a total and that size, never the limit', '1 2 total=3 | 3 total=3', '1 2 3', { limit: 3 }],
    ['by a total and the size of the largest page', '1 2 total=5 | 3 total=5 | 5 total=5', '1 2 3 5'],
    ['by that size, if per_page is 0', '1 2 total=3 per_page=0 | 3 total=3 per_page=0', '1 2 3'],
    ['by a count above its rows', '1 2 count=3 | 3 count=3', '1 2 3'],
    ['not by a count of its rows', '1 2 count=2 | 3 count=1 | count=0', '1 2 3'],
    ...['totalCount', 'total_items', 'Total-Elements', 'totalDocs', 'total_records', 'totalResults'].map(
      (name): Row => [`by ${name}`, `1 2 ${name}=3 | 3 ${name}=3`, '1 2 3'],
    ),
    ...['lastPage', 'totalPages', 'Total_Pages'].map(
      (name): Row => [`by ${name}`, `1 2 meta.${name}=2 | 3 meta.${name}=2`, '1 2 3'],
    ),
    ['by a total and perPage', '1 2 total=3 perPage=2 | 3 total=3 perPage=2', '1 2 3'],
    ...['pages', 'pageCount', 'page_count', 'size', 'pageSize', 'itemCount', 'totalPage', 'last'].map(
      (name): Row => [`not by ${name}`, `1 2 ${name}=1 | 3 ${name}=1 | `, '1 2 3'],
    ),
    ['by a total of no rows', 'total=0', ''],
    ['by a link', '1 next_page_url="/2" | 2 next_page_url=null', '1 2'],
    ['by a link in links', '1 links.next="/2" | 2 links.next=null', '1 2'],
    ['by a link as an object', '1 links.next.href="/2" | 2 links.next=null', '1 2'],
    ['by a cursor', '1 meta.next_cursor=10 | 2 meta.next_cursor=null', '1 2'],
    ['by the next of a cursor', '1 meta.cursor.next=10 | 2 meta.cursor.next=null', '1 2'],
    ['by has_more', '1 has_more=true | 2 has_more=false', '1 2'],
    ['by a token', '1 next_page_token="b" | 2 next_page_token=""', '1 2'],
    ['by the number of the next page', '1 pagination.next_page=2 | 2 pagination.next_page=null', '1 2'],
    ['by an empty page, without metadata', '1 2 | 3 | ', '1 2 3'],
    ['not by a short page, without metadata', '1 2 3 | 4 | 5 6 | ', '1 2 3 4 5 6', { limit: 3 }],
    ['by the latest page, which says less', '1 last_page=3 | 2 last_page=2', '1 2'],
    ['by the latest page, which says more', '1 last_page=2 | 2 last_page=3 | 3 last_page=3', '1 2 3'],
    ['by metadata that comes late', '1 2 | 3 last_page=2', '1 2 3'],
    ['by an empty page, if the latest page has no metadata', '1 last_page=2 | 2 | ', '1 2'],
    ['from a later page on, by last_page', '3 last_page=2', '3', { page: 2 }],
    ['from a later page on, by per_page', '3 total=3 per_page=2', '3', { page: 2 }],
    ['from a later page on that is short, by an empty page', '3 total=3 | total=3', '3', { page: 2 }],
    ['from a later page on that is full, by a total', '3 4 total=5 | 5 total=5', '3 4 5', { page: 2 }],
    ['beyond the last page', 'current_page=9 last_page=2 total=3', '', { page: 9 }],
    ['beyond the last page, by a total alone', 'total=3', '', { page: 9 }],
    ['beyond the last page, if that is shown again', '3 current_page=2 last_page=2', '3', { page: 9 }],
  ])('%s', async (_, pages, ids, query) => {
    expect(await readPages(pages, query)).toMatchObject({ ids, error: null, reported: [], left: 0 });
  });
});

describe('a page that was announced, and brings nothing new, is an error:', () => {
  test.each<Row>([
    ['empty, announced by last_page', '1 last_page=3 | ', '1'],
    ['empty, announced by a total', '1 total=3 | 2 total=3 | ', '1 2'],
    ['empty, announced by a link', '1 next="/2" | ', '1'],
    ['empty, announced by its own last_page', '1 | last_page=2', '1'],
    ['empty, announced by its own total', '1 2 total=3 | total=3', '1 2'],
    ['empty, after an empty first page', 'total=2 | total=2', ''],
    ['empty, after an empty first page, although the total has grown', 'total=2 | total=3', ''],
    ['empty, beside a link that always leads on', 'next="/2" | next="/2"', ''],
    ['empty, beside a last page that moves on', '1 last_page=2 | last_page=3', '1'],
    ['a repetition, announced by last_page', '1 last_page=3 | 1 last_page=3', '1'],
    ['a repetition, announced by a link', '1 next="/2" | 1 next="/2"', '1'],
    ['a repetition, announced by a cursor', '1 next_cursor="b" | 1 next_cursor="b"', '1'],
    ['a repetition without metadata, announced before', '1 last_page=3 | 1', '1'],
    ['a repetition, announced by its own last_page', '1 | 1 last_page=5', '1'],
    ['a repetition, announced by its own total', '1 | 1 total=5', '1'],
    ['a repetition, while last_page alone has grown', '1 last_page=2 | 1 last_page=3', '1'],
    ['a repetition, while the total is less', '1 total=5 | 1 total=4', '1'],
    ['a repetition, while the total has grown once only', '1 total=3 | 1 total=4 | 1 total=4', '1'],
    ['a repetition, with no page for the rows that were moved', '1 2 total=3 | 1 2 total=4', '1 2'],
  ])('%s', async (what, pages, ids) => {
    const { error, ...list } = await readPages(pages);
    const isEmpty = what.startsWith('empty');
    expect(error).toBeInstanceOf(ResponseFormatError);
    expect(error).toMatchObject({
      operation: 'exams.list',
      status: 200,
      outcome: 'done',
      retryable: isEmpty,
    });
    expect(String(error)).toContain(`page ${pages.split('|').length}`);
    expect(list).toMatchObject({ ids, left: 0 });
    for (const validation of ['report', 'off'] as const) {
      const { error: failed, ...further } = await readPages(pages, {}, validation);
      if (isEmpty) expect(failed).toBeNull();
      else expect(failed).toBeInstanceOf(ResponseFormatError);
      expect(further).toMatchObject({ ids, left: 0, reported: isEmpty ? [{ path: '' }] : [] });
    }
  });

  test.each([
    ['1 2 total=3 | total=3', /`total` says 3: 2 rows were shown/],
    ['1 2 total=7 | 1 2 total=9 | 3 total=9 | total=9', /`total` says 9: 3 rows were shown/],
    ['1 last_page=3 total=1 | last_page=3 total=1', /the metadata says that there is more: 1 row was shown/],
    ['1 next="/2" | ', /the metadata says that there is more: 1 row was shown/],
  ])('says what was announced and what was shown: %s', async (pages, said) => {
    expect(String((await readPages(pages)).error)).toMatch(said);
    const { reported } = await readPages(pages, {}, 'report');
    expect(reported).toEqual([{ path: '', message: expect.stringMatching(said) }]);
  });

  test('counts the pages before the first one that was read by the size of a page', async () => {
    const { error } = await readPages('5 6 total=9 per_page=2 | total=9 per_page=2', { page: 3 });
    expect(String(error)).toMatch(/page 4 is empty, and `total` says 9: 6 rows were shown/);
  });
});

describe('a page that was announced, and brings nothing new,', () => {
  test.each<Row>([
    ['is the end: empty, of a last_page that is less', '1 last_page=2 | last_page=1', '1'],
    ['is the end: empty, of a total that is less', '1 2 total=3 | total=2', '1 2'],
    ['is the end: empty, of a list without rows', '1 2 total=3 per_page=2 | total=0 per_page=2', '1 2'],
    ['is the end: empty, beside a link that leads nowhere', '1 next="/2" | next=null', '1'],
    ['is the end: a repetition, of a last_page that is less', '1 last_page=2 | 1 last_page=1', '1'],
    ['is the end: a repetition, beside a link that leads nowhere', '1 next="/2" | 1 next=null', '1'],
    ['is skipped if its total has grown', '1 2 total=4 | 1 2 total=6 | 3 4 total=6', '1 2 3 4'],
    ['is skipped as often as it grows', '1 total=2 | 1 total=3 | 1 total=4 | 2 total=4', '1 2'],
  ])('%s', async (_, pages, ids) => {
    expect(await readPages(pages)).toMatchObject({ ids, error: null, reported: [], left: 0 });
  });
});

describe('without metadata, a page that repeats the one before it', () => {
  test.each<Row>([
    ['is skipped', '1 2 | 1 2 | 3 | ', '1 2 3'],
    ['is skipped, also twice, but not in a row', '1 | 1 | 2 | 2 | 3 | ', '1 2 3'],
    ['is skipped, and an empty page ends the list', '1 | 1 | ', '1'],
    ['ends the list the second time', '1 2 | 1 2 | 1 2', '1 2'],
    ['ends it with fewer rows than the limit', '1 2 | 1 2 | 1 2', '1 2', { limit: 3 }],
    ['ends it with more rows than the limit', '1 2 | 1 2 | 1 2', '1 2', { limit: 1 }],
    ['has its ids in the same order', '1 2 | 2 1 | 2 | ', '1 2 2 1 2'],
    ['repeats no earlier one', '1 | 2 | 1 | ', '1 2 1'],
    ['from a later page on, ends the list', '3 total=3 | 3 total=3 | 3 total=3', '3', { page: 2 }],
  ])('%s', async (_, pages, ids, query) => {
    expect(await readPages(pages, query)).toMatchObject({ ids, error: null, reported: [], left: 0 });
  });

  test('is an error the second time if it is as full as its limit', async () => {
    const { error, ...list } = await readPages('1 2 | 1 2 | 1 2', { limit: 2 });
    expect(error).toBeInstanceOf(ResponseFormatError);
    expect(list).toMatchObject({ ids: '1 2', left: 0 });
  });

  test.each<[string, boolean, ReadonlyArray<readonly object[]>]>([
    ['ids, whatever else changes', true, [[{ id: 1, at: 1 }], [{ id: 1, at: 2 }], [{ id: 1, at: 3 }]]],
    ['whole rows without ids', true, [[{ code: 'A' }], [{ code: 'A' }], [{ code: 'A' }]]],
    ['whole rows whose ids are objects', true, [1, 2, 3].map(() => [{ id: { $oid: 'a' } }])],
    ['whole rows without ids, which differ', false, [[{ code: 'A' }], [{ code: 'B' }], []]],
    [
      'whole rows that share an id',
      false,
      [[7, 7].map((id, at) => ({ id, at })), [{ id: 7 }, { id: 7 }], []],
    ],
    ['whole rows whose ids are not exact', false, [[{ id: 2 ** 53, at: 1 }], [{ id: 2 ** 53, at: 2 }], []]],
  ])('is known by %s', async (_, isRepeat, pages) => {
    const { client, asked } = serve((page) => pages[page - 1], { validation: 'off' });
    const rows = await client.examResults.list().toArray({ maxItems: 99 });
    expect(rows).toEqual(isRepeat ? pages[0] : pages.flat());
    expect(asked).toEqual([1, 2, 3]);
  });

  test('adds nothing to `maxItems`', async () => {
    const { client } = serve((page) => [{ id: 1 }, { id: page > 2 ? 2 : 1 }], { validation: 'off' });
    const { seen } = await exhaust(client.examResults.list({}, { maxItems: 4 }));
    expect(seen.map(({ id }) => id)).toEqual([1, 1, 1, 2]);
  });

  test('is not known by rows that are nested too deep to be compared', async () => {
    const row = `{"deep":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    const { client } = serve((page) => new Response(`[${page < 3 ? row : ''}]`), { validation: 'off' });
    expect(await client.examResults.list().toArray({ maxItems: 9 })).toHaveLength(2);
  });

  test('is skipped by nextPage(), too, and counts towards maxPages', async () => {
    const { client } = serve((page) => bodyOf(['1', '1', '2'][page - 1] ?? ''));
    expect((await (await client.exams.list()).nextPage())?.data).toEqual([{ id: 2 }]);
    expect(await exhaust(client.exams.list({}, { maxPages: 2 }))).toEqual({ seen: [{ id: 1 }], error: null });
  });
});

describe('numbers that contradict themselves on one page', () => {
  /** The field at fault stands last. */
  const rows: [what: string, pages: string, ids: string, path: string][] = [
    ['a total above last_page times per_page', '1 2 total=3 last_page=1 per_page=2', '1 2', 'total'],
    ['a total above last_page times the rows', '1 2 total=3 last_page=1', '1 2', 'total'],
    ['such a total on a later page', '1 2 | 3 total=5 last_page=2', '1 2 3', 'total'],
    ['a total below the rows, beside last_page', '1 2 total=1 last_page=2 | 3 last_page=2', '1 2 3', 'total'],
    [
      'a total below the rows, beside a link',
      '1 2 total=1 per_page=2 next="/2" | 3 next=null',
      '1 2 3',
      'total',
    ],
    ['a total of 0 beside rows', '1 2 total=0 | 3 | ', '1 2 3', 'total'],
    ['a last page of 0 beside rows', '1 2 last_page=0', '1 2', 'last_page'],
  ];

  test.each(rows)('are an error in mode strict: %s', async (_, pages, _ids, path) => {
    const { error, reported } = await readPages(pages);
    expect(error).toBeInstanceOf(ResponseValidationError);
    expect(error).toMatchObject({ operation: 'exams.list', status: 200, issues: [{ path }] });
    expect(reported).toEqual([]);
  });

  test.each(rows)(
    'are reported otherwise; last_page counts, else the link: %s',
    async (_, pages, ids, path) => {
      for (const validation of ['report', 'off'] as const) {
        const list = await readPages(pages, {}, validation);
        expect(list).toMatchObject({ ids, error: null, reported: [{ path }], left: 0 });
      }
    },
  );

  test('are an error of the page that has them', async () => {
    const { client } = serve((page) =>
      bodyOf(page === 1 ? '1 last_page=3' : '2 last_page=3 total=9 per_page=1'),
    );
    const first = await client.exams.list();
    expect(await rejection(first.nextPage())).toBeInstanceOf(ResponseValidationError);
    expect(await rejection(client.exams.list({ page: 2 }))).toBeInstanceOf(ResponseValidationError);
  });

  test.each<Row>([
    ['the total of full pages', '1 2 total=2 last_page=1 per_page=2', '1 2'],
    ['a last page of 0 without rows', 'total=0 last_page=0', ''],
    ['a short last page that is read first', '3 total=3 last_page=2', '3', { page: 2 }],
    ['rows that were filtered out', '2 total=4 last_page=2 per_page=2 | 3 4 total=4 per_page=2', '2 3 4'],
    ['a total that has become less', '1 total=3 last_page=3 per_page=1 | 2 total=2 last_page=2', '1 2'],
  ])('are not %s', async (_, pages, ids, query) => {
    expect(await readPages(pages, query)).toMatchObject({ ids, error: null, reported: [], left: 0 });
  });

  test.each<Row>([
    ['that is only echoed', '1 2 total=5 per_page=100', '1 2'],
    ['in a paginator', '1 2 total=5 per_page=100 last_page=1', '1 2'],
    ['of a filtered last page', '1 2 total=4 per_page=2 | 4 total=4 per_page=2', '1 2 4'],
  ])('are not a per_page above the rows of the last page, which is reported: %s', async (_, pages, ids) => {
    for (const validation of ['strict', 'report', 'off'] as const) {
      const list = await readPages(pages, {}, validation);
      expect(list).toMatchObject({ ids, error: null, reported: [{ path: 'per_page' }], left: 0 });
    }
  });
});
