// What became of the rows of a bulk assignment: reports the results in the order of the source, and counts them.

import { hasStatus } from '../../core/errors/api-error.ts';
import type { AssignmentFailure, AssignmentResult, AssignmentsSummary } from '../assignments-summary.ts';
import type { Job } from '../job.ts';
import { JobError } from '../job-error.ts';
import { LONGEST_LIST } from '../pool.ts';
import type { SourceRow } from '../source.ts';
import type { AssignAllOptions } from './assign-all-options.ts';
import type { SettledPair } from './pair-settler.ts';

/** If this many pairs at the start of a run all get a 404, the base URL may be wrong, or the ids may belong to another service. */
const MOST_NOT_FOUND = 20;

/** A row that is settled; without a pair, `map` left it out. */
export interface SettledRow extends SourceRow {
  readonly pair: SettledPair | null;
}

/** The results of one job. */
export class AssignmentResults {
  readonly #job: Job;
  readonly #onResult: AssignAllOptions<unknown>['onResult'];
  readonly #counts = { assigned: 0, alreadyAssigned: 0, withoutLink: 0, failed: 0, skipped: 0 };
  readonly #failures: AssignmentFailure[] = [];
  /** The first pairs, which got a 404, until one gets another response, or the source ends. */
  readonly #notFound: SettledRow[] = [];
  #isFound = false;
  #next: number;

  constructor(job: Job, resumeFrom: number, onResult: AssignAllOptions<unknown>['onResult']) {
    this.#job = job;
    this.#onResult = onResult;
    this.#next = resumeFrom;
  }

  /**
   * Reports a row, and those that waited for it.
   *
   * @throws {JobError} when the callback fails, or the first pairs all got a 404: those stay unsettled
   */
  async report(row: SettledRow): Promise<void> {
    if (!this.#isFound && hasStatus(row.pair?.error, 404)) {
      if (this.#notFound.push(row) === MOST_NOT_FOUND) throw allNotFound(this.#notFound);
      return;
    }
    if (row.pair !== null) await this.end();
    await this.#count(row);
  }

  /** Reports the rows that waited for another response. */
  async end(): Promise<void> {
    this.#isFound = true;
    for (let [row] = this.#notFound; row !== undefined; [row] = this.#notFound) {
      await this.#count(row);
      this.#notFound.shift();
    }
  }

  /** Counts a row when its callback has returned. */
  async #count({ index, given, pair }: SettledRow): Promise<void> {
    const counts = this.#counts;
    if (pair === null) {
      counts.skipped += 1;
    } else {
      const result = { index, ...pair };
      const withRow = Object.defineProperty({ ...result }, 'row', { value: given }) as AssignmentResult;
      await this.#job.call('onResult', () => this.#onResult?.(withRow), given);
      counts[result.status === 'already_assigned' ? 'alreadyAssigned' : result.status] += 1;
      if (result.linkError !== null) counts.withoutLink += 1;
      if (result.status === 'failed' && this.#failures.length < LONGEST_LIST) this.#failures.push(result);
    }
    this.#next = Math.max(this.#next, index + 1);
  }

  /** @param before how many rows were passed over */
  summary(before: number): AssignmentsSummary {
    const { withoutLink, ...settled } = this.#counts;
    const processed = Object.values(settled).reduce((sum, count) => sum + count, before);
    const resumeFrom = this.#notFound[0]?.index ?? this.#next;
    return { processed, ...this.#counts, failures: this.#failures, resumeFrom };
  }
}

/** Why the job stops when the first pairs all get a 404. */
function allNotFound(rows: readonly SettledRow[]): JobError {
  const [first] = rows;
  const { participant_id, exam_id, error } = Object(first?.pair);
  const message =
    'is the base URL right, with its version prefix, and are these ids of this service? ' +
    `The first ${rows.length} pairs all got a 404, such as participant ${participant_id} and exam ${exam_id}.`;
  const row = first?.index ?? 0;
  const past = (rows.at(-1)?.index ?? 0) + 1;
  return new JobError(message, { cause: error, outcome: 'rejected', row, past });
}
