// The source of a job: reads rows from anywhere, one at a time.

import { ConfigurationError } from '../core/errors/base.ts';
import { isThenable } from '../core/time.ts';
import { isCount } from '../util/numbers.ts';
import { rowError } from './job-error.ts';

/** Rows from anywhere: an array, a generator, a stream, a database cursor. */
export type RowSource<Row> = Iterable<Row> | AsyncIterable<Row>;

/** A row, or a pair, as the source gave it. */
export interface SourceRow<Row = unknown> {
  /** Position in the source, from 0. */
  readonly index: number;
  readonly given: Row;
}

/** Reads the rows of a source one at a time. */
export interface RowReader<Row> extends AsyncIterableIterator<SourceRow<Row>> {
  /** Number of rows in the source; `null` if unknown. */
  readonly total: number | null;
  /** Ends the rows immediately, even if the source does not respond. Resolves when a source that responds has been closed. */
  stop(): Promise<unknown>;
}

const over = { done: true, value: undefined } as const;

/** Iterators and streams that a job has read: they are empty, or their first rows are gone, so a second job would lose rows. */
const consumed = new WeakSet<object>();
/** How long rows are read in one go before timers, sockets and an abort get their turn. */
const LONGEST_TURN_MS = 50;
/**
 * The timer from when the package was loaded. Tests may fake timers and not the clock, before that or later: one of the two is
 * real.
 */
const { setTimeout: loadedTimeout } = globalThis;

/**
 * Gives the rows of the source from the first on. Where they end, it checks that there are as many as `resumeFrom` says.
 *
 * @throws {ConfigurationError} for a source that cannot be iterated, or that a job has read before.
 */
export function readRows<Row>(source: RowSource<Row>, resumeFrom: number): RowReader<Row> {
  if (typeof source === 'string')
    throw new ConfigurationError('The source is a string: pass rows, for example from csv-parse.');
  const { [Symbol.asyncIterator]: open, [Symbol.iterator]: openSync = open } = Object(source);
  if (typeof (open ?? openSync) !== 'function') {
    throw new ConfigurationError('The rows must be in an array or another iterable; await a Promise first.');
  }
  if (consumed.has(source)) {
    throw new ConfigurationError('A job has read this source: make a new stream or iterator of its rows.');
  }
  const rows: Iterator<Row> | AsyncIterator<Row> = (open ?? openSync).call(source);
  if (Object(rows) === source || 'getReader' in Object(source) || 'pipe' in Object(source))
    consumed.add(source);
  let turnAt = performance.now();
  let count = 0;
  let isOver = false;
  let interrupt: (() => void) | undefined;
  let closing: Promise<unknown> | undefined;

  /** Written out, because `Promise.race` with a long-lived promise would retain memory for every row. */
  const orInterrupt = (step: PromiseLike<IteratorResult<Row>>) =>
    new Promise<IteratorResult<Row>>((resolve, reject) => {
      interrupt = () => resolve(over);
      step.then(resolve, reject);
    }).finally(() => {
      interrupt = undefined;
    });
  return {
    total: open === undefined ? countOf(source) : null,
    async next() {
      if (performance.now() - turnAt > LONGEST_TURN_MS) {
        await new Promise((resolve) => {
          loadedTimeout(resolve);
          setTimeout(resolve);
        });
        turnAt = performance.now();
      }
      if (isOver) return over;
      try {
        const step = rows.next();
        const { done, value } = 'then' in step ? await orInterrupt(step) : step;
        // It may have been stopped meanwhile.
        if (isOver) return over;
        if (done !== true) return { value: { index: count++, given: value } };
      } catch (cause) {
        const read = count === 1 ? '1 row' : `${count} rows`;
        throw rowError(`the source failed after ${read}`, cause);
      }
      isOver = true;
      if (count >= resumeFrom) return over;
      throw new ConfigurationError(
        `\`resumeFrom\` is ${resumeFrom}, and the source has ${count} rows: pass all of them again.`,
      );
    },
    async stop() {
      if (!isOver) {
        isOver = true;
        // If it fails, the job ends for another reason, which is the one to report.
        const end = (async () => rows.return?.())().catch(() => {});
        // A pending source may never respond, so it is not awaited again.
        if (interrupt === undefined) closing = end;
        interrupt?.();
      }
      return closing;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** The `length` of arrays and typed arrays, the `size` of Sets and Maps. */
function countOf(source: object): number | null {
  const { length, size = length }: { readonly length?: unknown; readonly size?: unknown } = source;
  return isCount(size, 0) ? size : null;
}

/**
 * What `map` returns for a row; `null` skips it.
 *
 * @param form what it is to return, for messages
 * @throws {JobError} when it fails
 * @throws {ConfigurationError} when it returns nothing, or a promise
 */
export function mapRow(
  map: (row: unknown, index: number) => unknown,
  row: unknown,
  index: number,
  form: string,
): unknown {
  let mapped: unknown;
  try {
    mapped = map(row, index);
  } catch (cause) {
    throw rowError(`\`map\` failed on row ${index}`, cause, row);
  }
  if (mapped === undefined) {
    const advice = `return ${form}, or null to skip it.`;
    throw new ConfigurationError(`\`map\` returned undefined for row ${index}: ${advice}`);
  }
  if (!isThenable(mapped)) return mapped;
  // Nobody will await it.
  mapped.then(undefined, () => {});
  throw new ConfigurationError(
    `\`map\` returned a promise for row ${index}: for work that takes time, make the source an async generator.`,
  );
}
