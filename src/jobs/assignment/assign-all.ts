// The bulk assignment behind `examParticipants.assignAll`: pairs settled several at once, and given in the order of the source.
//
// A decision of the service is about one pair, a server error is blamed on a pair by the blame rule, and any other error concerns all and
// stops the job. So do 404s for the first pairs, all of them: the base URL may be wrong, or the ids those of another service.

import { hasStatus } from '../../core/errors/api-error.ts';
import { ExamServiceError } from '../../core/errors/base.ts';
import { RequestValidationError } from '../../core/errors/request-error.ts';
import { readOptionsOf } from '../../core/options/call-options.ts';
import { aCount, type OptionTable, optional, withDefault } from '../../core/options/check.ts';
import type { JobOptions } from '../../core/options/client-options.ts';
import { evidenceOf } from '../evidence.ts';
import { Job } from '../job.ts';
import { JobError } from '../job-error.ts';
import { type Lend, LONGEST_LIST, mapOrdered } from '../pool.ts';
import { type RowReader, type RowSource, readRows, type SourceRow } from '../source.ts';
import {
  type Assignment,
  type AssignmentFailure,
  type AssignmentResult,
  type EnsureOptions,
  ensureTable,
  isDecision,
  type PairRequests,
  type PairState,
  settlePair,
} from './assignment.ts';

/** Options of `assignAll`; those of a single call apply to each of its requests. */
export interface AssignAllOptions extends EnsureOptions {
  /**
   * Pairs in flight at once, at most `maxConcurrency` of the client.
   * @default 4
   */
  readonly concurrency?: number | undefined;
  /**
   * Pairs to pass over at the start of the source, such as those that an earlier job settled.
   * @default 0
   */
  readonly resumeFrom?: number | undefined;
}

const assignAllTable = {
  ...ensureTable,
  concurrency: optional(aCount()),
  resumeFrom: withDefault(aCount(0), 0),
} satisfies OptionTable<AssignAllOptions>;

const CONCURRENCY = 4;
/** So many pairs at the start that all get a 404 are not looked for in vain one by one. */
const MOST_NOT_FOUND = 20;

/** What the job is given by the resource. */
export interface AssignmentService {
  readonly maxConcurrency: number;
  requestsOf(pair: Assignment, options: JobOptions): PairRequests;
}

/** The result of a bulk assignment. */
export interface AssignmentsSummary {
  /** Pairs settled in this run: all of the following together. */
  readonly total: number;
  /** Pairs that this run assigned. */
  readonly assigned: number;
  /** Pairs that were assigned before, or whose response was lost. */
  readonly alreadyAssigned: number;
  /** Pairs that could not be assigned. */
  readonly failed: number;
  /** The first 1,000 pairs counted in `failed`, in the order of the source; iterate for all of them. */
  readonly failures: readonly AssignmentFailure[];
}

/**
 * A bulk assignment ended before its source did. `cause` is why: an error that concerns all pairs, what the source threw, or the
 * reason of the signal. `outcome` is `unknown` if a pair that is not settled may have been assigned. `retryable` says whether it can
 * help to run it again with this `resumeFrom`, as after an outage.
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
  constructor(job: Job, summary: AssignmentsSummary, resumeFrom: number, isInDoubt: boolean, cause: unknown) {
    const { assigned, alreadyAssigned, failed } = summary;
    const done = `${assigned} assigned, ${alreadyAssigned} assigned before, ${failed} failed`;
    super(...job.stoppedBy(cause, done, resumeFrom, isInDoubt));
    this.index = resumeFrom;
    this.resumeFrom = resumeFrom;
    this.summary = summary;
  }
}

/**
 * Many assignments. Await it for the summary, or iterate over it with `for await` for the result of each pair, in the order of
 * the source. Nothing is sent before either.
 */
export class BulkAssignment implements AsyncIterable<AssignmentResult>, PromiseLike<AssignmentsSummary> {
  readonly #results: AsyncGenerator<AssignmentResult, void, undefined>;
  readonly #summary = {
    total: 0,
    assigned: 0,
    alreadyAssigned: 0,
    failed: 0,
    failures: [] as AssignmentFailure[],
  };
  #stopped: unknown;
  #end: Promise<AssignmentsSummary> | undefined;

  /** @internal Made by `assignAll`. */
  constructor(service: AssignmentService, source: RowSource<Assignment>, options: object) {
    // Read now, so that changing them later has no effect; what is wrong with them is thrown when the job begins.
    const begun = begin(service, source, options);
    begun.catch((error) => {
      this.#stopped = error;
    });
    this.#results = this.#run(begun);
  }

  /** The result of each pair, in the order of the source. */
  [Symbol.asyncIterator](): AsyncIterator<AssignmentResult, void> {
    return this.#results;
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
    while ((await this.#results.next()).done !== true);
    // The iteration may have ended before.
    if (this.#stopped !== undefined) throw this.#stopped;
    return { ...this.#summary };
  }

  async *#run(begun: ReturnType<typeof begin>): AsyncGenerator<AssignmentResult, void, undefined> {
    const { job, reader, settler, resumeFrom } = await begun;
    const pairSource = { items: rowsFrom(resumeFrom, reader), stop: reader.stop, ahead: job.concurrency };
    const results = mapOrdered(job, pairSource, settler.settle);
    let next = resumeFrom;
    let stop: { readonly cause: unknown } | undefined = { cause: new JobError('The iteration was ended.') };
    try {
      for await (const result of withoutNotFound(results, resumeFrom, reader.stop)) {
        if (result.index === next) next += 1;
        settler.inDoubt.delete(result.index);
        this.#count(result);
        yield result;
      }
      stop = undefined;
    } catch (cause) {
      stop = { cause };
    } finally {
      if (stop !== undefined) {
        const isInDoubt = settler.inDoubt.size > 0;
        const summary = { ...this.#summary };
        this.#stopped = new AssignmentsStoppedError(job, summary, next, isInDoubt, stop.cause);
      }
    }
    if (stop !== undefined) throw this.#stopped;
  }

  #count(result: AssignmentResult): void {
    const summary = this.#summary;
    summary.total += 1;
    summary[result.status === 'already_assigned' ? 'alreadyAssigned' : result.status] += 1;
    if (result.status === 'failed' && summary.failures.length < LONGEST_LIST) summary.failures.push(result);
  }
}

async function begin(service: AssignmentService, source: RowSource<Assignment>, given: object) {
  const { maxConcurrency } = service;
  const plan = readOptionsOf({ name: 'examParticipants.assignAll', takes: ['pairs'] }, given, assignAllTable);
  const { link, resumeFrom, concurrency = Math.min(CONCURRENCY, maxConcurrency), ...options } = plan;
  const job = new Job('assignAll', maxConcurrency, concurrency, options.signal);
  const settler = createSettler(service, job, link, options);
  return { job, reader: readRows(source, resumeFrom), settler, resumeFrom };
}

async function* rowsFrom<Row>(resumeFrom: number, reader: RowReader<Row>): AsyncGenerator<SourceRow<Row>> {
  for await (const row of reader) if (row.index >= resumeFrom) yield row;
}

/**
 * Gives the results, unless the first ones are all a 404: those stay unsettled, and the job stops.
 *
 * @throws {JobError} then, when what is under way has ended
 */
async function* withoutNotFound(
  results: AsyncIterable<AssignmentResult>,
  from: number,
  stop: () => Promise<unknown>,
): AsyncGenerator<AssignmentResult, void, undefined> {
  /** Until one gets another response, or the source ends. */
  let notFound: AssignmentFailure[] | undefined = [];
  for await (const result of results) {
    if (notFound?.length === MOST_NOT_FOUND) continue;
    if (notFound !== undefined && result.status === 'failed' && hasStatus(result.error, 404)) {
      if (notFound.push(result) === MOST_NOT_FOUND) void stop();
      continue;
    }
    yield* notFound ?? [];
    notFound = undefined;
    yield result;
  }
  if (notFound?.length !== MOST_NOT_FOUND) return yield* notFound ?? [];
  const cause = notFound[0]?.error;
  const message =
    `the first ${MOST_NOT_FOUND} pairs all got a 404. Is the base URL right, with its version prefix, and are these ` +
    `the ids of participants and exams of this service? The first of them: ${cause?.message}`;
  throw new JobError(message, { cause, outcome: 'rejected', past: { from, to: from + MOST_NOT_FOUND } });
}

/** Whether a value is a pair of numbers; anything else is a fault of the program. */
function isPair(pair: unknown): boolean {
  const { participant_id, exam_id, ...others } = Object(pair);
  const ids: unknown[] = [participant_id, exam_id];
  return Object.keys(others).length === 0 && ids.every((id) => typeof id === 'number' && !Number.isNaN(id));
}

/** Makes what settles the pairs of one job. */
function createSettler(service: AssignmentService, job: Job, link: boolean, options: JobOptions) {
  /** Pairs that are not given yet and may have been assigned. */
  const inDoubt = new Set<number>();

  /** @throws what concerns all pairs */
  const settle = async (
    { index, given: pair }: SourceRow<Assignment>,
    lend: Lend,
    signal: AbortSignal,
  ): Promise<AssignmentResult> => {
    const { participant_id, exam_id }: Assignment = Object(pair);
    // Read now, like the ids: a source may use the object again for the next pair.
    const isValid = isPair(pair);
    const requests = service.requestsOf(pair, { ...options, signal });
    inDoubt.add(index);
    let mayBeAssigned = false;
    const request = async (): Promise<PairState> => {
      const state = await settlePair(requests, link, mayBeAssigned ? 'unknown' : undefined);
      if (state.status !== 'failed') job.accepted();
      mayBeAssigned ||= state.status !== 'failed' || state.error.outcome === 'unknown';
      return state;
    };
    let state = await job.send(index, request, isCrash);
    const isAside = isCrash(state);
    if (isCrash(state)) {
      job.setAside(index, state.error);
      await lend((resume) => job.otherAccepted(index, resume));
      state = await job.send(index, request, isCrash);
      job.settled(index);
    }
    if (!mayBeAssigned) inDoubt.delete(index);
    if (state.status === 'failed' && !(isAside && isCrash(state))) {
      if (state.error instanceof RequestValidationError) {
        const { issues } = state.error;
        // Other pairs were sent.
        const ending = 'The pair was not sent.';
        state = {
          ...state,
          error: new RequestValidationError('examParticipants.assignAll', issues, ending),
        };
        if (!isValid) throw state.error;
      } else if (isDecision(state.error)) job.responded();
      else throw state.error;
    }
    return { index, participant_id, exam_id, ...state };
  };

  return { inDoubt, settle };
}

/** Whether the service failed on a pair, or did not respond in time: because of the pair, or because it is down. */
function isCrash(state: PairState): state is Extract<PairState, { readonly status: 'failed' }> {
  return state.status === 'failed' && ['server error', 'too slow'].includes(evidenceOf(state.error));
}
