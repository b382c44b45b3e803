import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { ConfigurationError, type ListOptions, ResponseValidationError } from '../../../src/index.ts';
import { collect, connect } from '../../fixtures/responses/client.ts';
import { allStyles } from '../../fixtures/responses/lists.ts';
import { paged, pagesAsked, range } from '../../fixtures/responses/paged.ts';
import { createClient, failure, nowhere, rejection } from '../../helpers/client.ts';
import { startService } from '../../helpers/server.ts';

const all = range(23);
const { 'a paginator': numbered = () => null, 'a bare array': plain = () => null } = allStyles;

describe.each(Object.entries(allStyles))('%s', (_, style) => {
  test('is iterated item by item, each once', async () => {
    await using service = await connect(paged({ all, style }));
    expect(await collect(service.client.exams.list({ limit: 5 }))).toEqual(all);
  });

  test('is iterated page by page', async () => {
    await using service = await connect(paged({ all, style }));
    const pages = await collect(service.client.exams.list({ limit: 10 }).pages());
    expect(pages.map(({ data }) => data)).toEqual([all.slice(0, 10), all.slice(10, 20), all.slice(20)]);
    expect(pages.map(({ page }) => page)).toEqual([1, 2, 3]);
  });

  test('is iterated from the page that the query names', async () => {
    await using service = await connect(paged({ all, style }));
    expect(await collect(service.client.exams.list({ page: 3, limit: 7 }))).toEqual(all.slice(14));
  });

  test('is collected', async () => {
    await using service = await connect(paged({ all, style }));
    expect(await service.client.exams.list().toArray({ maxItems: 1_000 })).toEqual(all);
  });
});

describe('only the pages that are needed are fetched', () => {
  test('with metadata', async () => {
    await using service = await connect(paged({ all, style: numbered }));
    await collect(service.client.exams.list());
    expect(pagesAsked(service.server.requests)).toEqual([null, 2, 3]);
  });

  test('without metadata, where one more shows that the list is over', async () => {
    await using service = await connect(paged({ all, style: plain }));
    await collect(service.client.exams.list());
    expect(pagesAsked(service.server.requests)).toEqual([null, 2, 3, 4]);
  });

  test('when the loop is left', async () => {
    await using service = await connect(paged({ all, style: numbered }));
    const seen: number[] = [];
    for await (const { id } of service.client.exams.list()) {
      seen.push(id);
      if (id === 12) break;
    }
    expect(seen).toHaveLength(12);
    expect(service.server.requests).toHaveLength(2);
  });

  test.each([
    [1, 1],
    [10, 1],
    [11, 2],
    [20, 2],
    [23, 3],
    [1_000, 3],
  ])('for toArray({ maxItems: %i })', async (maxItems, requests) => {
    await using service = await connect(paged({ all, style: numbered }));
    expect(await service.client.exams.list().toArray({ maxItems })).toEqual(all.slice(0, maxItems));
    expect(service.server.requests).toHaveLength(requests);
  });

  test('for maxItems of the call, which also ends a loop and the pages', async () => {
    await using service = await connect(paged({ all, style: plain }));
    const list = () => service.client.exams.list({}, { maxItems: 10 });
    expect(await collect(list())).toEqual(all.slice(0, 10));
    expect(await collect(list().pages())).toHaveLength(1);
    expect(service.server.requests).toHaveLength(2);
  });

  test('for maxPages', async () => {
    await using service = await connect(paged({ all, style: plain }));
    expect(await collect(service.client.exams.list({}, { maxPages: 2 }))).toEqual(all.slice(0, 20));
    expect(await collect(service.client.exams.list({}, { maxPages: 1 }).pages())).toHaveLength(1);
    expect(service.server.requests).toHaveLength(3);
  });
});

test('the last page of pages() with maxItems is whole', async () => {
  await using service = await connect(paged({ all, style: numbered }));
  const pages = await collect(service.client.exams.list({}, { maxItems: 13 }).pages());
  expect(pages.map(({ data }) => data.length)).toEqual([10, 10]);
});

test('the smaller of the two bounds counts', async () => {
  await using service = await connect(paged({ all, style: numbered }));
  const list = () => service.client.exams.list({}, { maxItems: 4 });
  expect(await list().toArray({ maxItems: 9 })).toHaveLength(4);
  expect(await list().toArray({ maxItems: 2 })).toHaveLength(2);
});

describe('a bound that bounds nothing is rejected', () => {
  const unbounded = [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '5', null, undefined];

  test.each(unbounded.slice(0, -1))(
    'as an option, before anything is sent: maxItems and maxPages: %s',
    async (bound) => {
      await using service = await connect({ body: [] });
      for (const name of ['maxItems', 'maxPages']) {
        const options = { [name]: bound } as ListOptions;
        const awaited = await rejection(service.client.exams.list({}, options));
        const iterated = await rejection(collect(service.client.exams.list({}, options)));
        for (const error of [awaited, iterated]) {
          expect(error).toBeInstanceOf(ConfigurationError);
          expect(String(error)).toContain(name);
        }
      }
      expect(service.server.requests).toEqual([]);
    },
  );
});

describe('an abort', () => {
  test('ends a loop at once, within a page, with the reason of the signal', async () => {
    await using service = await connect(paged({ all, style: numbered }));
    const controller = new AbortController();
    const reason = new Error('enough');
    const seen: number[] = [];
    const loop = async () => {
      for await (const { id } of service.client.exams.list({}, { signal: controller.signal })) {
        seen.push(id);
        if (id === 13) controller.abort(reason);
      }
    };
    expect(await rejection(loop())).toBe(reason);
    expect(seen).toHaveLength(13);
    expect(service.server.requests).toHaveLength(2);
  });

  test('between two pages fetches nothing more', async () => {
    await using service = await connect(paged({ all, style: numbered }));
    const controller = new AbortController();
    const page = await service.client.exams.list({}, { signal: controller.signal });
    controller.abort('stop');
    expect(await rejection(page.nextPage())).toBe('stop');
    expect(service.server.requests).toHaveLength(1);
  });

  test('while a page is on its way rejects with the reason', async () => {
    const controller = new AbortController();
    await using service = await connect((_, { number }) => {
      if (number === 1) return { body: { data: [{ id: 1 }], last_page: 2 } };
      controller.abort('stop');
      return undefined;
    });
    const list = service.client.exams.list({}, { signal: controller.signal });
    expect(await rejection(list.toArray({ maxItems: 5 }))).toBe('stop');
  });

  test('after the last item changes nothing', async () => {
    await using service = await connect({ body: { data: range(2), last_page: 1 } });
    const controller = new AbortController();
    for await (const { id } of service.client.exams.list({}, { signal: controller.signal })) {
      if (id === 2) controller.abort();
    }
    expect(controller.signal.aborted).toBe(true);
  });
});

test('a response of another shape on page 2 comes after the items of page 1', async () => {
  await using service = await connect([
    { body: { data: range(2), last_page: 3 } },
    { body: { data: [{ id: 'x' }] } },
  ]);
  const seen: unknown[] = [];
  const loop = async () => {
    for await (const item of service.client.exams.list()) seen.push(item);
  };
  const error = await failure(loop(), ResponseValidationError);
  expect(error).toMatchObject({ operation: 'exams.list', issues: [{ path: 'data.0.id' }] });
  expect(seen).toEqual(range(2));
});

test('a list can be awaited and iterated, and its first page is fetched once', async () => {
  await using service = await connect(paged({ all, style: numbered }));
  const list = service.client.exams.list({ limit: 20 });
  const [page, items] = [await list, await collect(list)];
  expect(page.data).toHaveLength(20);
  expect(items).toEqual(all);
  expect(service.server.requests).toHaveLength(2);
});

test('withResponse() gives the page and what came beside it', async () => {
  await using service = await connect({ headers: { 'x-request-id': 'r-1' }, body: { data: [{ id: 1 }] } });
  const { data, meta } = await service.client.exams.list().withResponse();
  expect(data.data).toEqual([{ id: 1 }]);
  expect(meta).toMatchObject({ status: 200, requestId: 'r-1', attempts: 1 });
});

test('an iterator that is given up leaves no listener on a signal that lives longer', async () => {
  const { signal } = new AbortController();
  const fetch = async (url: string) => {
    const page = Number(new URL(url).searchParams.get('page') ?? 1);
    return Response.json({ data: [{ id: page }], meta: { current_page: page, last_page: 9 } });
  };
  const client = createClient(nowhere, { fetch });
  const iterator = client.exams.list({}, { signal, concurrency: 3 })[Symbol.asyncIterator]();
  expect((await iterator.next()).value).toEqual({ id: 1 });
  await expect.poll(() => getEventListeners(signal, 'abort')).toEqual([]);
});

test.each([1, 3])(
  'return() cancels the pages that an iterator waits for (concurrency %i)',
  async (concurrency) => {
    await using server = startService(({ query }) =>
      query.get('page') === null
        ? { body: { data: [{ id: 1 }], meta: { current_page: 1, last_page: 9 } } }
        : undefined,
    );
    const ended: unknown[] = [];
    const hooks = { onEnd: ({ outcome }: { outcome: string }) => ended.push(outcome) };
    const list = createClient(server, { hooks }).exams.list({}, { concurrency });
    for (const iterator of [list[Symbol.asyncIterator](), list.pages()]) {
      await iterator.next();
      const pending = iterator.next();
      await server.arrival(server.requests.length + 1);
      expect(await iterator.return(undefined)).toEqual({ done: true, value: undefined });
      expect(await pending).toEqual({ done: true, value: undefined });
      expect(await iterator.next()).toEqual({ done: true, value: undefined });
    }
    expect(new Set(ended)).toEqual(new Set(['success', 'cancelled']));
  },
);
