import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ExamClient, type ListOptions } from '../../../src/index.ts';
import { allStyles, cursorStyles } from '../../fixtures/responses/lists.ts';
import { type PagedService, range, show } from '../../fixtures/responses/paged.ts';

const styles = { ...allStyles, ...cursorStyles };

/** Everything that an iteration does: its items in order, how it ended, and which pages were asked for. */
async function observe(service: PagedService, query: object, options: ListOptions) {
  const asked: number[] = [];
  const client = new ExamClient({
    baseUrl: 'http://localhost/api/v1',
    apiKey: 'key-of-the-tests',
    fetch: async (url) => {
      const { searchParams } = new URL(url);
      asked.push(Number(searchParams.get('page') ?? 1));
      return Response.json(show(service, searchParams));
    },
  });
  const items: unknown[] = [];
  let end = 'the end of the list';
  try {
    for await (const item of client.exams.list(query, options)) items.push(item);
  } catch (error) {
    end = String(error);
  }
  return { items, end, asked };
}

test('pages fetched ahead change nothing of what an iteration gives, only how soon', async () => {
  const drawn = fc.record({
    count: fc.integer({ min: 0, max: 60 }),
    cap: fc.integer({ min: 1, max: 30 }),
    style: fc.constantFrom(...Object.keys(styles)),
    first: fc.integer({ min: 1, max: 5 }),
    concurrency: fc.integer({ min: 2, max: 9 }),
    maxItems: fc.option(fc.integer({ min: 1, max: 70 }), { nil: undefined }),
    maxPages: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
    clamps: fc.boolean(),
    ignoresPage: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(
      drawn,
      async ({ count, style, first, concurrency, cap, clamps, ignoresPage, ...bounds }) => {
        const service = { all: range(count), style: styles[style] ?? (() => null), cap, clamps, ignoresPage };
        const query = { page: first, limit: 100 };
        const one = await observe(service, query, bounds);
        const many = await observe(service, query, { ...bounds, concurrency });
        expect(many.items).toEqual(one.items);
        expect(many.end).toBe(one.end);
        expect(new Set(many.asked).size).toBe(many.asked.length);
        expect(many.asked).toEqual(expect.arrayContaining(one.asked));
        expect(many.asked.length).toBeLessThan(one.asked.length + concurrency);
      },
    ),
    { numRuns: 500 },
  );
});
