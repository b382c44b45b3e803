// The bulk assignment behind `examParticipants.assignAll`.
//
// Pairs are settled several at once and given in the order of the source. An error is the pair's when the service gave a clean
// answer about it. When it failed on all requests of a pair, another one tells whether it is up: the link of a pair that it
// answered for before, which changes nothing. If it is, the error is the pair's, too. Otherwise, as with a key that does not work,
// it concerns all, and the job ends with what was done.

import { ExamServiceError, isExamServiceError } from '../core/errors/base.ts';
import { aCount, type Checked, type OptionTable, readOptions, withDefault } from '../core/options/check.ts';
import type { RequestOptions } from '../core/options/client-options.ts';
import { onAbort } from '../core/time.ts';
import {
  type Assignment,
  type EnsureOptions,
  ensureTable,
  isAnswered,
  type PairRequests,
  settlePair,
} from './assignment.ts';
import { isCrash, isRefusal } from './evidence.ts';
import { inOrder, LONGEST_LIST, pickCallOptions, type RowReader, type RowSource, readRows } from './pool.ts';

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

/** The result for one pair. */
export type AssignmentOutcome = AssignmentSuccess | AssignmentFailure;

interface AssignmentPlace extends Assignment {
  /** Position in the source, from 0. */
  readonly index: number;
}

/** A pair that is assigned. */
export interface AssignmentSuccess extends AssignmentPlace {
  /** Also `already_assigned` when an answer was lost and the two cannot be told apart. */
  readonly status: 'assigned' | 'already_assigned';
  /** The link to the exam; `null` unless `link` was set, and when it could not be had: see `linkError`. */
  readonly url: string | null;
  /** Why the link could not be had, although `link` was set; the pair is assigned all the same. */
  readonly linkError?: ExamServiceError | undefined;
}

/** A pair that could not be assigned, for a reason of its own. */
export interface AssignmentFailure extends AssignmentPlace {
  /** The pair could not be shown to be assigned. */
  readonly status: 'failed';
  /**
   * Why: the service refused this pair or failed on it, or it is not a valid pair. With the `outcome` `unknown`, the pair may be
   * assigned all the same, and running it again is safe.
   */
  readonly error: ExamServiceError;
}

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
 * reason of the signal. `outcome` is that of the cause. To do the rest, run it again with the pairs from `resumeFrom` on.
 */
export class AssignmentsStoppedError extends ExamServiceError {
  /** @internal */
  static override readonly kind: string = 'assignments_stopped';
  override readonly name = 'AssignmentsStoppedError';
  override readonly code = 'assignments_stopped';
  /** Position of the pair at which it ended. */
  readonly index: number;
  /** Position of the first pair that is not settled. Later pairs may be settled, too; running them again does no harm. */
  readonly resumeFrom: number;
  /** What was done until then. */
  readonly summary: AssignmentsSummary;

  /** @internal Made by the job. */
  constructor(resumeFrom: number, summary: AssignmentsSummary, cause: unknown) {
    const { assigned, alreadyAssigned, failed } = summary;
    const isOurs = isExamServiceError(cause);
    super(
      `examParticipants.assignAll: stopped with ${assigned} assigned, ${alreadyAssigned} assigned before and ${failed} failed; ` +
        `continue with the pairs from ${resumeFrom} on.${isOurs ? ` ${cause.message}` : ''}`,
      { outcome: isOurs ? cause.outcome : 'unknown', retryable: isOurs && cause.retryable },
      { cause },
    );
    this.index = resumeFrom;
    this.resumeFrom = resumeFrom;
    this.summary = summary;
  }
}

/** The requests for a pair, under the options of the job. */
export type RequestsOf = (pair: Assignment, options: RequestOptions) => PairRequests;

/** The result of a pair: its outcome, or an error that affects all pairs. */
type Settled =
  | { readonly outcome: AssignmentOutcome }
  | { readonly outcome?: undefined; readonly cause: unknown };

/**
 * Many assignments. Await it for the summary, or iterate over it with `for await` for the outcome of each pair, in the order of
 * the source. Nothing is sent before either.
 */
export class BulkAssignment
  implements AsyncIterableIterator<AssignmentOutcome>, PromiseLike<AssignmentsSummary>
{
  readonly #job: Job;
  #end: Promise<AssignmentsSummary> | undefined;

  /** @internal Made by `assignAll`. */
  constructor(requestsOf: RequestsOf, source: RowSource<Assignment>, options: object) {
    this.#job = createJob(requestsOf, begin(source, options));
  }

  /** The outcome of the next pair. */
  next(): Promise<IteratorResult<AssignmentOutcome, void>> {
    return this.#job.outcomes.next();
  }

  /** Ends the job: nothing more is sent, and what is in flight is cancelled. */
  return(): Promise<IteratorResult<AssignmentOutcome, void>> {
    return this.#job.outcomes.return();
  }

  /** The outcome of each pair, in the order of the source. */
  [Symbol.asyncIterator](): this {
    return this;
  }

  /**
   * Settles every pair that was not iterated over, and gives the summary.
   *
   * @throws {AssignmentsStoppedError} when an error or an abort ends the job early, with the summary so far.
   */
  then<Result = AssignmentsSummary, Caught = never>(
    onFulfilled?: ((summary: AssignmentsSummary) => Result | PromiseLike<Result>) | null,
    onRejected?: ((reason: unknown) => Caught | PromiseLike<Caught>) | null,
  ): Promise<Result | Caught> {
    this.#end ??= this.#job.finish();
    return this.#end.then(onFulfilled, onRejected);
  }

  /** Handles the error of a job that is awaited. */
  catch<Caught = never>(
    onRejected?: ((reason: unknown) => Caught | PromiseLike<Caught>) | null,
  ): Promise<AssignmentsSummary | Caught> {
    return this.then(undefined, onRejected);
  }
}

interface Job {
  readonly outcomes: AsyncGenerator<AssignmentOutcome, void, undefined>;
  /** Settles the pairs that are left. */
  finish(): Promise<AssignmentsSummary>;
}

function createJob(requestsOf: RequestsOf, begun: Begun): Job {
  /** Pairs by what became of them. */
  const counts = { assigned: 0, already_assigned: 0, failed: 0 };
  const failures: AssignmentFailure[] = [];
  /** The last pair about which the service gave a clean answer. */
  let witness: Assignment | undefined;
  let stopped: AssignmentsStoppedError | undefined;

  const summarize = (): AssignmentsSummary => {
    const { assigned, already_assigned: alreadyAssigned, failed } = counts;
    return { total: assigned + alreadyAssigned + failed, assigned, alreadyAssigned, failed, failures };
  };

  async function* run(): AsyncGenerator<AssignmentOutcome, void, undefined> {
    if ('refusal' in begun) throw begun.refusal;
    const { reader, plan } = begun;
    const { concurrency, signal } = plan;
    // Cancels what is in flight when the caller stops.
    const stop = new AbortController();
    const options = { ...pickCallOptions(plan), signal: stop.signal };
    const unfollow =
      signal &&
      onAbort(signal, () => {
        stop.abort(signal.reason);
        // The source may be waiting and never answer.
        reader.stop();
      });
    let count = 0;
    const next = async () => {
      const read = await reader.next();
      return read && { index: count++, pair: read.row };
    };
    const work = async ({ index, pair }: { readonly index: number; readonly pair: Assignment }) => {
      const settled = await settle(index, pair, plan.link, options);
      if (settled.outcome === undefined) reader.stop();
      return settled;
    };
    let folded = 0;
    let failure: { readonly cause: unknown } | undefined;
    try {
      for await (const settled of inOrder(next, work, { concurrency, ahead: concurrency }, signal)) {
        const { outcome } = settled;
        if (outcome === undefined) {
          failure ??= settled;
          continue;
        }
        if (failure === undefined) folded = outcome.index + 1;
        counts[outcome.status] += 1;
        if (outcome.status === 'failed' && failures.length < LONGEST_LIST) failures.push(outcome);
        yield outcome;
      }
    } catch (cause) {
      failure ??= { cause };
    } finally {
      unfollow?.();
      stop.abort();
      reader.stop();
      await reader.closed();
    }
    if (failure === undefined) return;
    stopped = new AssignmentsStoppedError(folded, summarize(), failure.cause);
    throw stopped;
  }

  const settle = async (
    index: number,
    input: Assignment,
    wantsLink: boolean,
    options: RequestOptions,
  ): Promise<Settled> => {
    const pair: Assignment = Object(input) === input ? { ...input } : input;
    const { participant_id, exam_id }: Assignment = Object(pair);
    const place = { index, participant_id, exam_id };
    try {
      const state = await settlePair(requestsOf(pair, options), wantsLink);
      if (state.isAssigned) {
        witness = pair;
        const { created, url, linkError } = state;
        const status = created ? 'assigned' : 'already_assigned';
        return { outcome: { ...place, status, url, ...(linkError !== null && { linkError }) } };
      }
      const { error } = state;
      if (!state.isAnswered) {
        // Whether the service is up although it failed on all requests of the pair.
        const { link } = requestsOf(witness ?? pair, options);
        const isUp = witness !== undefined && isCrash(error) && (await isAnswered(link('unknown')));
        if (!isUp) return { cause: error };
      } else if (isRefusal(error)) witness = pair;
      return { outcome: { ...place, status: 'failed', error } };
    } catch (cause) {
      return { cause };
    }
  };

  const outcomes = run();
  return {
    outcomes,
    async finish() {
      let step: IteratorResult<unknown>;
      do step = await outcomes.next();
      while (step.done !== true);
      // The iteration may have ended before.
      if (stopped !== undefined) throw stopped;
      return summarize();
    },
  };
}

/** The options and the source as they were passed, or why they cannot be used. */
type Begun =
  | { readonly plan: Checked<typeof assignAllTable>; readonly reader: RowReader<Assignment> }
  | { readonly refusal: unknown };

/** Reads the options now, so that changing them later has no effect; what is wrong with them is thrown when the job begins. */
function begin(source: RowSource<Assignment>, options: object): Begun {
  try {
    return {
      plan: readOptions('the options of assignAll', options, assignAllTable),
      reader: readRows(source),
    };
  } catch (refusal) {
    return { refusal };
  }
}
