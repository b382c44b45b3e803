import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ResponseFormatError } from '../../../src/index.ts';
import { allStyles, linkedStyles, plainStyles, totalStyles } from '../../fixtures/responses/lists.ts';
import { range, show } from '../../fixtures/responses/paged.ts';
import { exhaust, serve } from '../../fixtures/responses/served.ts';
import { numRuns } from '../../helpers/requirements.ts';

/** A change of the list once page `at` is asked for: rows inserted at its front, or removed from its end. */
const change = fc.record({ at: fc.integer({ min: 2, max: 8 }), rows: fc.integer({ min: -30, max: 30 }) });

const drawn = fc.record({
  style: fc.constantFrom(...Object.keys(allStyles)),
  count: fc.integer({ min: 0, max: 60 }),
  perPage: fc.integer({ min: 1, max: 30 }),
  limit: fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined }),
  first: fc.integer({ min: 1, max: 4 }),
  clamps: fc.boolean(),
  change: fc.option(change, { nil: undefined }),
});

test('a list gives each row that stays in it, in order, or fails where it has moved by whole pages', async () => {
  await fc.assert(
    fc.asyncProperty(drawn, async ({ style, count, perPage, limit, first, clamps, change: changed }) => {
      const size = Math.min(limit ?? perPage, perPage);
      const listAt = (page: number) => {
        if (changed === undefined || page < changed.at) return range(count);
        if (changed.rows < 0) return range(Math.max(0, count + changed.rows));
        return [...range(count + changed.rows).slice(count), ...range(count)];
      };
      const service = { style: allStyles[style] ?? (() => null), perPage, cap: perPage, clamps };
      const { client, reported } = serve((page, query) => show({ ...service, all: listAt(page) }, query));
      const query = { limit, ...(first > 1 && { page: first }) };
      const { seen, error } = await exhaust(client.exams.list(query, { distinct: true }));
      expect(reported).toEqual([]);
      if (error !== null) {
        expect(error).toBeInstanceOf(ResponseFormatError);
        // Both are like a service that ignores `page`: where only a link announces the page that the rows were pushed to, and where
        // the last page comes for every later one and is as full as the limit.
        const isPushed = style in linkedStyles && changed?.rows === size;
        const isFull = style in plainStyles && clamps && limit === size;
        // Where reading begins on a later page, a total alone does not show which page is the last.
        const isUnknown = style in totalStyles && first > 1;
        expect(isPushed || isFull || isUnknown).toBe(true);
        return;
      }
      const ids = seen.map(({ id }) => id);
      const begin = (first - 1) * size;
      const kept = changed && changed.rows < 0 ? Math.max(0, count + changed.rows) : count;
      if (!clamps || begin < count)
        expect(ids).toEqual(
          expect.arrayContaining(
            range(kept)
              .slice(begin)
              .map(({ id }) => id),
          ),
        );
      expect(new Set(ids).size).toBe(ids.length);
    }),
    { numRuns: numRuns(600) },
  );
});

test('what is prefetched changes nothing of what an iteration gives', async () => {
  const concurrency = fc.integer({ min: 2, max: 9 });
  const missing = fc.integer({ min: 1, max: 20 });
  await fc.assert(
    fc.asyncProperty(
      drawn,
      concurrency,
      missing,
      async ({ style, first, change: _, ...shape }, ahead, absent) => {
        const service = {
          ...shape,
          all: range(shape.count),
          cap: shape.perPage,
          style: allStyles[style] ?? (() => null),
        };
        const read = async (options: object) => {
          const { client, asked } = serve((page, query) =>
            page >= absent ? new Response(null, { status: 404 }) : show(service, query),
          );
          const { seen, error } = await exhaust(client.exams.list({ page: first }, options));
          return { seen, end: String(error), asked };
        };
        const one = await read({});
        const many = await read({ concurrency: ahead });
        expect(many).toMatchObject({ seen: one.seen, end: one.end });
        expect(many.asked).toEqual(expect.arrayContaining(one.asked));
        expect(new Set(many.asked).size).toBeLessThan(one.asked.length + ahead);
      },
    ),
    { numRuns: numRuns(300) },
  );
});
