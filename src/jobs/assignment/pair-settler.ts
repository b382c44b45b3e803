// Settles the pairs of a bulk assignment. A decision of the service is about one pair, so is a server error by the rule of `Job`, and
// any other error concerns all and stops the job.

import { RequestValidationError } from '../../core/errors/request-error.ts';
import type { Issue } from '../../util/standard-schema.ts';
import { tryOrUndefined } from '../../util/try-or-undefined.ts';
import { evidenceOf } from '../evidence.ts';
import type { Job } from '../job.ts';
import type { Lend } from '../pool.ts';
import { type Assignment, isDecision, type PairRequests, type PairState, settlePair } from './assignment.ts';

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
  async settle(index: number, pair: unknown, lend: Lend): Promise<SettledPair> {
    const job = this.#job;
    const requests = this.#requestsOf(pair);
    // Read now, like that of the requests: a source may use the object again for the next pair.
    const ids = readIds(pair);
    let mayBeAssigned = false;
    const request = async (): Promise<PairState> => {
      this.mayBeAssigned.add(index);
      const state = await settlePair(requests, this.#wantsLink, mayBeAssigned ? 'unknown' : undefined);
      if (state.error === null) job.accepted();
      mayBeAssigned ||= state.error === null || state.error.outcome === 'unknown';
      if (!mayBeAssigned) this.mayBeAssigned.delete(index);
      return state;
    };
    let state = await job.send(index, request, hasServerError);
    const isSetAside = hasServerError(state);
    if (hasServerError(state)) {
      job.setAside(index, state.error);
      await lend((resume) => job.otherAccepted(index, resume));
      state = await job.send(index, request, hasServerError);
      job.settled(index);
    }
    if (state.status === 'failed' && !(isSetAside && hasServerError(state))) {
      if (state.error instanceof RequestValidationError) {
        const { issues } = state.error;
        if (!ids.areNumbers) throw invalidPair(inRow(index, issues));
        state = { ...state, error: invalidPair(issues) };
      } else if (isDecision(state.error)) job.responded();
      else throw state.error;
    }
    return { ...ids.pair, ...state };
  }
}

/** Pairs before it may have been sent. */
function invalidPair(issues: readonly Issue[]): RequestValidationError {
  return new RequestValidationError('examParticipants.assignAll', issues, 'The pair was not sent.');
}

function inRow(index: number, issues: readonly Issue[]): Issue[] {
  return issues.map(({ path, message }) => ({
    path: path === '' ? `${index}` : `${index}.${path}`,
    message,
  }));
}

/** The ids of a pair, and whether it is two numbers and nothing else: anything else is a fault of the program. */
function readIds(pair: unknown): { readonly pair: Assignment; readonly areNumbers: boolean } {
  const fields: Partial<Assignment> = tryOrUndefined(() => ({ ...Object(pair) })) ?? {};
  const { participant_id = Number.NaN, exam_id = Number.NaN, ...others } = fields;
  const areIds = [participant_id, exam_id].every((id) => typeof id === 'number' && !Number.isNaN(id));
  return { pair: { participant_id, exam_id }, areNumbers: areIds && Object.keys(others).length === 0 };
}

/** Whether the service failed on a pair, or did not respond in time: because of the pair, or because it is down. */
function hasServerError(state: PairState): state is Extract<PairState, { readonly status: 'failed' }> {
  return state.error !== null && ['server error', 'too slow'].includes(evidenceOf(state.error));
}
