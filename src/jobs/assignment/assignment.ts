// One assignment of a participant to an exam, made sure of.
//
// An assignment is two facts, and the response about either can be lost, late or odd. That the pair is assigned is known from a 201,
// or from the status of the link, since only an assigned pair has one (404 otherwise): a rejected assignment (400, 409, 422, a
// success that says no) and one whose response was lost are settled by asking for it. Its link never takes back the first fact:
// when the request for it fails, that is an error about the link, with the outcome `done`, and asking again is safe. A job settles a
// pair when both are decided.

import { aBoolean, type OptionTable, withDefault } from '../../core/check.ts';
import { hasStatus } from '../../core/errors/api-error.ts';
import type { AnyCallError } from '../../core/errors/call-error.ts';
import { TimeoutError } from '../../core/errors/request-error.ts';
import { jobTable } from '../../core/options/call-options.ts';
import type { JobOptions } from '../../core/options/client-options.ts';
import type { SchemaIssue } from '../../util/standard-schema.ts';
import type { AssignmentFailure, AssignmentPlace, AssignmentSuccess } from '../assignments-summary.ts';
import { evidenceOf, hasFailed, mayHaveHappened, resultOf } from '../evidence.ts';

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
  /** What is wrong with the pair; it is not sent. */
  readonly issues: readonly SchemaIssue[] | undefined;
  /** Assigns the pair; `after` says what an earlier request may have done. */
  assign(after?: 'unknown'): PromiseLike<unknown>;
  /** Gets the link; `after` says what is known of the assignment. */
  link(after: 'unknown' | 'done'): PromiseLike<{ readonly url: string }>;
}

/** What is known of a pair. */
export type PairState =
  | Omit<AssignmentSuccess, keyof AssignmentPlace>
  | Omit<AssignmentFailure, keyof AssignmentPlace>;

/** What earlier requests show of a pair: its status, or that one may have assigned it. */
export type KnownOfPair = AssignmentSuccess['status'] | 'unknown' | undefined;

/** Why a pair is not settled, or is without its link. */
export function errorOf({ error, linkError }: PairState): AnyCallError | null {
  return error ?? linkError;
}

/** Makes sure that a pair is assigned. Of one that is known to be, it asks for the link alone. */
export async function settlePair(
  { assign, link, signal }: PairRequests,
  wantsLink: boolean,
  known?: KnownOfPair,
): Promise<PairState> {
  if (known === 'assigned' || known === 'already_assigned') return withLink(known, link, signal);
  const { error } = await resultOf(assign(known), signal);
  let url: string | null = null;
  if (error !== null) {
    if (!leavesOpen(error)) return failed(error);
    const found = await resultOf(link('unknown'), signal);
    // A success without a link still proves the assignment; one that is empty, cut or a page proves nothing.
    if (found.error !== null && found.error.code !== 'response_validation')
      return failed(isDecision(found.error) ? error : found.error);
    url = found.value?.url ?? null;
  }
  const status = hasFailed(error) ? 'already_assigned' : 'assigned';
  if (url !== null || !wantsLink) return { status, url, error: null, linkError: null };
  return withLink(status, link, signal);
}

async function withLink(
  status: AssignmentSuccess['status'],
  link: PairRequests['link'],
  signal: AbortSignal | undefined,
): Promise<PairState> {
  const { error, value } = await resultOf(link('done'), signal);
  return { status, url: value?.url ?? null, error: null, linkError: error };
}

export function failed(error: AnyCallError): PairState {
  return { status: 'failed', url: null, error, linkError: null };
}

/** Whether an error is a decision of the service about one pair, or its link: also a success without a link. */
export function isDecision(error: AnyCallError): boolean {
  const isWithoutLink = error.code === 'response_validation';
  return isWithoutLink || hasStatus(error, 400, 404) || evidenceOf(error) === 'no';
}

/** Whether the pair may be assigned despite the error: it already was, or the response was lost or not understood. */
function leavesOpen(error: AnyCallError): boolean {
  // No time is left to find out; the caller can call again.
  if (error instanceof TimeoutError && error.scope === 'total') return false;
  return isDecision(error) ? !hasStatus(error, 404) : mayHaveHappened(error);
}
