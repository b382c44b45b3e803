// Reads the response of a list operation, and fetches further pages of the same list.

import type { Issue } from '../../util/standard-schema.ts';
import { tryOrUndefined } from '../../util/try-or-undefined.ts';
import { ResponseFormatError } from '../errors/response-error.ts';
import type { ListOptions } from '../options/client-options.ts';
import { planPage } from '../plan.ts';
import { type ReadList, type ResponseToRead, readList } from '../response/read.ts';
import { type PageInfo, readId, readPageInfo } from './metadata.ts';

/** One page as it was fetched. */
export interface FetchedPage<Item> extends Pick<ReadList<Item>, 'rows' | 'check' | 'contradict'> {
  /** What identifies each row, to recognise a page that comes again. */
  readonly keys: readonly unknown[];
  readonly info: PageInfo;
  /** The requested page number. */
  readonly number: number;
  /** The requested page size; `null` when none was requested. */
  readonly limit: number | null;
  /** The caller's options, for every page of the list. */
  readonly options: ListOptions<never>;
  /** Whether a response that is not as expected is an error. */
  readonly isStrict: boolean;
  /** Fetches another page of the same list. */
  readonly load: (number: number, signal?: AbortSignal) => Promise<FetchedPage<Item>>;
  /** Reports to hooks and log in every mode. */
  readonly report: (issue: Issue) => void;
  /** The error for a list whose rest cannot be read. */
  readonly fail: (problem: string, retryable?: boolean) => ResponseFormatError;
}

/** Reads the response of a list operation. */
export async function readPage<Item>(response: ResponseToRead): Promise<FetchedPage<Item>> {
  const { plan } = response.request;
  const query = new URLSearchParams(plan.query);
  const { envelopes, ...list } = await readList<Item>(response);
  return {
    ...list,
    keys: keysOf(list.rows.map(({ sent }) => sent)),
    info: readPageInfo(envelopes, list.rows.length),
    number: Number(query.get('page') ?? 1),
    limit: Number(query.get('limit') ?? query.get('per_page')) || null,
    options: plan.options,
    isStrict: plan.rules.validation === 'strict',
    // The signal of a page within an iteration ends with the iteration.
    load: (page, signal = plan.options.signal) => response.send(planPage(plan, page, signal), readPage<Item>),
    report: (issue) => response.report([issue]),
    fail: (problem, retryable) => new ResponseFormatError(response, problem, 'done', { retryable }),
  };
}

/** The ids of rows, because other fields may change between responses; the whole rows where ids are not unique. */
function keysOf(rows: readonly unknown[]): readonly unknown[] {
  const ids = rows.map(readId);
  const areDistinct = !ids.includes(null) && new Set(ids).size === ids.length;
  return areDistinct ? ids : rows.map(wholeKey);
}

/** The same for equal rows. Those that are nested too deep to be written are compared by identity, so that none equals another. */
export function wholeKey(row: unknown): unknown {
  return tryOrUndefined(() => JSON.stringify(row)) ?? row;
}
