// What the bulk jobs stand on: a reader of rows from any source, a pool that works on several things at once and gives the results in
// the order of the source, and what the error of a job that stopped says. A job folds the results one by one, so how far the fold
// has come is where a rerun begins.

import { ConfigurationError, isVerdict, type Verdict } from '../core/errors/base.ts';
import { createRedact, leavesOf } from '../core/redact.ts';
import { onAbort, withDeadline } from '../core/time.ts';
import { attempt } from '../util/attempt.ts';
import { copyError } from '../util/errors.ts';
import { isCount } from '../util/numbers.ts';

/** Rows from anywhere: an array, a generator, a stream, a database cursor. */
export type RowSource<Row> = Iterable<Row> | AsyncIterable<Row>;

/** Rows in the list of a summary, or left out in one batch, at most: what a job holds must not grow with the source. */
export const LONGEST_LIST = 1_000;

/** Something other than a request stopped a job. The message says what; that of the cause may quote a row, and so a password. */
export class JobFault extends Error {}

/**
 * The fault of what reads rows. The error of a parser or a database may hold the row itself, so the cause is a copy without it, and
 * without its texts; where the `row` is not known, without what follows a quotation mark, which may be a cell.
 */
export function rowFault(what: string, cause: unknown, row?: unknown): JobFault {
  const { code } = Object(cause);
  const name = /^[A-Z]\w{1,60}$/.test(String(code)) ? ` (${code})` : '';
  // A row may have getters that throw, or be nested without end.
  const redact = createRedact(() => attempt(() => leavesOf(row)) ?? []);
  const hide = (told: string) => (row === undefined ? told.replace(/".*/g, '"…') : redact(told));
  return new JobFault(`${what}${name}.`, { cause: copyError(cause, hide) });
}

/**
 * What the error of a job that stopped is made of.
 *
 * @param done what was done, and how to continue
 * @param sent how many rows or pairs were sent: without any, a cause that has no outcome of its own leaves nothing unknown
 */
export function stoppedBy(
  cause: unknown,
  signal: AbortSignal | undefined,
  done: string,
  sent: number,
): [message: string, verdict: Verdict, options: { readonly cause: unknown }] {
  const isFault = cause instanceof JobFault;
  const otherwise = sent === 0 ? 'not_sent' : 'unknown';
  const { outcome = otherwise, retryable = false } = isVerdict(cause, signal) ? cause : {};
  const message = isFault || isVerdict(cause, signal) ? `${done} ${cause.message}` : done;
  return [message, { outcome, retryable }, { cause: isFault ? cause.cause : cause }];
}

/** Why something ended early. */
export interface Failure {
  readonly cause: unknown;
}

/** What a pool takes its work from. */
export interface Supply<Item> {
  next(): Promise<IteratorResult<Item, unknown>>;
  /** Ends the supply at once, even if the source does not respond. Resolves when a source that responds has been closed. */
  stop(): Promise<unknown>;
}

/** Reads the rows of a source one at a time. */
export interface RowReader<Row> extends Supply<Row>, AsyncIterable<Row> {
  /** Number of rows in the source; `null` if unknown. */
  readonly total: number | null;
}

const over = { done: true, value: undefined } as const;

/** Iterators and streams that a job has read: they hold nothing more, or not what they held, so a second job would lose rows. */
const spent = new WeakSet<object>();
/** How long rows may come one after the other before timers, sockets and an abort get their turn. */
const LONGEST_TURN_MS = 50;
/** How long the end of a job waits for its source to close. */
const CLOSING_MS = 5_000;
/** As it was when the package was loaded. Tests may replace the timers and no clock, then or later: one of the two is real. */
const { setTimeout: loadedTimeout } = globalThis;

/** @throws {ConfigurationError} for a source that cannot be iterated, or that a job has read before. */
export function readRows<Row>(source: RowSource<Row>): RowReader<Row> {
  const { [Symbol.asyncIterator]: open, [Symbol.iterator]: openSync = open } = Object(source);
  if (typeof (open ?? openSync) !== 'function') {
    throw new ConfigurationError('The rows must be in an array or another iterable; await a Promise first.');
  }
  if (spent.has(source)) {
    throw new ConfigurationError(
      'The source was read by a job before: make a new stream or iterator of its rows.',
    );
  }
  const rows: Iterator<Row> | AsyncIterator<Row> = (open ?? openSync).call(source);
  if (Object(rows) === source || 'getReader' in Object(source) || 'pipe' in Object(source)) spent.add(source);
  let turnAt = performance.now();
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
        const result = 'then' in step ? await orInterrupt(step) : step;
        isOver ||= result.done === true;
        return isOver ? over : result;
      } catch (cause) {
        throw rowFault('The source failed', cause);
      }
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

/**
 * Begins work on what `supply` gives, and yields the results in the same order. Nothing new begins while the caller is busy with a
 * result, nor after a failure of the supply or of the work; the first in order is thrown after all results. In the end the supply is
 * stopped.
 *
 * @param concurrency how many are under way at once
 * @param ahead how many are begun and not yet asked for; those beyond `concurrency` wait behind a slow one
 * @param controller aborts with `signal` and at the end, and so ends work that is still under way; its caller may abort it, too
 */
export async function* inOrder<Item, Result>(
  supply: Supply<Item>,
  work: (item: Item, index: number) => Promise<Result>,
  concurrency: number,
  ahead: number,
  signal: AbortSignal | undefined,
  controller = new AbortController(),
): AsyncGenerator<Result, void, undefined> {
  /** What was begun and not given, in order; without an end, it is under way. The last is still being read while `isReading`. */
  const begun: { end?: { readonly result: Result } | Failure }[] = [];
  let count = 0;
  let isReading = false;
  let isOver = false;
  let failure: Failure | undefined;
  let wake = () => {};

  const begin = async (): Promise<void> => {
    const entry: (typeof begun)[number] = {};
    begun.push(entry);
    isReading = true;
    try {
      const { done, value } = await supply.next().finally(() => {
        isReading = false;
      });
      wake();
      if (done === true) {
        isOver = true;
        begun.pop();
      } else {
        entry.end = { result: await work(value, count++) };
      }
    } catch (cause) {
      entry.end = { cause };
      void supply.stop();
    }
    wake();
  };

  controller.signal.onabort = () => wake();
  const unfollow = signal && onAbort(signal, () => controller.abort(signal.reason));
  if (signal?.aborted) controller.abort(signal.reason);
  try {
    while (!isOver || begun.length > 0) {
      if (controller.signal.aborted) throw controller.signal.reason;
      const end = begun[0]?.end;
      if (end !== undefined) {
        begun.shift();
        if ('result' in end) yield end.result;
        else failure ??= end;
        continue;
      }
      const underWay = begun.filter((entry) => entry.end === undefined);
      if (!isOver && !isReading && underWay.length < concurrency && begun.length < ahead) void begin();
      // Results come as soon as they are there, however long the source takes for its next row.
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    if (failure !== undefined) throw failure.cause;
  } finally {
    unfollow?.();
    controller.abort();
    const closed = supply.stop();
    await withDeadline(signal, CLOSING_MS, () => closed).catch(() => {});
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
