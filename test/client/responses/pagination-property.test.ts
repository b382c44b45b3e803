import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ExamClient, ResponseFormatError } from '../../../src/index.ts';
import { collect, rejection } from '../../fixtures/responses/client.ts';
import {
  allStyles,
  cursorStyles,
  linkedStyles,
  numberedStyles,
  plainStyles,
} from '../../fixtures/responses/lists.ts';
import { type PagedService, range, show } from '../../fixtures/responses/paged.ts';

/** A client of a service that exists only as a function: thousands of requests need no network. */
function clientOf(service: PagedService): ExamClient {
  return new ExamClient({
    baseUrl: 'http://localhost/api/v1',
    apiKey: 'key-of-the-tests',
    fetch: async (url) => Response.json(show(service, new URL(url).searchParams)),
  });
}

const count = fc.integer({ min: 0, max: 60 });
const limit = fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined });
const cap = fc.integer({ min: 1, max: 30 });
const styleOf = (styles: object) => fc.constantFrom(...Object.keys(styles));
const styles = { ...allStyles, ...cursorStyles };
const named = (name: string) => styles[name] ?? (() => null);

describe('an iteration gives each item once and in order', () => {
  test('whatever the size of the list, of its pages, and the notation are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ count, limit, cap, style: styleOf(allStyles), clamps: fc.boolean() }),
        async ({ style, ...drawn }) => {
          const all = range(drawn.count);
          const client = clientOf({ all, style: named(style), cap: drawn.cap, clamps: drawn.clamps });
          expect(await collect(client.exams.list({ limit: drawn.limit }))).toEqual(all);
        },
      ),
      { numRuns: 400 },
    );
  });

  test('also from a later page, up to a bound', async () => {
    const first = fc.integer({ min: 1, max: 8 });
    const maxItems = fc.integer({ min: 1, max: 70 });
    await fc.assert(
      fc.asyncProperty(
        fc.record({ count, cap, first, maxItems, style: styleOf(allStyles) }),
        async ({ style, ...drawn }) => {
          const all = range(drawn.count);
          const client = clientOf({ all, style: named(style), cap: drawn.cap });
          const list = client.exams.list({ page: drawn.first, limit: 100 });
          const begin = (drawn.first - 1) * drawn.cap;
          expect(await list.toArray({ maxItems: drawn.maxItems })).toEqual(
            all.slice(begin, begin + drawn.maxItems),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  test('also where the service filters after paging, as long as its metadata speaks of pages', async () => {
    const hidden = fc.uniqueArray(fc.integer({ min: 1, max: 60 }));
    await fc.assert(
      fc.asyncProperty(
        fc.record({ count, cap, hidden, style: styleOf({ ...numberedStyles, ...linkedStyles }) }),
        async ({ style, ...drawn }) => {
          const all = range(drawn.count);
          const keep = (item: unknown) => !drawn.hidden.includes((item as { id: number }).id);
          const client = clientOf({ all, style: named(style), cap: drawn.cap, keep });
          expect(await collect(client.exams.list({ limit: 100 }))).toEqual(all.filter(keep));
        },
      ),
      { numRuns: 300 },
    );
  });
});

test('with a service that ignores page, it gives the first page once, or fails where there is more', async () => {
  await fc.assert(
    fc.asyncProperty(fc.record({ count, cap, style: styleOf(styles) }), async ({ style, ...drawn }) => {
      const all = range(drawn.count);
      const client = clientOf({ all, style: named(style), cap: drawn.cap, ignoresPage: true });
      const seen: unknown[] = [];
      const loop = async () => {
        for await (const item of client.exams.list({ limit: 100 })) seen.push(item);
      };
      const isCut = drawn.count > drawn.cap;
      if (isCut && !(style in plainStyles)) {
        expect(await rejection(loop())).toBeInstanceOf(ResponseFormatError);
      } else {
        await loop();
      }
      expect(seen).toEqual(all.slice(0, drawn.cap));
    }),
    { numRuns: 300 },
  );
});
