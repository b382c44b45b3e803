// Reads rows for bulk operations from any source, one at a time.

import { ConfigurationError } from '../core/errors/configuration-error.ts';
import { isCount } from '../util/numbers.ts';

/** Rows from anywhere: an array, a generator, a stream, a database cursor. */
export type RowSource<Row> = Iterable<Row> | AsyncIterable<Row>;

/** Reads rows from a source one at a time, and can be stopped while it waits for one. */
export class RowReader<Row> {
  /** Number of rows in the source; `null` if unknown. */
  readonly total: number | null;
  readonly #rows: Iterator<Row> | AsyncIterator<Row>;
  #isOver = false;
  #interrupt: (() => void) | undefined;
  #closing: Promise<void> | undefined;

  /** @throws {ConfigurationError} for a source that cannot be iterated. */
  constructor(source: RowSource<Row>) {
    const { [Symbol.asyncIterator]: open, [Symbol.iterator]: openSync = open } = Object(source);
    if (typeof (open ?? openSync) !== 'function') {
      throw new ConfigurationError('The rows must be an iterable or async iterable.');
    }
    this.#rows = (open ?? openSync).call(source);
    this.total = open === undefined ? countOf(source) : null;
  }

  /** The next row; `null` at the end and after `stop`. */
  async next(): Promise<{ readonly row: Row } | null> {
    if (this.#isOver) return null;
    const step = this.#rows.next();
    const result = 'then' in step ? await this.#orInterrupt(step) : step;
    if (result === null) return null;
    if (result.done !== true) return { row: result.value };
    this.#isOver = true;
    return null;
  }

  /** Stops reading at once, even if the source does not respond. */
  stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const closing = this.#close();
    // A pending source may never respond, so it is not awaited again.
    if (this.#interrupt === undefined) this.#closing = closing;
    this.#interrupt?.();
  }

  /** Resolves when a stopped source has been closed. */
  async closed(): Promise<void> {
    await this.#closing;
  }

  async #close(): Promise<void> {
    try {
      await this.#rows.return?.();
    } catch {
      // The import ends for another reason, which is the one to report.
    }
  }

  /** Written out, because `Promise.race` with a long-lived promise would retain memory for every row. */
  #orInterrupt(step: PromiseLike<IteratorResult<Row>>): Promise<IteratorResult<Row> | null> {
    return new Promise((resolve, reject) => {
      this.#interrupt = () => resolve(null);
      step.then(
        (result) => {
          this.#interrupt = undefined;
          resolve(result);
        },
        (error) => {
          this.#interrupt = undefined;
          reject(error);
        },
      );
    });
  }
}

/**
 * The `length` of arrays and typed arrays, the `size` of Sets and Maps. The `length` of a string counts differently
 * from its iterator.
 */
function countOf(source: object): number | null {
  if (typeof source === 'string') return null;
  const { length, size = length }: { readonly length?: unknown; readonly size?: unknown } = source;
  return isCount(size, 0) ? size : null;
}
