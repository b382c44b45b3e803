import { InfiniteQueryObserver, QueryObserver } from '@tanstack/query-core';
import { http } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { addSampleData } from '../../examples/browser/sample-data.ts';
import { createProxyHandler } from '../../src/proxy/index.ts';
import { createEmulator } from '../../src/testing/index.ts';
import { SAMPLE_END } from './helpers.ts';

const emulator = createEmulator({ apiKey: 'the-key-of-the-proxy' });
const proxy = createProxyHandler({
  baseUrl: 'http://localhost:4010/api/v1',
  apiKey: 'the-key-of-the-proxy',
  allow: ['examResults.list'],
  authorize: () => true,
  fetch: (url, init) => emulator.fetch(new Request(url, init)),
});
/** msw takes what the page requests to the proxy, without a server. */
const server = setupServer(http.all('http://localhost:5173/api/v1/*', ({ request }) => proxy(request)));

type Queries = typeof import('../../examples/browser/src/queries.ts');

describe('the data layer of the browser example with TanStack Query', () => {
  let queries: Queries;
  beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
  afterAll(() => server.close());
  beforeEach(async () => {
    vi.stubGlobal('location', new URL('http://localhost:5173/'));
    queries = await import('../../examples/browser/src/queries.ts');
    emulator.reset();
    addSampleData(emulator.control, SAMPLE_END);
    queries.queryClient.clear();
  });

  test('loads a page once for all that show it', async () => {
    const { queryClient, resultsQuery } = queries;
    const pages = await Promise.all([1, 2].map(() => queryClient.fetchQuery(resultsQuery({ exam_id: 5 }))));
    expect(pages[0]).toMatchObject({ page: 1, total: 40, nextPageNumber: 2 });
    expect(pages[1]).toBe(pages[0]);
    expect(emulator.requests).toHaveLength(1);
  });

  test('loads every page of a filter', async () => {
    const { queryClient, everyResultQuery } = queries;
    const observer = new InfiniteQueryObserver(queryClient, everyResultQuery({}));
    let result = await observer.fetchNextPage();
    while (result.hasNextPage) result = await observer.fetchNextPage();
    expect(result.data?.pages.flatMap(({ data }) => data)).toHaveLength(400);
    expect(emulator.requests).toHaveLength(4);
  });

  test('gives a request up when nobody waits for it any more', async () => {
    const { queryClient, resultsQuery } = queries;
    emulator.faults.inject({ delay: 60_000 });
    const observer = new QueryObserver(queryClient, resultsQuery({ exam_id: 5 }));
    const leave = observer.subscribe(() => {});
    await expect.poll(() => emulator.faults.waiting.length).toBe(0);
    leave();
    await expect.poll(() => queryClient.isFetching()).toBe(0);
    expect(queryClient.getQueryData(['examResults', 'page', { exam_id: 5 }])).toBeUndefined();
  });

  test('shows the error of the client, and does not repeat what the client has repeated', async () => {
    const { queryClient, resultsQuery } = queries;
    emulator.faults.inject({ times: 9, effect: 'respond', status: 422 });
    await expect(queryClient.fetchQuery(resultsQuery({}))).rejects.toMatchObject({ status: 422 });
    expect(emulator.requests).toHaveLength(1);
  });
});
