// The bulk assignment behind `examParticipants.assignAll`: pairs settled several at once, and given in the order of the source.
//
// A decision of the service is about one pair, a crash is blamed on a pair by the blame rule, and any other error concerns all and
// stops the job. So do 404s for the first pairs, all of them: the base URL may be wrong, or the ids those of another service.

import { hasStatus } from '../../core/errors/api-error.ts';
import { ExamServiceError } from '../../core/errors/base.ts';
import { RequestValidationError } from '../../core/errors/request-error.ts';
import { aCount, type OptionTable, optional, readOptions, withDefault } from '../../core/options/check.ts';
import type { RequestOptions } from '../../core/options/client-options.ts';
import { isObject } from '../../util/json.ts';
import { type SchemaResult, type StandardSchema, toIssues } from '../../util/standard-schema.ts';
import { Blame } from '../blame.ts';
import { assertConcurrency } from '../concurrency.ts';
import { evidenceOf } from '../evidence.ts';
import { Lock } from '../lock.ts';
import { inOrder, type Lend, LONGEST_LIST } from '../pool.ts';
import { assertReached, type RowReader, type RowSource, readRows } from '../source.ts';
import { JobFault, stoppedBy } from '../stopped.ts';
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
  /** The documented rules of a pair; synchronous. */
  readonly pair: StandardSchema<Assignment>;
  readonly maxConcurrency: number;
  requestsOf(pair: Assignment, options: RequestOptions): PairRequests;
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
  constructor(
    resumeFrom: number,
    summary: AssignmentsSummary,
    isInDoubt: boolean,
    cause: unknown,
    signal: AbortSignal | undefined,
  ) {
    const { assigned, alreadyAssigned, failed } = summary;
    const done = `${assigned} assigned, ${alreadyAssigned} assigned before, ${failed} failed`;
    super(...stoppedBy({ job: 'assignAll', done, item: 'pair', resumeFrom, isInDoubt }, cause, signal));
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
    this.#results = this.#run(service, begun);
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

  async *#run(
    service: AssignmentService,
    begun: ReturnType<typeof begin>,
  ): AsyncGenerator<AssignmentResult, void, undefined> {
    const { plan, reader } = await begun;
    const { concurrency, resumeFrom, signal } = plan;
    const controller = new AbortController();
    const stopping = new AbortController();
    const settler = createSettler(service, plan, controller.signal);
    const numbered = numberPairs(reader, resumeFrom);
    const supply = { next: () => numbered.next(), stop: reader.stop };
    const onIdle = () => settler.blame.isWaiting && stopping.abort(settler.blame.fault());
    const pool = { concurrency, ahead: concurrency, signal, controller, stopping, onIdle };
    let next = resumeFrom;
    const give = (result: AssignmentResult): AssignmentResult => {
      if (result.index === next) next += 1;
      settler.inDoubt.delete(result.index);
      this.#count(result);
      return result;
    };
    /** Pairs at the start of the run that got a 404, until one gets another response or the source ends. */
    let notFound: AssignmentFailure[] | undefined = [];
    let stop: { readonly cause: unknown } | undefined = {
      cause: new JobFault('The iteration was ended.', {}),
    };
    try {
      for await (const result of inOrder(supply, settler.settle, pool)) {
        if (notFound?.length === MOST_NOT_FOUND) continue;
        if (notFound !== undefined && result.status === 'failed' && hasStatus(result.error, 404)) {
          if (notFound.push(result) === MOST_NOT_FOUND) void reader.stop();
          continue;
        }
        for (const earlier of notFound ?? []) yield give(earlier);
        notFound = undefined;
        yield give(result);
      }
      if (notFound?.length === MOST_NOT_FOUND) throw allNotFound(resumeFrom, notFound[0]?.error);
      for (const earlier of notFound ?? []) yield give(earlier);
      stop = undefined;
    } catch (cause) {
      stop = { cause };
    } finally {
      if (stop !== undefined) {
        const isInDoubt = settler.inDoubt.size > 0;
        this.#stopped = new AssignmentsStoppedError(
          next,
          { ...this.#summary },
          isInDoubt,
          stop.cause,
          signal,
        );
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

async function begin({ maxConcurrency }: AssignmentService, source: RowSource<Assignment>, options: object) {
  const plan = readOptions('the options of assignAll', options, assignAllTable);
  const { concurrency = Math.min(CONCURRENCY, maxConcurrency) } = plan;
  assertConcurrency(concurrency, maxConcurrency);
  return { plan: { ...plan, concurrency }, reader: readRows(source) };
}

interface NumberedPair {
  readonly index: number;
  readonly pair: Assignment;
}

async function* numberPairs(reader: RowReader<Assignment>, resumeFrom: number): AsyncGenerator<NumberedPair> {
  let count = 0;
  for await (const pair of reader) {
    const index = count++;
    if (index >= resumeFrom) yield { index, pair };
  }
  assertReached(resumeFrom, count);
}

function allNotFound(from: number, cause: ExamServiceError | undefined): JobFault {
  const message =
    `the first ${MOST_NOT_FOUND} pairs all got a 404. Is the base URL right, with its version prefix, and are these ` +
    `the ids of participants and exams of this service? The first of them: ${cause?.message}`;
  return new JobFault(message, { cause, outcome: 'rejected', past: { from, to: from + MOST_NOT_FOUND } });
}

const fields = ['participant_id', 'exam_id'];

/** Whether a value is a pair of numbers; anything else is a fault of the program. */
function isPair(pair: unknown): boolean {
  const given = isObject(pair) ? pair : {};
  const isNumber = (name: string) => Object.hasOwn(given, name) && !Number.isNaN(given[name] ?? Number.NaN);
  return (
    Object.keys(given).every((name) => fields.includes(name)) &&
    fields.every((name) => typeof given[name] === 'number' && isNumber(name))
  );
}

/** Makes what settles the pairs of one job. */
function createSettler(
  service: AssignmentService,
  { concurrency, link, resumeFrom: _, ...options }: Awaited<ReturnType<typeof begin>>['plan'],
  signal: AbortSignal,
) {
  const blame = new Blame('pair');
  const lock = new Lock();
  /** Pairs that are not given yet and may have been assigned. */
  const inDoubt = new Set<number>();

  /** @throws what concerns all pairs */
  const settle = async ({ index, pair }: NumberedPair, lend: Lend): Promise<AssignmentResult> => {
    const { participant_id, exam_id }: Assignment = Object(pair);
    const state = await stateOf(index, pair, lend);
    return { index, participant_id, exam_id, ...state };
  };

  const stateOf = async (index: number, pair: Assignment, lend: Lend): Promise<PairState> => {
    // The schema is one of the package, and synchronous.
    const { issues } = service.pair['~standard'].validate(pair) as SchemaResult<Assignment>;
    if (issues !== undefined) {
      const reasons = toIssues(issues);
      const error = new RequestValidationError(
        'examParticipants.assignAll',
        reasons,
        'The pair was not sent.',
      );
      if (!isPair(pair)) throw error;
      return { status: 'failed', error };
    }
    const requests = service.requestsOf(pair, { ...options, signal });
    inDoubt.add(index);
    let mayBeAssigned = false;
    const request = async (): Promise<PairState> => {
      const state = await settlePair(requests, link, mayBeAssigned ? 'unknown' : undefined);
      if (state.status !== 'failed') blame.accepted();
      mayBeAssigned ||= state.status !== 'failed' || state.error.outcome === 'unknown';
      return state;
    };
    let state = await lock.shared(request);
    if (concurrency > 1 && isCrash(state)) state = await lock.exclusive(request);
    const isAside = isCrash(state);
    if (isCrash(state)) {
      blame.setAside(index, state.error);
      await lend((resume) => blame.otherAccepted(index, resume));
      state = await lock.exclusive(request);
      blame.settled(index);
    }
    if (!mayBeAssigned) inDoubt.delete(index);
    if (state.status !== 'failed' || (isAside && isCrash(state))) return state;
    if (!isDecision(state.error)) throw state.error;
    blame.responded();
    return state;
  };

  return { blame, inDoubt, settle };
}

/** Whether the service failed on a pair, or did not respond in time: because of the pair, or because it is down. */
function isCrash(state: PairState): state is Extract<PairState, { readonly status: 'failed' }> {
  return state.status === 'failed' && ['crash', 'too slow'].includes(evidenceOf(state.error));
}
