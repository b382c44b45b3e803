// One assignment of a participant to an exam, made sure of.
//
// An assignment is two facts, and the response about either can be lost, late or odd. That the pair is assigned is known from a 201,
// or from the status of the link, since only an assigned pair has one (404 otherwise): a rejected assignment (400, 409, 422, a
// success that says no) and one whose response was lost are settled by asking for it. Its link never takes back the first fact:
// when the request for it fails, that is an error about the link, with the outcome `done`, and asking again is safe.

import { aBoolean, type OptionTable, withDefault } from '../../core/check.ts';
import { hasStatus } from '../../core/errors/api-error.ts';
import type { ExamServiceError } from '../../core/errors/base.ts';
import { TimeoutError } from '../../core/errors/request-error.ts';
import { jobTable } from '../../core/options/call-options.ts';
import type { JobOptions } from '../../core/options/client-options.ts';
import { evidenceOf, hasFailed, mayHaveHappened, resultOf } from '../evidence.ts';

/** A participant and an exam: body or query of the endpoints under `/exam-participants`. */
export interface Assignment {
  /** Id of the participant. */
  readonly participant_id: number;
  /** Id of the exam. */
  readonly exam_id: number;
}

/** Options of `ensure`. */
export interface EnsureOptions<Link extends boolean = boolean> extends JobOptions {
  /**
   * Whether to fetch the link to the exam as well.
   * @default false
   */
  readonly link?: Link | undefined;
}

/** The result of `ensure`. */
export interface EnsuredAssignment {
  /** Whether this call made the assignment; `false` also if a response was lost, so that it is not known. */
  readonly created: boolean;
  /** The link to the exam; `null` unless `link` was set or the link was needed to find out. */
  readonly url: string | null;
}

/** The result of `ensure` with `link: true`. */
export interface LinkedAssignment extends EnsuredAssignment {
  /** The link to the exam. */
  readonly url: string;
}

/** Every option of `ensure` with its check and its default. */
export const ensureTable = {
  ...jobTable,
  link: withDefault(aBoolean, false),
} satisfies OptionTable<EnsureOptions>;

/** The requests for one pair. */
export interface PairRequests {
  readonly signal: AbortSignal | undefined;
  /** Assigns the pair; `after` says what an earlier request may have done. */
  assign(after?: 'unknown'): PromiseLike<unknown>;
  /** Gets the link; `after` says what is known of the assignment. */
  link(after: 'unknown' | 'done'): PromiseLike<{ readonly url: string }>;
}

interface AssignmentPlace extends Assignment {
  /** Position in the source, from 0. */
  readonly index: number;
}

/** A pair that is assigned. */
export interface AssignmentSuccess extends AssignmentPlace {
  /** `already_assigned` also when a response was lost, so that it is not known which of the two it is. */
  readonly status: 'assigned' | 'already_assigned';
  /** The link to the exam; `null` if nothing asked for it, or that request failed: see `linkError`. */
  readonly url: string | null;
  /** A pair that is assigned has none. */
  readonly error: null;
  /** Why the request for the link failed; the pair is assigned anyway. `null` if it did not fail, or `link` was not set. */
  readonly linkError: ExamServiceError | null;
}

/** A pair that could not be assigned: the service rejected it or failed on it, or an id is invalid. */
export interface AssignmentFailure extends AssignmentPlace {
  /** The pair could not be shown to be assigned. */
  readonly status: 'failed';
  /** A pair that is not assigned has no link. */
  readonly url: null;
  /** Why. With the `outcome` `unknown`, the pair may be assigned anyway, and running it again is safe. */
  readonly error: ExamServiceError;
  /** Nothing asks for the link of such a pair. */
  readonly linkError: null;
}

/** The result for one pair of a bulk assignment. */
export type AssignmentResult<Row = unknown> = (AssignmentSuccess | AssignmentFailure) & {
  /** The row as the source gave it. Not enumerable, so that a printed result shows nothing of it. */
  readonly row: Row;
};

/** What is known of a pair. */
export type PairState =
  | Omit<AssignmentSuccess, keyof AssignmentPlace>
  | Omit<AssignmentFailure, keyof AssignmentPlace>;

/**
 * Makes sure that a pair is assigned.
 *
 * @param after what an earlier request for it may have done
 */
export async function settlePair(
  { assign, link, signal }: PairRequests,
  wantsLink: boolean,
  after?: 'unknown',
): Promise<PairState> {
  const { error } = await resultOf(assign(after), signal);
  let url: string | null = null;
  if (error !== null) {
    if (!leavesOpen(error)) return failed(error);
    const found = await resultOf(link('unknown'), signal);
    // A link that came and cannot be read still proves the assignment.
    if (hasFailed(found.error)) return failed(isDecision(found.error) ? error : found.error);
    url = found.value?.url ?? null;
  }
  const status = hasFailed(error) ? 'already_assigned' : 'assigned';
  if (url !== null || !wantsLink) return { status, url, error: null, linkError: null };
  const { error: linkError, value } = await resultOf(link('done'), signal);
  return { status, url: value?.url ?? null, error: null, linkError };
}

function failed(error: ExamServiceError): PairState {
  return { status: 'failed', url: null, error, linkError: null };
}

/** Whether an error is a decision of the service about one pair. */
export function isDecision(error: ExamServiceError): boolean {
  return hasStatus(error, 400, 404) || evidenceOf(error) === 'no';
}

/** Whether the pair may be assigned despite the error: it already was, or the response was lost or not understood. */
function leavesOpen(error: ExamServiceError): boolean {
  // No time is left to find out; the caller can call again.
  if (error instanceof TimeoutError && error.scope === 'total') return false;
  return isDecision(error) ? !hasStatus(error, 404) : mayHaveHappened(error);
}
