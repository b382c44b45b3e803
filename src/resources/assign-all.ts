// The bulk assignment behind `examParticipants.assignAll`.

import { onAbort } from '../core/attempt/deadline.ts';
import { isApiError } from '../core/errors/api-error.ts';
import { type ExamServiceError, isExamServiceError } from '../core/errors/base.ts';
import { checkCount, checkSignal } from '../core/request/checks.ts';
import type { Assignment, EnsuredAssignment, EnsureOptions } from './assignment-types.ts';
import { RowReader, type RowSource } from './row-reader.ts';

/** Options of `assignAll`; those of a single call apply to each of its requests. */
export interface AssignAllOptions extends EnsureOptions {
  /**
   * Pairs in flight at once.
   * @default 4
   */
  readonly concurrency?: number | undefined;
}

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
  /** The link to the exam; `null` unless `link` was set. */
  readonly url: string | null;
}

/** A pair that could not be assigned, for a reason of its own. */
export interface AssignmentFailure extends AssignmentPlace {
  /** The pair is not assigned. */
  readonly status: 'failed';
  /** Why: the service refused this pair (400, 404, 422, or a 2xx that says so), or it is not a valid pair. */
  readonly error: ExamServiceError;
}

type Ensure = (pair: Assignment, options: EnsureOptions) => Promise<EnsuredAssignment>;

/** The result of a pair: its outcome, or an error that affects all pairs. */
type Settled = { readonly outcome: AssignmentOutcome } | { readonly fatal: unknown };

const DEFAULT_CONCURRENCY = 4;

/** Ensures pairs on demand, several at once, and yields their outcomes in the order of the source. */
export async function* assignAll(
  ensure: Ensure,
  source: RowSource<Assignment>,
  { concurrency = DEFAULT_CONCURRENCY, signal, ...options }: AssignAllOptions,
): AsyncGenerator<AssignmentOutcome, void, undefined> {
  checkCount('concurrency', concurrency);
  checkSignal(signal);
  const reader = new RowReader(source);
  // Cancels what is in flight when the caller stops.
  const stop = new AbortController();
  const callOptions: EnsureOptions = { ...options, signal: stop.signal };
  const unfollow =
    signal &&
    onAbort(signal, () => {
      stop.abort(signal.reason);
      // The source may be waiting and never answer.
      reader.stop();
    });
  const underWay: Promise<Settled>[] = [];
  let failure: { readonly fatal: unknown } | undefined;
  let reading: Promise<void> | undefined;
  let isOver = false;
  let count = 0;

  const readNext = async (): Promise<void> => {
    try {
      const next = await reader.next();
      if (next === null) isOver = true;
      else if (failure === undefined) underWay.push(settle(ensure, next.row, count++, callOptions));
    } catch (fatal) {
      // Outcomes of pairs in flight come first.
      failure ??= { fatal };
      isOver = true;
    }
    reading = undefined;
  };

  try {
    while (!isOver || underWay.length > 0) {
      if (signal?.aborted) break;
      if (!isOver && reading === undefined && underWay.length < concurrency) reading = readNext();
      const [first] = underWay;
      // Outcomes are yielded at once, however long the source takes for its next pair.
      const settled = await Promise.race([reading, first].filter((promise) => promise !== undefined));
      if (settled === undefined) continue;
      underWay.shift();
      if ('outcome' in settled) yield settled.outcome;
      else {
        failure ??= settled;
        isOver = true;
      }
    }
    if (signal?.aborted) throw signal.reason;
    if (failure !== undefined) throw failure.fatal;
  } finally {
    unfollow?.();
    stop.abort();
    reader.stop();
    await reader.closed();
  }
}

async function settle(
  ensure: Ensure,
  pair: Assignment,
  index: number,
  options: EnsureOptions,
): Promise<Settled> {
  const { participant_id, exam_id }: Assignment = Object(pair);
  const place = { index, participant_id, exam_id };
  try {
    const { created, url } = await ensure(pair, options);
    return { outcome: { ...place, status: created ? 'assigned' : 'already_assigned', url } };
  } catch (error) {
    if (concernsPair(error)) return { outcome: { ...place, status: 'failed', error } };
    return { fatal: error };
  }
}

/** Whether other pairs may succeed where this one failed. */
function concernsPair(error: unknown): error is ExamServiceError {
  if (isApiError(error)) return [400, 404, 409, 422].includes(error.status);
  if (!isExamServiceError(error)) return false;
  return (
    error.code === 'request_validation' || (error.code === 'response_format' && error.outcome === 'refused')
  );
}
