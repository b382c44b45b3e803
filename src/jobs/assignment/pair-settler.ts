// Settles the pairs of a bulk assignment. A decision of the service is about one pair, so is a server error by the rule of `Job`, and
// any other error concerns all: it stops the job, or the job waits.

import type { AnyCallError } from '../../core/errors/call-error.ts';
import { RequestValidationError } from '../../core/errors/request-error.ts';
import { toIssues } from '../../util/standard-schema.ts';
import { tryOrUndefined } from '../../util/try-or-undefined.ts';
import type { Assignment } from '../assignments-summary.ts';
import { isFailing } from '../evidence.ts';
import type { Action, Job, RequestFailure } from '../job.ts';
import { invalidRow } from '../job-error.ts';
import type { PauseWork } from '../pool.ts';
import {
  errorOf,
  failed,
  isDecision,
  type KnownOfPair,
  type PairRequests,
  type PairState,
  settlePair,
} from './assignment.ts';

const METHOD = 'examParticipants.assignAll';
const NOT_SENT = 'The pair was not sent.';

/** What became of a pair. */
export type SettledPair = Assignment & PairState;

/** Settles the pairs of one job. */
export class PairSettler {
  /** The pairs, by their index, that may be assigned and are not reported. */
  readonly mayBeAssigned = new Set<number>();
  readonly #job: Job;
  readonly #requestsOf: (pair: unknown) => PairRequests;
  readonly #wantsLink: boolean;

  constructor(job: Job, requestsOf: (pair: unknown) => PairRequests, wantsLink: boolean) {
    this.#job = job;
    this.#requestsOf = requestsOf;
    this.#wantsLink = wantsLink;
  }

  /** @throws what concerns all pairs */
  async settle(index: number, pair: unknown, pause: PauseWork): Promise<SettledPair> {
    const job = this.#job;
    const requests = this.#requestsOf(pair);
    // Read now, like that of the requests: a source may use the object again for the next pair.
    const ids = readIds(pair);
    if (requests.issues !== undefined) {
      if (!ids.areNumbers) throw invalidRow(METHOD, index, requests.issues, NOT_SENT);
      const error = new RequestValidationError(METHOD, toIssues(requests.issues), NOT_SENT);
      return { ...ids.pair, ...failed(error) };
    }
    let known: KnownOfPair;
    let state: PairState | undefined;
    const send = async (): Promise<RequestFailure | null> => {
      this.mayBeAssigned.add(index);
      state = await settlePair(requests, this.#wantsLink, known);
      if (state.status !== 'failed') known = state.status;
      else if (state.error.outcome === 'unknown') known ??= 'unknown';
      if (known === undefined) this.mayBeAssigned.delete(index);
      const error = errorOf(state);
      return error && { error, action: this.#actionFor(error), stop: error };
    };
    while ((await job.send(index, send)) === undefined || state === undefined) await pause(index);
    return { ...ids.pair, ...state };
  }

  #actionFor(error: AnyCallError): Action {
    if (isDecision(error)) return 'reject';
    if (isFailing(error)) return 'blame';
    return this.#job.isDown(error) ? 'wait' : 'stop';
  }
}

/** The ids of a pair, and whether it is two numbers and nothing else: anything else is a fault of the program. */
function readIds(pair: unknown): { readonly pair: Assignment; readonly areNumbers: boolean } {
  const fields: Partial<Assignment> = tryOrUndefined(() => ({ ...Object(pair) })) ?? {};
  const { participant_id = Number.NaN, exam_id = Number.NaN, ...others } = fields;
  const areIds = [participant_id, exam_id].every((id) => typeof id === 'number' && !Number.isNaN(id));
  return { pair: { participant_id, exam_id }, areNumbers: areIds && Object.keys(others).length === 0 };
}
