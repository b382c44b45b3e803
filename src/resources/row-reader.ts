import { ConfigurationError } from '../core/errors/configuration-error.ts';
import { isCount } from '../util/numbers.ts';

/** Rows from anywhere: an array, a generator, a stream, a cursor of a database. */
export type RowSource<Row> = Iterable<Row> | AsyncIterable<Row>;

/** Takes rows from a source one at a time, and can be told to stop while it waits for one. */
export class RowReader<Row> {
  /** How many rows the source holds; `null` when it does not say. */
  readonly total: number | null;
  readonly #rows: Iterator<Row> | AsyncIterator<Row>;
  #isOver = false;
  #interrupt: (() => void) | undefined;
  #closing: Promise<void> | undefined;

  /** @throws {ConfigurationError} for what cannot be iterated. */
  constructor(source: RowSource<Row>) {
    const { [Symbol.asyncIterator]: open, [Symbol.iterator]: openSync = open } = Object(source);
    if (typeof (open ?? openSync) !== 'function') {
      throw new ConfigurationError('The rows must come as an iterable or an async iterable.');
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

  /** Ends the reading at once, also where the source does not answer. */
  stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const closing = this.#close();
    // A source that is being waited for may never take note of it, so it is not waited for again.
    if (this.#interrupt === undefined) this.#closing = closing;
    this.#interrupt?.();
  }

  /** Comes when a source that was stopped has been closed. */
  async closed(): Promise<void> {
    await this.#closing;
  }

  async #close(): Promise<void> {
    try {
      await this.#rows.return?.();
    } catch {
      // The import ends for another reason, which is the one to be told.
    }
  }

  /** By hand, because `Promise.race` with a lasting promise would keep something of every row. */
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

/** The `length` of arrays and typed arrays, the `size` of Sets and Maps. Characters of a string are counted otherwise. */
function countOf(source: object): number | null {
  if (typeof source === 'string') return null;
  const { length, size = length }: { readonly length?: unknown; readonly size?: unknown } = source;
  return isCount(size, 0) ? size : null;
}
