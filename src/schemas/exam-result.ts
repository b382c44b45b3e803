// Schemas of the list of results and its query.

import * as z from 'zod/mini';
import { readDecimal } from '../util/numbers.ts';
import { once } from '../util/once.ts';
import { ofLists, parameters } from './parameters.ts';
import { id, openObject, page, pageSize } from './service-fields.ts';

/**
 * One item of GET /exam-results. Its fields are undocumented by the service, so its type names none. A decimal sent as
 * a string (`"87.50"`) is read as a number; another score is no reason to reject a list, and stays as it is.
 */
export const examResult = once(
  (): z.ZodMiniType<{
    readonly score?: number | null | undefined;
    readonly [field: string]: unknown;
  }> =>
    openObject({
      score: z.optional(z.pipe(z.unknown(), z.transform(readDecimal as (score: unknown) => number | null))),
    }),
);

/** Query of GET /exam-results. */
export const examResultsQuery = once(() =>
  parameters(
    { page: page(), limit: pageSize(), participant_id: z.optional(id()), exam_id: z.optional(id()) },
    ofLists,
  ),
);
