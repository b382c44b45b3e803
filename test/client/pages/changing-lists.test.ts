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
