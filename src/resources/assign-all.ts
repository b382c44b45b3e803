// The bulk assignment behind `examParticipants.assignAll`: pairs settled several at once, and given in the order of the source.
//
// An error is the pair's when the service gave a clean answer about it. When it failed on all requests of a pair, the link of
// another pair, which it answered for before, tells whether it is up; asking for it changes nothing. If it is up, the error is the
// pair's, too. Otherwise, as with a key that does not work, it concerns all, and the job ends.

import { prefetchCancelled } from '../core/call.ts';
import { ExamServiceError } from '../core/errors/base.ts';
import { aCount, type Checked, type OptionTable, readOptions, withDefault } from '../core/options/check.ts';
import type { RequestOptions } from '../core/options/client-options.ts';
import {
  type Assignment,
  type AssignmentFailure,
  type AssignmentOutcome,
  type EnsureOptions,
  ensureTable,
  isAnsweredFor,
  type PairRequests,
  settlePair,
} from './assignment.ts';
import { isCrash } from './evidence.ts';
import {
  inOrder,
  JobFault,
  LONGEST_LIST,
  type RowReader,
  type RowSource,
  readRows,
  stoppedBy,
} from './pool.ts';

/** Options of `assignAll`; those of a single call apply to each of its requests. */
export interface AssignAllOptions extends EnsureOptions {
  /**
   * Pairs in flight at once.
   * @default 4
   */
  readonly concurrency?: number | undefined;
}

const assignAllTable = {
  ...ensureTable,
  concurrency: withDefault(aCount(), 4),
} satisfies OptionTable<AssignAllOptions>;

/** The result of a bulk assignment. */
export interface AssignmentsSummary {
  /** Pairs settled: all of the following together. */
  readonly total: number;
  /** Pairs that this run assigned. */
  readonly assigned: number;
  /** Pairs that were assigned before, or whose answer was lost. */
  readonly alreadyAssigned: number;
  /** Pairs that could not be assigned. */
  readonly failed: number;
  /** The first 1,000 pairs counted in `failed`, in the order of the source; iterate for all of them. */
  readonly failures: readonly AssignmentFailure[];
}

/**
 * A bulk assignment ended before its source did. `cause` is why: an error that concerns all pairs, what the source threw, or the
 * reason of the signal. `outcome` says what became of the pair at which it ended. To do the rest, run it again with the pairs
 * from `resumeFrom` on.
 */
export class AssignmentsStoppedError extends ExamServiceError {
  /** @internal */
  static override readonly kind: string = 'assignments_stopped';
  override readonly name = 'AssignmentsStoppedError';
  override readonly code = 'assignments_stopped';
  /** Position of the pair at which it ended: the same as `resumeFrom`. */
  readonly index: number;
  /** Position of the first pair that is not settled. Later pairs may be settled, too; running them again does no harm. */
  readonly resumeFrom: number;
  /** What was done until then. Pairs that were settled behind one that was not are left to a rerun, which finds them assigned before. */
  readonly summary: AssignmentsSummary;

  /** @internal Made by the job. */
  constructor(
    resumeFrom: number,
    summary: AssignmentsSummary,
    cause: unknown,
    signal: AbortSignal | undefined,
    sent: number,
  ) {
    const { assigned, alreadyAssigned, failed } = summary;
    const done =
      `examParticipants.assignAll: stopped with ${assigned} assigned, ${alreadyAssigned} assigned before and ${failed} failed; ` +
      `continue with the pairs from ${resumeFrom} on.`;
    super(...stoppedBy(cause, signal, done, sent));
    this.index = resumeFrom;
    this.resumeFrom = resumeFrom;
    this.summary = summary;
  }
}

/** The requests for a pair. */
export type RequestsOf = (pair: Assignment, options: RequestOptions) => PairRequests;

/**
 * Many assignments. Await it for the summary, or iterate over it with `for await` for the outcome of each pair, in the order of
 * the source. Nothing is sent before either.
 */
export class BulkAssignment
  implements AsyncIterableIterator<AssignmentOutcome>, PromiseLike<AssignmentsSummary>
{
  readonly #outcomes: AsyncGenerator<AssignmentOutcome, void, undefined>;
  readonly #summary = {
    total: 0,
    assigned: 0,
    alreadyAssigned: 0,
    failed: 0,
    failures: [] as AssignmentFailure[],
  };
  readonly #controller = new AbortController();
  #stopped: unknown;
  #end: Promise<AssignmentsSummary> | undefined;

  /** @internal Made by `assignAll`. */
  constructor(requestsOf: RequestsOf, source: RowSource<Assignment>, options: object) {
    // Read now, so that changing them later has no effect; what is wrong with them is thrown when the job begins.
    const begun = (async () => ({
      plan: readOptions('the options of assignAll', options, assignAllTable),
      reader: readRows(source),
    }))();
    begun.catch((error) => {
      this.#stopped = error;
    });
    this.#outcomes = this.#run(requestsOf, begun);
  }

  /** The outcome of the next pair. */
  next(): Promise<IteratorResult<AssignmentOutcome, void>> {
    return this.#outcomes.next();
  }

  /** Ends the job at once: nothing more is sent, what is in flight is cancelled, and the source is closed. */
  return(): Promise<IteratorResult<AssignmentOutcome, void>> {
    this.#controller.abort(prefetchCancelled);
    // A call of `next` may be under way, and a job that has not begun has a source to close.
    this.#outcomes.next().catch(() => {});
    return this.#outcomes.return();
  }

  /** The outcome of each pair, in the order of the source. */
  [Symbol.asyncIterator](): this {
    return this;
  }

  /**
   * Settles every pair that was not iterated over, and gives the summary.
   *
   * @throws {AssignmentsStoppedError} when an error, an abort or the end of an iteration ends the job early, with the summary so far.
   */
  then<Result = AssignmentsSummary, Caught = never>(
    onFulfilled?: ((summary: AssignmentsSummary) => Result | PromiseLike<Result>) | null,
    onRejected?: ((reason: unknown) => Caught | PromiseLike<Caught>) | null,
  ): Promise<Result | Caught> {
    this.#end ??= this.#finish();
    return this.#end.then(onFulfilled, onRejected);
  }

  /** Handles the error of a job that is awaited. */
  catch<Caught = never>(
    onRejected?: ((reason: unknown) => Caught | PromiseLike<Caught>) | null,
  ): Promise<AssignmentsSummary | Caught> {
    return this.then(undefined, onRejected);
  }

  async #finish(): Promise<AssignmentsSummary> {
    while ((await this.#outcomes.next()).done !== true);
    // The iteration may have ended before.
    if (this.#stopped !== undefined) throw this.#stopped;
    return { ...this.#summary };
  }

  async *#run(
    requestsOf: RequestsOf,
    begun: Promise<{ plan: Checked<typeof assignAllTable>; reader: RowReader<Assignment> }>,
  ): AsyncGenerator<AssignmentOutcome, void, undefined> {
    const { plan, reader } = await begun;
    const { concurrency, link, signal, ...callOptions } = plan;
    const options = { ...callOptions, signal: this.#controller.signal };
    const summary = this.#summary;
    /** The requests for the last pair about which the service gave a clean answer. */
    let witness: PairRequests | undefined;
    /** Pairs for which a request has left, or may have. */
    let sent = 0;
    /** Whether an error concerns one pair: it is no pair, or the service fails on it although it is up. */
    const isOfPair = async (error: ExamServiceError) =>
      error.code === 'request_validation' ||
      (isCrash(error) && witness !== undefined && (await isAnsweredFor(witness)));
    /** @throws what concerns all pairs */
    const settle = async (pair: Assignment, index: number): Promise<AssignmentOutcome> => {
      const requests = requestsOf(pair, options);
      const { participant_id, exam_id }: Assignment = Object(pair);
      sent += 1;
      const { isAnswered, ...state } = await settlePair(requests, link);
      if (state.status === 'failed' && state.error.outcome === 'not_sent') sent -= 1;
      if (isAnswered) witness = requests;
      else if (state.status === 'failed' && !(await isOfPair(state.error))) throw state.error;
      return { index, participant_id, exam_id, ...state };
    };
    let resumeFrom = 0;
    const outcomes = inOrder(reader, settle, concurrency, concurrency, signal, this.#controller);
    try {
      for await (const outcome of outcomes) {
        if (outcome.index === resumeFrom) resumeFrom += 1;
        summary.total += 1;
        summary[outcome.status === 'already_assigned' ? 'alreadyAssigned' : outcome.status] += 1;
        if (outcome.status === 'failed' && summary.failures.length < LONGEST_LIST)
          summary.failures.push(outcome);
        yield outcome;
      }
    } catch (cause) {
      const reason = cause === prefetchCancelled ? new JobFault('The iteration was ended.') : cause;
      this.#stopped = new AssignmentsStoppedError(resumeFrom, { ...summary }, reason, signal, sent);
      if (cause !== prefetchCancelled) throw this.#stopped;
    }
  }
}
