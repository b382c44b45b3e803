// One assignment of a participant to an exam, made sure of.
//
// An assignment is two facts, and the answer about either can be lost, late or odd. That the pair is assigned is known from a 201,
// or from the status of the link, since only an assigned pair has one (404 otherwise): a refused assignment (400, 409, 422, a
// success that says no) and one whose answer was lost are looked into by asking for it. Its link never takes back the first fact:
// when it cannot be had, that is an error about the link, with the outcome `done`, and asking again is safe.

import { hasStatus } from '../core/errors/api-error.ts';
import type { ExamServiceError } from '../core/errors/base.ts';
import { TimeoutError } from '../core/errors/request-error.ts';
import { callTable } from '../core/options/call-options.ts';
import { aBoolean, type OptionTable, withDefault } from '../core/options/check.ts';
import type { RequestOptions } from '../core/options/client-options.ts';
import { hasFailed, isRefusal, mayHaveHappened, resultOf } from './evidence.ts';

/** A participant and an exam: body or query of the endpoints under `/exam-participants`. */
export interface Assignment {
  /** Id of the participant. */
  readonly participant_id: number;
  /** Id of the exam. */
  readonly exam_id: number;
}

/** Options of `ensure`. */
export interface EnsureOptions extends RequestOptions {
  /**
   * Whether to fetch the link to the exam as well.
   * @default false
   */
  readonly link?: boolean | undefined;
}

/** The result of `ensure`. */
export interface EnsuredAssignment {
  /** Whether this call made the assignment; `false` if an answer was lost, so that it cannot be known. */
  readonly created: boolean;
  /** The link to the exam; `null` unless `link` was set or the link was needed to find out. */
  readonly url: string | null;
}

/** Every option of `ensure` with its check and its default. */
export const ensureTable = {
  ...callTable,
  link: withDefault(aBoolean, false),
} satisfies OptionTable<EnsureOptions>;

/** The requests for one pair. */
export interface PairRequests {
  readonly signal: AbortSignal | undefined;
  assign(): PromiseLike<unknown>;
  /** Gets the link; `after` says what is known of the assignment. */
  link(after: 'unknown' | 'done'): PromiseLike<{ readonly url: string }>;
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
  /** The link to the exam; `null` unless `link` was set, and when it could not be had: see `linkError`. */
  readonly url: string | null;
  /** Why the link could not be had, although `link` was set; the pair is assigned all the same. */
  readonly linkError?: ExamServiceError | undefined;
}

/** A pair that could not be assigned: the service refused this pair or failed on it, or it is not a valid pair. */
export interface AssignmentFailure extends AssignmentPlace {
  /** The pair could not be shown to be assigned. */
  readonly status: 'failed';
  /** Why. With the `outcome` `unknown`, the pair may be assigned all the same, and running it again is safe. */
  readonly error: ExamServiceError;
}

/** What is known of a pair, and whether the service gave a clean answer about it, so that an error is the pair's. */
export type PairState =
  | (Omit<AssignmentSuccess, keyof AssignmentPlace> & { readonly isAnswered: true })
  | (Omit<AssignmentFailure, keyof AssignmentPlace> & { readonly isAnswered: boolean });

/** Makes sure that a pair is assigned. */
export async function settlePair(
  { assign, link, signal }: PairRequests,
  wantsLink: boolean,
): Promise<PairState> {
  const { error } = await resultOf(assign(), signal);
  let url: string | null = null;
  if (error !== null) {
    if (!leavesOpen(error)) return { status: 'failed', error, isAnswered: isRefusal(error) };
    const found = await resultOf(link('unknown'), signal);
    // A link that came and cannot be read is one all the same.
    if (hasFailed(found.error)) {
      const isAnswered = isRefusal(found.error);
      return { status: 'failed', error: isAnswered ? error : found.error, isAnswered };
    }
    url = found.value?.url ?? null;
  }
  const status = hasFailed(error) ? 'already_assigned' : 'assigned';
  if (url !== null || !wantsLink) return { status, url, isAnswered: true };
  const { error: linkError, value } = await resultOf(link('done'), signal);
  return { status, url: value?.url ?? null, ...(linkError && { linkError }), isAnswered: true };
}

/** Whether the service answers for the link of a pair, which changes nothing: it has one, or it says no. */
export async function isAnsweredFor({ link, signal }: PairRequests): Promise<boolean> {
  const { error } = await resultOf(link('unknown'), signal);
  return !hasFailed(error) || isRefusal(error);
}

/** Whether the pair may be assigned despite the error: it already was, or the answer was lost or not understood. */
function leavesOpen(error: ExamServiceError): boolean {
  // No time is left to find out; the caller can call again.
  if (error instanceof TimeoutError && error.scope === 'total') return false;
  return isRefusal(error) ? !hasStatus(error, 404) : mayHaveHappened(error);
}
