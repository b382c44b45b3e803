// The data layer of the page with TanStack Query, in place of `Panel`. It is the same for React, Vue, Solid, Svelte and Angular:
//
//   const { data } = useQuery(resultsQuery({ exam_id, page }));
//   const { data, fetchNextPage } = useInfiniteQuery(everyResultQuery({ exam_id }));

import { keepPreviousData, QueryClient, type QueryFunctionContext } from '@tanstack/query-core';
import type { ResultFilter } from './results-panel.ts';
import { client } from './service.ts';

/** The client repeats requests itself, and knows which ones and when; a second layer would multiply them. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 30_000 } },
});

/** One page of results. While another is loaded, the one before stays on the screen. */
export function resultsQuery(query: ResultFilter & { readonly page?: number; readonly limit?: number }) {
  return {
    queryKey: ['examResults', 'page', query] as const,
    // The signal gives a request up that nobody waits for any more. Plain data can be kept and compared; a `Page` cannot.
    queryFn: async ({ signal }: QueryFunctionContext) =>
      (await client.examResults.list(query, { signal })).toJSON(),
    placeholderData: keepPreviousData,
  };
}

/** All results of a filter, page by page. */
export function everyResultQuery(filter: ResultFilter) {
  return {
    queryKey: ['examResults', 'all', filter] as const,
    queryFn: async ({ signal, pageParam }: QueryFunctionContext<readonly unknown[], number>) =>
      (await client.examResults.list({ ...filter, page: pageParam, limit: 100 }, { signal })).toJSON(),
    initialPageParam: 1,
    getNextPageParam: ({ nextPageNumber }: { readonly nextPageNumber: number | null }) => nextPageNumber,
  };
}
