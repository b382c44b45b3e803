import { describe, expect, test } from 'vitest';
import { ResponseFormatError } from '../../../src/index.ts';
import { collect, connect, rejection } from '../../fixtures/responses/client.ts';
import {
  allStyles,
  cursorStyles,
  linkedStyles,
  numberedStyles,
  plainStyles,
  totalStyles,
} from '../../fixtures/responses/lists.ts';
import { paged, pagesAsked, range, show } from '../../fixtures/responses/paged.ts';

const all = range(57);
const none = () => null;
const { 'a paginator': numbered = none, 'a total': totalOnly = none } = allStyles;

describe('a service that caps limit at 10 when asked for 100', () => {
  test.each(Object.entries(allStyles))('gives 57 exams, each once: %s', async (_, style) => {
    await using service = await connect(paged({ all, style, cap: 10 }));
    expect(await collect(service.client.exams.list({ limit: 100 }))).toEqual(all);
  });

  test('and echoes the size that it did not keep gives all by its total', async () => {
    await using service = await connect(
      paged({ all, style: (shown) => ({ ...(totalOnly(shown) as object), per_page: 100 }), cap: 10 }),
    );
    expect(await collect(service.client.exams.list({ limit: 100 }))).toEqual(all);
  });
});

describe('a service that ignores page', () => {
  test.each(Object.entries(plainStyles))('gives each exam once without metadata: %s', async (_, style) => {
    await using service = await connect(paged({ all, style, perPage: 100, ignoresPage: true }));
    expect(await collect(service.client.exams.list())).toEqual(all);
    expect(service.server.requests).toHaveLength(2);
  });

  test('is known by the ids: other fields may change from one answer to the next', async () => {
    await using service = await connect((_, { number }) => ({
      body: all.map(({ id }) => ({ id, read_at: number })),
    }));
    expect(await collect(service.client.exams.list())).toHaveLength(57);
  });

  test('is known by the whole record where there is no id', async () => {
    const results = ['A', 'B'].map((participant_code) => ({ participant_code }));
    await using service = await connect({ body: results });
    expect(await collect(service.client.examResults.list())).toEqual(results);
  });

  test.each(Object.entries({ ...numberedStyles, ...linkedStyles, ...totalStyles, ...cursorStyles }))(
    'is an error where the metadata says that there is more: %s',
    async (_, style) => {
      await using service = await connect(paged({ all, style, ignoresPage: true }));
      const seen: unknown[] = [];
      const loop = async () => {
        for await (const item of service.client.exams.list()) seen.push(item);
      };
      const error = await rejection(loop());
      expect(error).toBeInstanceOf(ResponseFormatError);
      expect(error).toMatchObject({ operation: 'exams.list', status: 200 });
      expect(String(error)).toContain('page 2 repeats page 1');
      expect(seen).toEqual(all.slice(0, 10));
    },
  );

  test.each(Object.entries({ ...allStyles, ...cursorStyles }))(
    'is none with a single page: %s',
    async (_, style) => {
      await using service = await connect(paged({ all: range(4), style, ignoresPage: true }));
      expect(await collect(service.client.exams.list())).toEqual(range(4));
    },
  );
});

describe('a service that shows its last page again', () => {
  test.each(Object.entries(allStyles))('gives each exam once: %s', async (_, style) => {
    await using service = await connect(paged({ all, style, clamps: true }));
    expect(await collect(service.client.exams.list({ limit: 25 }))).toEqual(all);
  });

  test('because exams were deleted meanwhile gives each once, without an error', async () => {
    await using service = await connect(({ query }, { number }) => {
      const rest = all.slice(0, number === 1 ? 20 : 10);
      return { body: show({ all: rest, style: numbered, clamps: true }, query) };
    });
    expect(await collect(service.client.exams.list())).toEqual(all.slice(0, 10));
  });
});

describe('a list that the service filters after paging', () => {
  const filtering = { ...numberedStyles, ...linkedStyles };
  const isShown = (item: unknown) => {
    const { id } = item as { id: number };
    return id % 4 === 0 || (id > 10 && id < 20);
  };

  test.each(Object.entries(filtering))(
    'gives all that is left, and asks for every page: %s',
    async (_, style) => {
      await using service = await connect(paged({ all, style, keep: isShown }));
      expect(await collect(service.client.exams.list())).toEqual(all.filter(isShown));
      expect(pagesAsked(service.server.requests).slice(0, 6)).toEqual([null, 2, 3, 4, 5, 6]);
    },
  );

  test.each(Object.entries(filtering))('goes on over empty pages in the middle: %s', async (_, style) => {
    const keep = (item: unknown) => all.slice(30).some((exam) => exam === item);
    await using service = await connect(paged({ all, style, keep }));
    expect(await collect(service.client.exams.list())).toEqual(all.slice(30));
  });

  test('ends with its pages although the total counts more', async () => {
    await using service = await connect(({ query }) => {
      const page = Number(query.get('page') ?? 1);
      const data = page > 2 ? [] : all.slice((page - 1) * 10, page * 10 - 3);
      return { body: { data, meta: { total: 20, per_page: 10 } } };
    });
    expect(await collect(service.client.exams.list())).toHaveLength(14);
  });
});

describe('a total alone', () => {
  test('ends the list when it is reached, without asking further', async () => {
    await using service = await connect(paged({ all, style: totalOnly }));
    expect(await collect(service.client.exams.list({ limit: 19 }))).toEqual(all);
    expect(service.server.requests).toHaveLength(3);
  });

  test('that the pages do not reach is an error, never a silent end', async () => {
    await using service = await connect(({ query }) => {
      const page = Number(query.get('page') ?? 1);
      return { body: { data: page > 2 ? [] : all.slice((page - 1) * 10, page * 10), total: 57 } };
    });
    const error = await rejection(collect(service.client.exams.list()));
    expect(error).toBeInstanceOf(ResponseFormatError);
    expect(String(error)).toContain('the pages ended after 20 items, although its metadata counts 57');
  });

  test('cannot be compared when the iteration began later: then an empty page ends it', async () => {
    await using service = await connect(paged({ all, style: totalOnly }));
    expect(await collect(service.client.exams.list({ page: 6 }))).toEqual(all.slice(50));
    expect(pagesAsked(service.server.requests)).toEqual([6, 7]);
  });
});

test('a short page without metadata does not end the list', async () => {
  const pages = [all.slice(0, 10), all.slice(10, 12), all.slice(12, 20), []];
  await using service = await connect(pages.map((data) => ({ body: { data } })));
  expect(await collect(service.client.exams.list({ limit: 10 }))).toEqual(all.slice(0, 20));
});

test('metadata that appears late is followed from there on', async () => {
  await using service = await connect([
    { body: range(2) },
    { body: { data: [{ id: 3 }], current_page: 2, last_page: 2 } },
  ]);
  expect(await collect(service.client.exams.list())).toEqual(range(3));
  expect(service.server.requests).toHaveLength(2);
});
