import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ExamClient, type ListOptions } from '../../../src/index.ts';
import { allStyles, contradictoryStyles, cursorStyles } from '../../fixtures/responses/lists.ts';
import { type PagedService, range, show } from '../../fixtures/responses/paged.ts';
import { numRuns } from '../../helpers/requirements.ts';

const styles = { ...allStyles, ...cursorStyles, ...contradictoryStyles };

/** Everything that an iteration does: its items in order, how it ended, what it told, and which pages were asked for. */
async function observe(service: PagedService, missing: number, query: object, options: ListOptions) {
  const asked: number[] = [];
  const told: unknown[] = [];
  const client = new ExamClient({
    baseUrl: 'http://localhost/api/v1',
    apiKey: 'key-of-the-tests',
    fetch: async (url) => {
      const { searchParams } = new URL(url);
      const page = Number(searchParams.get('page') ?? 1);
      asked.push(page);
      return Response.json(show(service, searchParams), { status: page < missing ? 200 : 404 });
    },
    logLevel: 'off',
    hooks: { onSchemaDrift: ({ operation, issues }) => told.push({ operation, issues }) },
  });
  const items: unknown[] = [];
  let end = 'the end of the list';
  try {
    for await (const item of client.exams.list(query, options)) items.push(item);
  } catch (error) {
    end = String(error);
  }
  return { items, end, told, asked };
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
    wraps: fc.boolean(),
    missing: fc.integer({ min: 1, max: 20 }),
    distinct: fc.constantFrom(undefined, true as const),
    validation: fc.constantFrom('strict' as const, 'report' as const),
  });
  await fc.assert(
    fc.asyncProperty(
      drawn,
      async ({ count, style, first, concurrency, cap, clamps, ignoresPage, wraps, missing, ...bounds }) => {
        const shape = { cap, clamps, ignoresPage, wraps };
        const service = { all: range(count), style: styles[style] ?? (() => null), ...shape };
        const query = { page: first, limit: 100 };
        const one = await observe(service, missing, query, bounds);
        const many = await observe(service, missing, query, { ...bounds, concurrency });
        expect(many.items).toEqual(one.items);
        expect(many.end).toBe(one.end);
        expect(many.told).toEqual(one.told);
        expect(new Set(many.asked).size).toBe(many.asked.length);
        expect(many.asked).toEqual(expect.arrayContaining(one.asked));
        expect(many.asked.length).toBeLessThan(one.asked.length + concurrency);
      },
    ),
    { numRuns: numRuns(500) },
  );
});
