import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ClientOptions,
  ExamClient,
  ResponseFormatError,
  ResponseValidationError,
} from '../../../src/index.ts';
import { collect } from '../../fixtures/responses/client.ts';
import {
  allStyles,
  contradictoryStyles,
  cursorStyles,
  linkedStyles,
  numberedStyles,
  plainStyles,
  totalStyles,
} from '../../fixtures/responses/lists.ts';
import { type PagedService, range, show } from '../../fixtures/responses/paged.ts';
import { numRuns } from '../../helpers/requirements.ts';

/** A client of a service that exists only as a function: thousands of requests need no network. */
function clientOf(service: PagedService | ((page: number) => PagedService), options: ClientOptions = {}) {
  return new ExamClient({
    baseUrl: 'http://localhost/api/v1',
    apiKey: 'key-of-the-tests',
    logLevel: 'off',
    fetch: async (url) => {
      const { searchParams } = new URL(url);
      const page = Number(searchParams.get('page') ?? 1);
      return Response.json(show(typeof service === 'function' ? service(page) : service, searchParams));
    },
    ...options,
  });
}

/** What an iteration gave, and why it failed; `null` when it did not. */
async function exhaust<Item>(items: AsyncIterable<Item>) {
  const seen: Item[] = [];
  try {
    for await (const item of items) seen.push(item);
  } catch (error) {
    return { seen, error };
  }
  return { seen, error: null };
}

const count = fc.integer({ min: 0, max: 60 });
const limit = fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined });
const cap = fc.integer({ min: 1, max: 30 });
const styleOf = (styles: object) => fc.constantFrom(...Object.keys(styles));
const styles = { ...allStyles, ...cursorStyles, ...contradictoryStyles };
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
      { numRuns: numRuns(400) },
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
      { numRuns: numRuns(300) },
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
      { numRuns: numRuns(300) },
    );
  });
});

test('with a service that ignores page, it gives the first page once, or fails where there is more', async () => {
  await fc.assert(
    fc.asyncProperty(fc.record({ count, cap, style: styleOf(styles) }), async ({ style, ...drawn }) => {
      const all = range(drawn.count);
      const client = clientOf({ all, style: named(style), cap: drawn.cap, ignoresPage: true });
      const { seen, error } = await exhaust(client.exams.list({ limit: 100 }));
      const isCut = drawn.count > drawn.cap && !(style in plainStyles);
      const failure = style in contradictoryStyles ? ResponseValidationError : ResponseFormatError;
      expect(error).toEqual(isCut ? expect.any(failure) : null);
      expect(seen).toEqual(all.slice(0, drawn.cap));
    }),
    { numRuns: numRuns(300) },
  );
});

test('with a service that begins again after its last page, it gives each item once, and fails where that shows', async () => {
  await fc.assert(
    fc.asyncProperty(fc.record({ count, cap, style: styleOf(allStyles) }), async ({ style, ...drawn }) => {
      const all = range(drawn.count);
      const client = clientOf({ all, style: named(style), cap: drawn.cap, wraps: true });
      const { seen, error } = await exhaust(client.exams.list({ limit: 100 }));
      // A single page that comes again is that of a service that ignores the number.
      const isSeen = style in plainStyles && drawn.count > drawn.cap;
      expect(error).toEqual(isSeen ? expect.any(ResponseFormatError) : null);
      expect(seen).toEqual(all);
    }),
    { numRuns: numRuns(300) },
  );
});

describe('rows inserted at the head meanwhile hide no item, and with distinct none comes twice', () => {
  const drawn = fc.record({ count, cap, at: fc.integer({ min: 2, max: 8 }), inserted: fc.nat({ max: 40 }) });

  test.each([
    ['with a total or a last page', { ...numberedStyles, ...totalStyles }, () => true],
    [
      'without, unless whole pages are inserted',
      { ...plainStyles, ...linkedStyles },
      (rows: number, size: number) => rows % size > 0,
    ],
  ])('%s', async (_, choice, isKnown) => {
    await fc.assert(
      fc.asyncProperty(drawn, styleOf(choice), async ({ cap: size, at, inserted, ...shape }, style) => {
        fc.pre(isKnown(inserted, size));
        const all = range(shape.count);
        const added = range(shape.count + inserted).slice(shape.count);
        const client = clientOf((page) => ({
          all: page < at ? all : [...added, ...all],
          style: named(style),
          cap: size,
        }));
        const list = client.exams.list({ limit: 100 });
        const distinct = await collect(client.exams.list({ limit: 100 }, { distinct: true }));
        expect(new Set((await collect(list)).map(({ id }) => id))).toEqual(
          new Set(distinct.map(({ id }) => id)),
        );
        expect(distinct.filter(({ id }) => id <= shape.count)).toEqual(all);
        expect(new Set(distinct.map(({ id }) => id)).size).toBe(distinct.length);
      }),
      { numRuns: numRuns(300) },
    );
  });
});

test('metadata that contradicts itself is an error or told once, and never cuts a list short', async () => {
  const drawn = fc.record({ count, cap, concurrency: fc.integer({ min: 1, max: 5 }) });
  await fc.assert(
    fc.asyncProperty(
      drawn,
      styleOf(contradictoryStyles),
      async ({ cap: size, concurrency, ...shape }, style) => {
        const all = range(shape.count);
        let told = 0;
        const hooks = {
          onSchemaDrift: () => {
            told += 1;
          },
        };
        const client = clientOf({ all, style: named(style), cap: size }, { hooks });
        const list = (validation: 'strict' | 'report') =>
          client.exams.list({ limit: 100 }, { validation, concurrency });
        const isCut = shape.count > size;
        expect(await collect(list('report'))).toEqual(all);
        expect(told).toBe(isCut ? 1 : 0);
        const { seen, error } = await exhaust(list('strict'));
        expect(error).toEqual(isCut ? expect.any(ResponseValidationError) : null);
        expect(seen).toEqual(all.slice(0, size));
      },
    ),
    { numRuns: numRuns(300) },
  );
});
