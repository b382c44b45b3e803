import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { type ClientOptions, InternalServerError } from '../../../src/index.ts';
import { collect, connect } from '../../fixtures/responses/client.ts';
import { allStyles } from '../../fixtures/responses/lists.ts';
import { paged, pagesAsked, range, show } from '../../fixtures/responses/paged.ts';
import { createClient, failure, nowhere, rejection } from '../../helpers/client.ts';
import { createGate, nextTurn } from '../../helpers/gate.ts';
import type { Handler } from '../../helpers/server.ts';

const all = range(95);
const { 'a paginator': numbered = () => null, 'a bare array': plain = () => null } = allStyles;
const pageOf = (query: URLSearchParams) => Number(query.get('page') ?? 1);
const answer = (query: URLSearchParams, style = numbered) => ({ body: show({ all, style }, query) });
const sorted = (pages: ReadonlyArray<number | null>) => pages.map((page) => page ?? 1).sort((a, b) => a - b);

// A rejection that nobody handles fails the run.
afterEach(nextTurn);

describe('with metadata', () => {
  test('every page is asked for once, and none beyond the last', async () => {
    await using service = await connect(paged({ all, style: numbered }));
    expect(await collect(service.client.exams.list({}, { concurrency: 4 }))).toEqual(all);
    expect(sorted(pagesAsked(service.server.requests))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test('a total without a last page bounds them as well', async () => {
    const handler: Handler = ({ query }) => {
      const page = pageOf(query);
      return { body: { data: all.slice((page - 1) * 10, page * 10), total: all.length } };
    };
    await using service = await connect(handler);
    expect(await collect(service.client.exams.list({}, { concurrency: 8 }))).toEqual(all);
    expect(sorted(pagesAsked(service.server.requests)).at(-1)).toBe(10);
  });

  test.each([
    ['one page', { data: range(3), last_page: 1, total: 3, per_page: 10 }],
    ['no more than that no page follows', { data: range(3), links: { next: null } }],
  ])('a list that says %s is asked for once', async (_, body) => {
    await using service = await connect({ body });
    expect(await collect(service.client.exams.list({}, { concurrency: 8 }))).toHaveLength(3);
    expect(service.server.requests).toHaveLength(1);
  });
});

test('without metadata, one page beyond the end is asked for, and none twice', async () => {
  await using service = await connect(paged({ all, style: plain }));
  expect(await collect(service.client.exams.list({}, { concurrency: 4 }))).toEqual(all);
  expect(pagesAsked(service.server.requests).map((page) => page ?? 1)).toEqual(range(11).map(({ id }) => id));
});

test('the order stays when later pages arrive first, and no more requests are under way than allowed', async () => {
  const gates = Array.from({ length: 11 }, () => createGate());
  let underWay = 0;
  let most = 0;
  await using service = await connect(async ({ query }) => {
    const page = pageOf(query);
    underWay += 1;
    most = Math.max(most, underWay);
    if (page > 1 && page <= 4) await gates[page]?.promise;
    underWay -= 1;
    return answer(query);
  });
  const collecting = collect(service.client.exams.list({}, { concurrency: 3 }));
  await service.server.arrival(4);
  gates[4]?.open();
  gates[3]?.open();
  await nextTurn();
  gates[2]?.open();
  expect(await collecting).toEqual(all);
  expect(most).toBe(3);
});

describe('counted where they are sent', () => {
  /** A client whose requests get a response at once, and the pages that were asked for so far. */
  function count(options: ClientOptions = {}, failing?: number) {
    const asked: number[] = [];
    const fetch = async (url: string) => {
      const query = new URL(url).searchParams;
      asked.push(pageOf(query));
      const status = pageOf(query) === failing ? 500 : 200;
      return Response.json(show({ all, style: numbered }, query), { status });
    };
    const client = createClient(nowhere, { fetch, ...options });
    return { asked, client };
  }

  test.each([1, 2, 5])('with concurrency %i, one less are fetched before their turn', async (concurrency) => {
    const { asked, client } = count();
    const pages = client.exams.list({}, { concurrency }).pages();
    await pages.next();
    await nextTurn();
    expect(asked).toEqual(range(concurrency).map(({ id }) => id));
    await pages.return();
  });

  test.each([
    ['maxItems', { maxItems: 25 }, 3],
    ['maxItems that end a page', { maxItems: 20 }, 2],
    ['maxItems within the first page', { maxItems: 5 }, 1],
    ['maxPages', { maxPages: 4 }, 4],
  ])('%s bound also what is fetched before its turn', async (_, bounds, pages) => {
    const { asked, client } = count();
    await collect(client.exams.list({}, { concurrency: 8, ...bounds }));
    expect(asked).toEqual(range(pages).map(({ id }) => id));
  });

  test('the size of the largest page so far says how many more it takes, whatever was filtered out of the last', async () => {
    const asked: number[] = [];
    const fetch = async (url: string) => {
      const page = pageOf(new URL(url).searchParams);
      asked.push(page);
      const data = all.slice((page - 1) * 10, page === 2 ? 11 : page * 10);
      return Response.json({ data, total: all.length });
    };
    const client = createClient(nowhere, { fetch });
    const pages = client.exams.list({}, { concurrency: 8, maxItems: 30 }).pages();
    await pages.next();
    await nextTurn();
    expect(asked).toEqual([1, 2, 3]);
    await pages.next();
    await nextTurn();
    expect(asked).toEqual([1, 2, 3, 4]);
    await pages.return();
  });

  test('no page is asked for beyond one that failed already', async () => {
    const { asked, client } = count({}, 3);
    const pages = client.exams.list({}, { concurrency: 3 }).pages();
    await pages.next();
    await nextTurn();
    expect((await pages.next()).value?.page).toBe(2);
    expect(await rejection(pages.next())).toBeInstanceOf(InternalServerError);
    expect(asked).toEqual([1, 2, 3]);
  });

  test('an abort before the iteration lets nothing be fetched ahead, and the next page rejects with its reason', async () => {
    const { asked, client } = count();
    const controller = new AbortController();
    const list = client.exams.list({}, { concurrency: 3, signal: controller.signal });
    await list;
    const reason = new Error('enough');
    controller.abort(reason);
    const pages = list.pages();
    expect((await pages.next()).value?.page).toBe(1);
    await nextTurn();
    expect(asked).toEqual([1]);
    expect(await rejection(pages.next())).toBe(reason);
    expect(await rejection(collect(list))).toBe(reason);
  });
});

test('leaving the loop cancels what is under way', async () => {
  const cut = createGate();
  let open = 3;
  await using service = await connect(async ({ query }, { left }) => {
    if (pageOf(query) === 1) return answer(query);
    await left;
    open -= 1;
    if (open === 0) cut.open();
    return undefined;
  });
  for await (const page of service.client.exams.list({}, { concurrency: 4 }).pages()) {
    expect(page.page).toBe(1);
    await service.server.arrival(4);
    break;
  }
  await cut.promise;
  expect(open).toBe(0);
});

test('an error comes at its page, after the good pages before it, and stops what follows', async () => {
  await using service = await connect(({ query }) => (pageOf(query) === 4 ? { status: 500 } : answer(query)));
  const seen: number[] = [];
  const loop = async () => {
    for await (const { id } of service.client.exams.list({}, { concurrency: 8 })) seen.push(id);
  };
  expect(await rejection(loop())).toBeInstanceOf(InternalServerError);
  expect(seen).toEqual(all.slice(0, 30).map(({ id }) => id));
});

test('an error on a page that the loop never reaches is nobody’s', async () => {
  await using service = await connect(({ query }) => (pageOf(query) === 3 ? { status: 500 } : answer(query)));
  const pages = service.client.exams.list({}, { concurrency: 8 }).pages();
  await pages.next();
  await service.server.arrival(8);
  await pages.return();
  expect(service.server.requests).toHaveLength(8);
});

test('a page that fails once is asked for again, and the others are not', async () => {
  let failures = 0;
  const handler: Handler = ({ query }) => {
    if (pageOf(query) !== 5 || failures > 0) return answer(query);
    failures += 1;
    return { status: 503, headers: { 'Retry-After': '0' } };
  };
  await using service = await connect(handler, { maxRetries: 1 });
  expect(await collect(service.client.exams.list({}, { concurrency: 4 }))).toEqual(all);
  expect(sorted(pagesAsked(service.server.requests))).toEqual([1, 2, 3, 4, 5, 5, 6, 7, 8, 9, 10]);
});

test('an abort rejects with its reason, also where pages are there already, and leaves no listener', async () => {
  await using service = await connect(paged({ all, style: numbered }));
  const controller = new AbortController();
  const reason = new Error('enough');
  const seen: number[] = [];
  const loop = async () => {
    const list = service.client.exams.list({}, { concurrency: 4, signal: controller.signal });
    for await (const page of list.pages()) {
      seen.push(page.page);
      await service.server.arrival(4);
      if (page.page === 2) controller.abort(reason);
    }
  };
  expect(await rejection(loop())).toBe(reason);
  expect(seen).toEqual([1, 2]);
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
});

test('two iterations of one list share the first page only', async () => {
  await using service = await connect(paged({ all, style: numbered }));
  const list = service.client.exams.list({}, { concurrency: 3 });
  expect(await Promise.all([collect(list), collect(list)])).toEqual([all, all]);
  expect(pagesAsked(service.server.requests).filter((page) => page === null)).toHaveLength(1);
});

test.each([1, 4])('a page that outlives its iteration has a next page: %i ahead', async (concurrency) => {
  const fetch = async (url: string) => {
    const page = Number(new URL(url).searchParams.get('page') ?? 1);
    return Response.json({ data: [{ id: page }], current_page: page, last_page: 9, total: 9, per_page: 1 });
  };
  const client = createClient(nowhere, { fetch });
  const kept = [];
  for await (const page of client.exams.list({}, { concurrency }).pages()) {
    kept.push(page);
    if (page.page === 3) break;
  }
  expect((await kept.at(-1)?.nextPage())?.page).toBe(4);
});

test('a page that fails cancels those behind it that are on their way', async () => {
  const cancelled = createGate<string>();
  const fetch: ClientOptions['fetch'] = async (input, init) => {
    const page = pageOf(new URL(String(input)).searchParams);
    if (page === 3) {
      return new Promise((_, reject) => {
        init?.signal?.addEventListener('abort', () => {
          cancelled.open('page 3');
          reject(init.signal?.reason);
        });
      });
    }
    return page === 2
      ? new Response(null, { status: 500 })
      : Response.json({ data: range(10), last_page: 3 });
  };
  const client = createClient(nowhere, { fetch });
  await failure(collect(client.exams.list({}, { concurrency: 3 })), InternalServerError);
  expect(await cancelled.promise).toBe('page 3');
});
