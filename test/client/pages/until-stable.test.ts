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
  test.each<[what: string, passes: string[], ids: string, read: number]>([
    ['a list that keeps still: twice', ['1 2 | 3'], '1 2 3', 2],
    ['an empty list', [''], '', 2],
    ['a row that moved out of the first pass', ['1 2 | 4', '1 2 | 3 4'], '1 2 4 3', 3],
    ['a row that was added', ['1 2', '1 2 | 3'], '1 2 3', 3],
    ['a row that was removed: it counts as there', ['1 2 | 3', '1 | 3'], '1 2 3', 2],
    ['rows of four passes', ['1', '1 2', '2 3', '4', '1 2 3 4'], '1 2 3 4', 5],
    [
      'a pass that has fewer ids than its total: it counts for nothing',
      ['1 2 total=4 | 2 3 total=4', '1 2 total=4 | 2 3 total=4', '1 2 total=4 | 3 4 total=4'],
      '1 2 3 4',
      4,
    ],
    ['a total that changed within the pass', ['1 2 total=4 | 3 total=3'], '1 2 3', 2],
    ['as many ids as its total', ['1 2 total=3 | 3 total=3'], '1 2 3', 2],
  ])('reads until a pass adds nothing: %s', async (_, passes, ids, read) => {
    const service = servePasses(...passes);
    expect(idsOf(await service.exams.list().toArray(whole))).toBe(ids);
    expect(service.passes()).toBe(read);
  });

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

  test.each<[passes: string[], counted: RegExp]>([
    [['1', '1 2', '2 3', '3 4', '4 5 6'], /\b2 new\b/],
    [['1 2 total=3 | 2 total=3'], /\b2 of 3\b/],
  ])('ends after five passes with how many were new: %j', async (passes, counted) => {
    const service = servePasses(...passes);
    const error = await failure(service.exams.list().toArray(whole), ResponseFormatError);
    expect(error).toMatchObject({ outcome: 'done', retryable: true });
    expect(error.message).toMatch(counted);
    expect(service.passes()).toBe(5);
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
    [['1 2 total=3 | 2 total=3', '1 2 total=3 | 3 total=3'], [1, 0], 2],
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
