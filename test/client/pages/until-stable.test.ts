import { describe, expect, test } from 'vitest';
import {
  ConfigurationError,
  type ExamResult,
  type ListOptions,
  ResponseFormatError,
} from '../../../src/index.ts';
import { allStyles } from '../../fixtures/responses/lists.ts';
import { range, show } from '../../fixtures/responses/paged.ts';
import { bodyOf, serve } from '../../fixtures/responses/served.ts';
import { failure, rejection } from '../../helpers/client.ts';

/** A list that is read in passes, each of these pages (`1 2 | 3`), the last one for ever; how many passes began. */
function servePasses(...passes: string[]) {
  const { client, asked } = serve((page) => {
    const pass = asked.filter((number) => number === 1).length;
    return bodyOf((passes[pass - 1] ?? passes.at(-1))?.split('|')[page - 1] ?? '');
  });
  return { exams: client.exams, asked, passes: () => asked.filter((number) => number === 1).length };
}

const whole = { maxItems: 100, untilStable: true } as const;
const idsOf = (items: readonly { id: number }[]) => items.map(({ id }) => id).join(' ');

describe('toArray() with untilStable', () => {
  type Reading = [what: string, passes: string[], ids: string, read: number];
  async function expectReading(...[, passes, ids, read]: Reading) {
    const service = servePasses(...passes);
    expect(idsOf(await service.exams.list().toArray(whole))).toBe(ids);
    expect(service.passes()).toBe(read);
  }

  test.each<Reading>([
    ['a list that keeps still: twice', ['1 2 | 3'], '1 2 3', 2],
    ['an empty list', [''], '', 2],
    ['a row that moved out of the first pass', ['1 2 | 4', '1 2 | 3 4'], '1 2 4 3', 3],
    ['a row made meanwhile, by its id: it is taken', ['1 2', '1 2 | 3'], '1 2 3', 2],
    ['such a row in each pass', ['1 2', '1 2 3', '1 2 3 4'], '1 2 3', 2],
    ['such a row beside one that was missed', ['1 4', '1 3 | 4 5'], '1 4 3 5', 3],
    ['a row in a list that was empty', ['', '1'], '1', 3],
    ['a row that was removed: it counts as there', ['1 2 | 3', '1 | 3'], '1 2 3', 2],
    ['rows of four passes', ['9', '9 2', '2 3', '4', '2 4 9'], '9 2 3 4', 5],
    ['a total above the rows shown decides nothing', ['1 2 3 total=5 per_page=3 | 4 total=5'], '1 2 3 4', 2],
    ['a row twice on one page decides nothing', ['1 1 2 total=4 | 3 total=4'], '1 2 3', 2],
    ['a page that a total announces, and comes empty', ['1 2 total=3 | total=3'], '1 2', 2],
    [
      'a page that a link announces, and comes empty',
      ['1 next="/2" |', '1 next="/2" | 2 next=null'],
      '1 2',
      2,
    ],
  ])('reads until a pass adds nothing: %s', expectReading);

  const still = '9 4 total=4 | 3 2 total=4';
  test.each<Reading>([
    ['more than its total rose', [still, '9 4 total=4 | 4 3 total=4 | 2 total=4', still], '9 4 3 2', 3],
    ['as many as its total rose', [still, '9 4 total=4 | 4 3 total=5 | 2 total=5', still], '9 4 3 2', 2],
    ['while its total fell', [still, '9 4 total=4 | 4 3 total=3', still], '9 4 3 2', 3],
    ['none, while its total fell', [still, '9 4 total=4 | 3 total=3', still], '9 4 3 2', 2],
    ['without a total', ['9 4 | 3 2', '9 4 | 4 3 | 2', '9 4 | 3 2'], '9 4 3 2', 3],
    ['without a total, as many as were made', ['9 4 | 3 2', '9 4 | 4 3 | 2 10', ''], '9 4 3 2 10', 2],
    ['without a total, as were made before', ['9 4 | 3', '9 4 | 3 10', '9 4 | 4 3 | 10'], '9 4 3 10', 2],
  ])('a pass that shows rows on two pages counts for nothing: %s', expectReading);

  test('has each row as it was read last', async () => {
    let requests = 0;
    const { client } = serve(() => ({ data: [{ id: 1, name: `Name ${++requests}` }], last_page: 1 }));
    expect(await client.exams.list().toArray(whole)).toEqual([{ id: 1, name: 'Name 2' }]);
  });

  test.each([1, 4])('keeps the order of the list (concurrency %i), in every style', async (concurrency) => {
    for (const style of Object.values(allStyles)) {
      const { client } = serve((_, query) => show({ all: range(60), style }, query));
      const list = client.exams.list({ limit: 25 }, { concurrency });
      expect(await list.toArray(whole)).toEqual(range(60));
    }
  });

  test.each<[passes: string[], found: RegExp, retryable: boolean]>([
    [['9', '9 2', '2 3', '3 4', '4 5 6 10'], /pass 5 still found 2 new/, true],
    [['1 2 total=3 | 2 total=3'], /each pass showed the same 1 row on two pages.*`untilStable`/, false],
    [['1 2 3 | 3 2'], /each pass showed the same 2 rows on two pages/, false],
    [['1 2 | 2 3', '1 2 | 1 3', '1 2 | 1 3'], /pass 5 showed 1 row on two pages/, true],
    [['1 9 | 9', '1 9 | 9', '1 9 | 9', '1 9 | 9', '2 1 9 | 1 9'], /pass 5 showed 2 rows on two pages/, true],
  ])('ends after five passes with what the fifth showed: %j', async (passes, found, retryable) => {
    const service = servePasses(...passes);
    const error = await failure(service.exams.list().toArray(whole), ResponseFormatError);
    expect(error).toMatchObject({ operation: 'exams.list', outcome: 'done', retryable });
    expect(error.message).toMatch(found);
    expect(service.passes()).toBe(5);
  });

  test('takes a text for no time: such an id may have been there', async () => {
    const passes = [['b'], ['b', 'c'], ['b', 'c']];
    const { client, asked } = serve(() => ({
      data: passes[asked.length - 1]?.map((id) => ({ id })),
      last_page: 1,
    }));
    expect(await client.examResults.list().toArray(whole)).toEqual([{ id: 'b' }, { id: 'c' }]);
    expect(asked).toHaveLength(3);
  });

  describe('with a key as `distinct`', () => {
    const read = (rows: object[], distinct: true | ((result: ExamResult) => unknown)) => {
      const { client } = serve(() => ({ data: rows, last_page: 1 }));
      return client.examResults.list({}, { distinct }).toArray(whole);
    };
    const keyOf = ({ id }: ExamResult) => id;

    test('rejects two different rows of one page under one key: one of them would be dropped unseen', async () => {
      const rows = [
        { id: 1, score: 5 },
        { id: 1, score: 7 },
      ];
      const error = await failure(read(rows, keyOf), ResponseFormatError);
      expect(error).toMatchObject({
        retryable: false,
        message: expect.stringContaining('is the key unique?'),
      });
      expect(await read(rows, true)).toEqual([rows[1]]);
      const twice = rows.slice(1).flatMap((row) => [row, { ...row }]);
      expect(await read(twice, keyOf)).toEqual([rows[1]]);
    });

    test('asks once for the key of a row in a pass', async () => {
      const keys: unknown[] = [];
      await read([{ id: 1 }, { id: 2 }], (row) => keys.push(keyOf(row)) && keyOf(row));
      expect(keys).toEqual([1, 2, 1, 2]);
    });
  });

  test('rejects more rows than maxItems, and cuts nothing', async () => {
    for (const limit of [{}, { maxItems: 100 }]) {
      const { exams } = servePasses('1 2 | 3');
      const list = exams.list({}, limit);
      const error = await failure(list.toArray({ maxItems: 2, untilStable: true }), ConfigurationError);
      expect(error.message).toContain('maxItems');
    }
    const { exams } = servePasses('1 2 | 1 3', '1 2 | 1 3 4');
    expect(await rejection(exams.list().toArray({ maxItems: 3, untilStable: true }))).toBeInstanceOf(
      ConfigurationError,
    );
  });

  test.each<[query: { page?: number }, options: ListOptions, name: string]>([
    [{ page: 2 }, {}, '`page`'],
    [{}, { maxPages: 9 }, '`maxPages`'],
  ])('rejects what would read a part of the list: %j %j', async (query, options, name) => {
    const { exams } = servePasses('1 2 | 3');
    const error = await failure(exams.list(query, options).toArray(whole), ConfigurationError);
    expect(error.message).toContain(name);
  });

  test('takes `page: 1`', async () => {
    const { exams } = servePasses('1 2 | 3');
    expect(await exams.list({ page: 1 }).toArray(whole)).toHaveLength(3);
  });

  test('compares by `distinct`, where rows have no id', async () => {
    const { client } = serve((page) => ({ data: page > 2 ? [] : [{ number: page }] }));
    const keyOf = (result: ExamResult) => result['number'];
    const list = (options: ListOptions<ExamResult>) => client.examResults.list({}, options);
    expect(await list({ distinct: keyOf }).toArray(whole)).toEqual([{ number: 1 }, { number: 2 }]);
    const error = await failure(list({}).toArray(whole), ResponseFormatError);
    expect(error.message).toContain('`distinct: (item) => key`');
  });

  test('ends with the reason of an abort between passes', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const { client, asked } = serve(() => {
      if (asked.length === 2) controller.abort(reason);
      return bodyOf('1 last_page=1');
    });
    const list = client.exams.list({}, { signal: controller.signal });
    expect(await rejection(list.toArray(whole))).toBe(reason);
  });
});

describe('toMap() with untilStable', () => {
  test.each<[passes: string[], keys: number[], read: number]>([
    [['1 2 | 3'], [1, 0], 2],
    [['1 | 3', '1 3 | 5', '2'], [1], 2],
    [['1 | 3', '1 2', '4'], [1, 0], 3],
    [['1 2 total=3 | 2 total=3', '1 2 total=3 | 2 total=3', '1 2 total=3 | 3 total=3'], [1, 0], 3],
    [['2 4 total=4 | 6 8 total=4'], [0], 2],
  ])('reads until a pass adds no key: %j', async (passes, keys, read) => {
    const service = servePasses(...passes);
    const map = await service.exams.list().toMap(({ id }) => id % 2, whole);
    expect([...map.keys()]).toEqual(keys);
    expect(service.passes()).toBe(read);
  });

  test('needs no id but the key', async () => {
    const { client } = serve((page) => ({ data: page > 2 ? [] : [{ number: page }], total: 2 }));
    const map = await client.examResults.list().toMap((result) => result['number'], whole);
    expect([...map.keys()]).toEqual([1, 2]);
  });

  test('counts rows without an id one by one', async () => {
    const { client } = serve(() => ({ data: [{ number: 1 }, { number: 1 }], total: 2 }));
    const reading = client.examResults.list().toMap((result) => result['number'], { ...whole, maxItems: 1 });
    expect((await failure(reading, ConfigurationError)).message).toContain('maxItems');
  });
});

test.each([
  [{ maxItems: 5, untilstable: true }, '`untilStable`'],
  [{ maxItems: 5, untilStable: 1 }, '`untilStable`'],
  [{ maxItems: 5, concurrency: 4 }, 'concurrency'],
  [{ untilStable: true }, '`maxItems`'],
])('toArray() and toMap() reject %j', async (options, name) => {
  const { client } = serve(() => bodyOf('1 last_page=1'));
  for (const reading of [
    client.exams.list().toArray(options as never),
    client.exams.list().toMap(({ id }) => id, options as never),
  ])
    expect((await failure(reading, ConfigurationError)).message).toContain(name);
});
