// Reads a list in passes, to decide by what it lacks.

import { MOST_PASSES, readInPasses } from '../../util/passes.ts';
import { ConfigurationError } from '../errors/base.ts';
import type { ResponseFormatError } from '../errors/response-error.ts';
import type { Row } from '../response/read.ts';
import { type FetchedPage, wholeKey } from './fetched-page.ts';
import { iterate, keyOf } from './iteration.ts';
import { readId } from './metadata.ts';
import { type PlacedPage, placeFirst } from './next-page.ts';

/** Collects the rows of all passes. */
export interface Collector<Item> {
  /** Who collects, for messages. */
  readonly caller: string;
  /** More rows than this are an error. */
  readonly maxItems: number;
  /** Takes a row of a pass, with its key of `distinct` or its `id` (`null` without either). Returns whether no pass before had it. */
  add(row: Row<Item>, key: unknown, page: FetchedPage<Item>): boolean;
  /** Whether a further pass could add nothing that matters; `pass` is the number of the one just read. */
  isComplete?(pass: number): boolean;
}

/**
 * Reads the list that begins with `first` until a pass adds nothing that was there when the first pass began.
 *
 * @throws {ConfigurationError} for a part of a list, and for one of more than `maxItems` rows
 * @throws {ResponseFormatError} when the fifth pass is not enough
 */
export async function collectUntilStable<Item>(
  first: PlacedPage<Item>,
  collector: Collector<Item>,
): Promise<void> {
  const { number, options, load } = first.fetched;
  const part = number > 1 ? 'page' : options.maxPages === undefined ? undefined : 'maxPages';
  if (part !== undefined)
    throw new ConfigurationError(`${collector.caller} reads the whole list: leave out \`${part}\`.`);
  const maxItems = Math.min(collector.maxItems, options.maxItems ?? collector.maxItems);
  const passes = new Passes(first, { ...collector, maxItems });
  const missed = await readInPasses(async (pass) =>
    passes.read(pass === 1 ? first : placeFirst(await load(1)), pass),
  );
  if (missed !== 0) throw passes.toError(missed);
}

/** What the passes over one list showed. */
class Passes<Item> {
  readonly #collector: Collector<Item>;
  /** The largest id of the first pass: a row above it was made since. `NaN` where ids do not tell. */
  #newest = Number.NaN;
  /** The ids of rows made since. */
  readonly #made = new Set<number>();
  /** How many rows the collector has. */
  #count = 0;
  /** How many rows the last pass showed on two pages; 0 where as many were made meanwhile. */
  #doubled = 0;
  /** Which rows these were in each pass: one text if they were always the same. */
  readonly #doubledRows = new Set<string>();
  #last: PlacedPage<Item>;

  constructor(first: PlacedPage<Item>, collector: Collector<Item>) {
    this.#collector = collector;
    this.#last = first;
  }

  /**
   * Reads one pass. Gives how many rows it had that no pass before had, and that were there when the first pass began; `null` for none in
   * a pass that proves nothing.
   */
  async read(first: PlacedPage<Item>, pass: number): Promise<number | null> {
    const { caller, maxItems, add, isComplete } = this.#collector;
    const isKeyed = typeof first.fetched.options.distinct === 'function';
    const madeBefore = this.#made.size;
    const shown = new Set<unknown>();
    const doubled = new Set<unknown>();
    let newest = 0;
    let missed = 0;
    for await (const page of iterate({ ...first, isInPass: true }, undefined, new AbortController())) {
      this.#last = page;
      const { fetched } = page;
      const onPage = new Map<unknown, Row<Item>>();
      for (const row of fetched.rows) {
        const id = readId(row.sent);
        const age = typeof id === 'number' ? id : Number.NaN;
        newest = Math.max(newest, age);
        const isMade = age > this.#newest;
        if (isMade) this.#made.add(age);
        const key = keyOf(row, fetched);
        const twin = isKeyed ? onPage.get(key) : undefined;
        if (twin && wholeKey(twin.sent) !== wholeKey(row.sent))
          throw fetched.fail('two different items have one key: is the key unique? See `distinct`', false);
        // Rows without a key or an id cannot be recognised: each counts.
        onPage.set(key ?? row, row);
        if (!add(row, key, fetched)) continue;
        this.#count += 1;
        if (!isMade) missed += 1;
      }
      for (const key of onPage.keys()) if (shown.size === shown.add(key).size) doubled.add(key);
      if (Math.max(this.#count, shown.size) > maxItems)
        throw new ConfigurationError(`More than ${maxItems} rows: raise \`maxItems\` of ${caller}.`);
    }
    if (pass === 1 && shown.size > 0) this.#newest = newest;
    const [from, to] = [first.info.total, this.#last.info.total];
    const made = from === null || to === null ? this.#made.size - madeBefore : Math.max(0, to - from);
    this.#doubled = doubled.size > made ? doubled.size : 0;
    this.#doubledRows.add([...doubled].map(String).sort().join());
    if (isComplete?.(pass)) return 0;
    return missed === 0 && (this.#doubled > 0 || pass === 1) ? null : missed;
  }

  /** Why the last pass, which missed that many rows, was not enough. */
  toError(missed: number | null): ResponseFormatError {
    const { fail } = this.#last.fetched;
    const rows = `${this.#doubled} row${this.#doubled === 1 ? '' : 's'} on two pages`;
    if (this.#doubled > 0 && this.#doubledRows.size === 1) {
      const cause = 'the list has no stable order, or several rows for one record; is the key unique?';
      const advice = 'Read it once: `toArray` without `untilStable`';
      return fail(`each pass showed the same ${rows}: ${cause} ${advice}`, false);
    }
    const moved = `showed ${rows}: rows move while it is read, or its order is not stable`;
    const found = this.#doubled > 0 ? moved : `still found ${missed} new`;
    return fail(`pass ${MOST_PASSES} ${found}. Try again when the list changes less`, true);
  }
}
