import { describe, expect, test } from 'vitest';
import { isApiError, ResponseFormatError } from '../../../src/index.ts';
import {
  allStyles,
  linkedStyles,
  numberedStyles,
  plainStyles,
  totalStyles,
} from '../../fixtures/responses/lists.ts';
import { range, show } from '../../fixtures/responses/paged.ts';
import { exhaust, serve } from '../../fixtures/responses/served.ts';

const all = range(1_000);
const countable = Object.entries({ ...plainStyles, ...numberedStyles, ...totalStyles });
const withAndWithout = [{}, { distinct: true as const }];

describe.each(countable)(
  '25 rows that are inserted at the front of 1,000 hide none of them: %s',
  (_, style) => {
    /** The rows of `added` stand at the front once page `at` is asked for; those inserted by then are as many more. */
    const growing = (at: number, added: number, perPage: number) =>
      serve((page, query) => {
        const rows = page < at ? all : [...range(1_000 + added).slice(1_000), ...all];
        return show({ all: rows, style, perPage }, query);
      });

    test.each([
      ['exactly a page, at page 2', 2, 25],
      ['exactly a page, in the middle', 20, 25],
      ['exactly a page, at the last page', 40, 25],
      ['a quarter of a page', 2, 100],
      ['two pages and a half', 3, 10],
    ])('%s', async (_name, at, perPage) => {
      for (const options of withAndWithout) {
        const { client } = growing(at, 25, perPage);
        const { seen, error } = await exhaust(client.exams.list({}, options));
        expect(error).toBeNull();
        const ids = seen.map(({ id }) => id);
        expect(new Set(ids.filter((id) => id <= 1_000)).size).toBe(1_000);
        if ('distinct' in options) expect(new Set(ids).size).toBe(ids.length);
      }
    });
  },
);

test.each(Object.entries({ ...numberedStyles, ...totalStyles }))(
  'rows that are inserted by the page with each request are skipped until they end: %s',
  async (_, style) => {
    const { client, asked } = serve((page, query) => {
      const added = Math.min(page - 1, 5) * 10;
      return show({ all: [...range(100 + added).slice(100), ...range(100)], style }, query);
    });
    const { seen, error } = await exhaust(client.exams.list());
    expect(error).toBeNull();
    expect(seen).toEqual(range(100));
    expect(asked).toHaveLength(15);
  },
);

test.each(Object.entries(linkedStyles))(
  'a page that rows push onto the next one is an error where a link alone announces more: %s',
  async (_, style) => {
    const { client } = serve((page, query) =>
      show({ all: page < 2 ? range(100) : [...range(110).slice(100), ...range(100)], style }, query),
    );
    expect((await exhaust(client.exams.list())).error).toBeInstanceOf(ResponseFormatError);
  },
);

test.each(Object.entries(allStyles))('a list that becomes shorter ends earlier: %s', async (_, style) => {
  for (const clamps of [false, true]) {
    const { client } = serve((page, query) => show({ all: range(page < 3 ? 40 : 20), style, clamps }, query));
    expect(await exhaust(client.exams.list())).toEqual({ seen: range(20), error: null });
  }
});

const page404 = () =>
  new Response('<html><head><title>404 Not Found</title></head></html>', {
    status: 404,
    headers: { 'content-type': 'text/html' },
  });

describe.each(Object.entries(allStyles))(
  'a 404 in the middle of 35 rows is an error and no end: %s',
  (_, style) => {
    test.each([1, 4])('with concurrency %i', async (concurrency) => {
      for (const answer404 of [page404, () => Response.json({ message: 'No such page' }, { status: 404 })]) {
        const { client } = serve((page, query) =>
          page > 2 ? answer404() : show({ all: range(35), style }, query),
        );
        const { seen, error } = await exhaust(client.exams.list({ limit: 10 }, { concurrency }));
        expect(isApiError(error) && error.status).toBe(404);
        expect(seen).toEqual(range(20));
      }
    });
  },
);

test.each(Object.entries(plainStyles))('a 404 behind the last row is an error, too: %s', async (_, style) => {
  const { client } = serve((page, query) => (page > 4 ? page404() : show({ all: range(40), style }, query)));
  const { seen, error } = await exhaust(client.exams.list());
  expect(isApiError(error) && error.status).toBe(404);
  expect(seen).toEqual(range(40));
});
