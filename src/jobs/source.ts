// The source of a job: reads rows from anywhere, one at a time.

import { ConfigurationError } from '../core/errors/base.ts';
import { isThenable } from '../core/time.ts';
import { isCount } from '../util/numbers.ts';
import { JobError, rowError } from './job-error.ts';

/** Rows from anywhere: an array, a generator, a stream, a database cursor. */
export type RowSource<Row> = Iterable<Row> | AsyncIterable<Row>;

/** A row, or a pair, as the source gave it. */
export interface SourceRow<Row = unknown> {
  /** Position in the source, from 0. */
  readonly index: number;
  readonly given: Row;
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

/** Reads the rows of a source from the first on, one at a time. */
export class RowReader<Row> implements AsyncIterableIterator<SourceRow<Row>> {
  /** Number of rows in the source; `null` if unknown. */
  readonly total: number | null;
  readonly #rows: Iterator<Row> | AsyncIterator<Row>;
  readonly #resumeFrom: number;
  #count = 0;
  #isOver = false;
  #turnAt = performance.now();
  /** Ends the step that is waited for. */
  #interrupt: (() => void) | undefined;
  #closing: Promise<unknown> | undefined;

  /** @throws {ConfigurationError} for a source that cannot be iterated, or that a job has read before */
  constructor(source: RowSource<Row>, resumeFrom: number) {
    if (typeof source === 'string')
      throw new ConfigurationError('The source is a string: pass rows, for example from csv-parse.');
    const { [Symbol.asyncIterator]: open, [Symbol.iterator]: openSync = open } = Object(source);
    if (typeof (open ?? openSync) !== 'function') {
      throw new ConfigurationError(
        'The rows must be in an array or another iterable; await a Promise first.',
      );
    }
    if (consumed.has(source))
      throw new ConfigurationError('A job has read this source: make a new stream or iterator of its rows.');
    this.total = open === undefined ? countOf(source) : null;
    this.#resumeFrom = resumeFrom;
    this.#rows = (open ?? openSync).call(source);
    if (Object(this.#rows) === source || 'getReader' in Object(source) || 'pipe' in Object(source))
      consumed.add(source);
  }

  /**
   * The next row. At the end it checks that there were as many as `resumeFrom` says.
   *
   * @throws {JobError} when the source fails, or ends before that
   */
  async next(): Promise<IteratorResult<SourceRow<Row>, undefined>> {
    if (performance.now() - this.#turnAt > LONGEST_TURN_MS) {
      await new Promise((resolve) => {
        loadedTimeout(resolve);
        setTimeout(resolve);
      });
      this.#turnAt = performance.now();
    }
    if (this.#isOver) return over;
    try {
      const step = this.#rows.next();
      const { done, value } = 'then' in step ? await this.#orInterrupt(step) : step;
      // It may have been stopped meanwhile.
      if (this.#isOver) return over;
      if (done !== true) return { value: { index: this.#count++, given: value } };
    } catch (cause) {
      throw rowError(`the source failed after ${rowCount(this.#count)}`, cause);
    }
    this.#isOver = true;
    if (this.#count >= this.#resumeFrom) return over;
    const message = `row ${this.#resumeFrom} was to be the next, and the source has ${rowCount(this.#count)}: pass all of them again`;
    throw new JobError(message, { cause: new ConfigurationError(`${message}.`), isOtherSource: true });
  }

  /** Ends the rows immediately, even if the source does not respond. Resolves when a source that responds has been closed. */
  async stop(): Promise<unknown> {
    if (!this.#isOver) {
      this.#isOver = true;
      // If it fails, the job ends for another reason, which is the one to report.
      const end = (async () => this.#rows.return?.())().catch(() => {});
      // A pending source may never respond, so it is not awaited again.
      if (this.#interrupt === undefined) this.#closing = end;
      this.#interrupt?.();
    }
    return this.#closing;
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  /** Written out, because `Promise.race` with a long-lived promise would retain memory for every row. */
  #orInterrupt(step: PromiseLike<IteratorResult<Row>>): Promise<IteratorResult<Row>> {
    return new Promise<IteratorResult<Row>>((resolve, reject) => {
      this.#interrupt = () => resolve(over);
      step.then(resolve, reject);
    }).finally(() => {
      this.#interrupt = undefined;
    });
  }
}

const rowCount = (count: number) => (count === 1 ? '1 row' : `${count} rows`);

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
