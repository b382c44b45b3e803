// What the bulk jobs stand on: a reader of rows from any source, and a pool that works on several things at once and gives the
// results in the order of the source. A job folds these results one by one, so how far the fold has come is where a rerun begins.

import { ConfigurationError } from '../core/errors/base.ts';
import { callTable } from '../core/options/call-options.ts';
import type { RequestOptions } from '../core/options/client-options.ts';
import { onAbort } from '../core/time.ts';
import { isCount } from '../util/numbers.ts';

/** Rows from anywhere: an array, a generator, a stream, a database cursor. */
export type RowSource<Row> = Iterable<Row> | AsyncIterable<Row>;

/** Those options of a job that each of its calls takes. */
export function pickCallOptions(options: object): RequestOptions {
  return Object.fromEntries(Object.keys(callTable).map((name) => [name, Reflect.get(options, name)]));
}

/** Entries of a list in a summary, at most: what a summary holds must not grow with the source. */
export const LONGEST_LIST = 1_000;

/** Reads rows from a source one at a time, and can be stopped while it waits for one. */
export interface RowReader<Row> {
  /** Number of rows in the source; `null` if unknown. */
  readonly total: number | null;
  /** The next row; `null` at the end and after `stop`. */
  next(): Promise<{ readonly row: Row } | null>;
  /** Stops reading at once, even if the source does not respond. */
  stop(): void;
  /** Resolves when a stopped source has been closed. */
  closed(): Promise<void>;
}

/** @throws {ConfigurationError} for a source that cannot be iterated. */
export function readRows<Row>(source: RowSource<Row>): RowReader<Row> {
  const { [Symbol.asyncIterator]: open, [Symbol.iterator]: openSync = open } = Object(source);
  if (typeof (open ?? openSync) !== 'function') {
    throw new ConfigurationError('The rows must be an iterable or async iterable.');
  }
  const rows: Iterator<Row> | AsyncIterator<Row> = (open ?? openSync).call(source);
  let isOver = false;
  let interrupt: (() => void) | undefined;
  let closing: Promise<void> | undefined;

  /** Written out, because `Promise.race` with a long-lived promise would retain memory for every row. */
  const orInterrupt = (step: PromiseLike<IteratorResult<Row>>) =>
    new Promise<IteratorResult<Row> | null>((resolve, reject) => {
      interrupt = () => resolve(null);
      const settle = <Value>(end: (value: Value) => void) => {
        return (value: Value) => {
          interrupt = undefined;
          end(value);
        };
      };
      step.then(settle(resolve), settle(reject));
    });
  const close = async () => {
    try {
      await rows.return?.();
    } catch {
      // The job ends for another reason, which is the one to report.
    }
  };
  return {
    total: open === undefined ? countOf(source) : null,
    async next() {
      if (isOver) return null;
      const step = rows.next();
      const result = 'then' in step ? await orInterrupt(step) : step;
      if (result === null) return null;
      if (result.done !== true) return { row: result.value };
      isOver = true;
      return null;
    },
    stop() {
      if (isOver) return;
      isOver = true;
      const end = close();
      // A pending source may never respond, so it is not awaited again.
      if (interrupt === undefined) closing = end;
      interrupt?.();
    },
    async closed() {
      await closing;
    },
  };
}

/** How many pieces of work there may be. */
export interface PoolLimits {
  /** Under way at once. */
  readonly concurrency: number;
  /** Begun and not yet asked for; those beyond `concurrency` wait behind a slow one. */
  readonly ahead: number;
}

/**
 * Begins work on what `next` gives, and yields the results in the same order. Nothing new begins while the caller is busy with a
 * result. `next` returns `null` at the end; what it throws is thrown after all results. `work` must not reject.
 */
export async function* inOrder<Item, Result>(
  next: () => Promise<Item | null>,
  work: (item: Item) => Promise<Result>,
  { concurrency, ahead }: PoolLimits,
  signal?: AbortSignal,
): AsyncGenerator<Result, void, undefined> {
  const begun: { result?: { readonly value: Result } }[] = [];
  let underWay = 0;
  let isReading = false;
  let isOver = false;
  let failure: { readonly cause: unknown } | undefined;
  let wake = () => {};

  const begin = async (item: Item): Promise<void> => {
    const entry: (typeof begun)[number] = {};
    begun.push(entry);
    underWay += 1;
    entry.result = { value: await work(item) };
    underWay -= 1;
    wake();
  };
  const read = async (): Promise<void> => {
    isReading = true;
    try {
      const item = await next();
      if (item === null) isOver = true;
      else void begin(item);
    } catch (cause) {
      failure = { cause };
      isOver = true;
    }
    isReading = false;
    wake();
  };

  const unfollow = signal && onAbort(signal, () => wake());
  try {
    for (;;) {
      if (signal?.aborted) throw signal.reason;
      const result = begun[0]?.result;
      if (result !== undefined) {
        begun.shift();
        yield result.value;
        continue;
      }
      if (isOver && begun.length === 0) break;
      if (!isOver && !isReading && underWay < concurrency && begun.length < ahead) void read();
      // Results come as soon as they are there, however long the source takes for its next row.
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    if (failure !== undefined) throw failure.cause;
  } finally {
    unfollow?.();
  }
}

/**
 * The `length` of arrays and typed arrays, the `size` of Sets and Maps. The `length` of a string counts differently from its
 * iterator.
 */
function countOf(source: object): number | null {
  if (typeof source === 'string') return null;
  const { length, size = length }: { readonly length?: unknown; readonly size?: unknown } = source;
  return isCount(size, 0) ? size : null;
}
