// Reads a list in passes, to decide by what it lacks.

import { MOST_PASSES, readInPasses } from '../../util/passes.ts';
import { ConfigurationError } from '../errors/base.ts';
import type { FetchedPage } from './fetched-page.ts';
import { distinctKey, iterate } from './iteration.ts';
import { readId } from './metadata.ts';
import { type PlacedPage, placeFirst } from './next-page.ts';

/** What is made of the items of all passes. */
export interface Collector<Item> {
  /** Who collects, for messages. */
  readonly caller: string;
  /** More rows than this are an error. */
  readonly maxItems: number;
  /** Takes an item with what distinguishes it; returns whether it is new. */
  add(item: Item, key: unknown): boolean;
  /** What distinguishes an item that has no `id`, in a list without `distinct`. */
  keyOf(item: Item, page: FetchedPage<Item>): unknown;
  /** Whether no further pass could add anything. */
  isComplete?(): boolean;
}

/**
 * Reads the list that begins with `first` until a pass adds nothing. A pass that has fewer rows than its `total`, which was the same on
 * every page, counts for nothing: the list has no stable order.
 *
 * @throws {ConfigurationError} for a part of a list, and for one of more than `maxItems` rows
 * @throws {ResponseFormatError} when the fifth pass still added something
 */
export async function collectUntilStable<Item>(
  first: PlacedPage<Item>,
  { caller, maxItems, add, keyOf, isComplete = () => false }: Collector<Item>,
): Promise<void> {
  const { number, options, load } = first.fetched;
  const { distinct } = options;
  const part = number > 1 ? 'page' : options.maxPages === undefined ? undefined : 'maxPages';
  if (part !== undefined)
    throw new ConfigurationError(`${caller} reads the whole list: leave out \`${part}\`.`);
  const most = Math.min(maxItems, options.maxItems ?? maxItems);
  let last = first;
  let known = 0;
  /** Rows of the last pass, and how many it should have. */
  let shown = '';

  const added = await readInPasses(async (pass) => {
    const start = pass === 1 ? first : placeFirst(await load(1));
    const before = known;
    const rows = new Set<unknown>();
    const totals = new Set<number | null>();
    for await (const page of iterate(start, undefined, new AbortController())) {
      last = page;
      totals.add(page.info.total);
      for (const item of page.rows) {
        const key = distinct
          ? distinctKey(distinct, item, page.fetched)
          : (readId(item) ?? keyOf(item, page.fetched));
        rows.add(key);
        if (add(item, key)) known += 1;
        if (Math.max(known, rows.size) > most)
          throw new ConfigurationError(
            `The list has more than ${most} rows: raise \`maxItems\` of ${caller}.`,
          );
      }
    }
    if (isComplete()) return 0;
    const [total] = totals;
    const isShort = totals.size === 1 && rows.size < Number(total);
    shown = isShort ? `, in ${rows.size} of ${total} rows` : '';
    return known > before ? known - before : isShort || pass === 1 ? null : 0;
  });
  if (added === 0) return;
  const found = `${added ?? 0} new${shown}`;
  throw last.fetched.fail(
    `the list changes while it is read: pass ${MOST_PASSES} found ${found}. Try again when it changes less`,
    true,
  );
}
