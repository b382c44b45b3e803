// The bulk assignment behind `examParticipants.assignAll`: pairs settled several at once, and reported in the order of the source.

import { hasStatus } from '../../core/errors/api-error.ts';
import { readOptionsOf } from '../../core/options/call-options.ts';
import type { JobOptions } from '../../core/options/client-options.ts';
import { withDeadline } from '../../core/time.ts';
import { Job } from '../job.ts';
import { JobError } from '../job-error.ts';
import { type Lend, LONGEST_LIST, runPool } from '../pool.ts';
import { mapRow, type RowReader, type RowSource, readRows, type SourceRow } from '../source.ts';
import type { Assignment, AssignmentFailure, AssignmentResult, PairRequests } from './assignment.ts';
import { assignAllTable } from './options.ts';
import { PairSettler, type SettledPair } from './pair-settler.ts';
import { AssignmentsStoppedError, type AssignmentsSummary } from './summary.ts';

const CONCURRENCY = 4;
/** When the first pairs all get a 404, so many of them, the base URL may be wrong, or the ids those of another service. */
const MOST_NOT_FOUND = 20;

/** What the job is given by the resource. */
export interface AssignmentService {
  readonly maxConcurrency: number;
  requestsOf(pair: Assignment, options: JobOptions): PairRequests;
}

/** A row that is settled; without a pair, `map` left it out. */
interface SettledRow extends SourceRow {
  readonly pair: SettledPair | null;
}

/**
 * Runs one bulk assignment.
 *
 * @throws {ConfigurationError} when the source or an option is invalid
 * @throws {AssignmentsStoppedError} when it ends before its source
 */
export async function assignAll<Row>(
  service: AssignmentService,
  source: RowSource<Row>,
  options: object,
): Promise<AssignmentsSummary> {
  const method = { name: 'examParticipants.assignAll', takes: ['rows'] };
  const settings = readOptionsOf(method, options, assignAllTable);
  const { maxConcurrency } = service;
  const { map, link, resumeFrom, onResult, ...others } = settings;
  const { concurrency = Math.min(CONCURRENCY, maxConcurrency), ...callOptions } = others;
  const job = new Job('assignAll', maxConcurrency, concurrency, callOptions.signal);
  const reader = readRows(source, resumeFrom);
  const requestsOf = (pair: unknown) => service.requestsOf(pair as Assignment, callOptions);
  const settler = new PairSettler(job, requestsOf, link);
  /** What became of the rows reported so far. */
  const counts = { assigned: 0, alreadyAssigned: 0, withoutLink: 0, failed: 0, skipped: 0 };
  const failures: AssignmentFailure[] = [];
  /** The first pairs that got a 404, until one gets another response, or the source ends. */
  let notFound: SettledRow[] | undefined = [];
  let next = resumeFrom;

  const settle = async ({ index, given }: SourceRow, lend: Lend): Promise<SettledRow> => {
    const pair = map === undefined ? given : mapRow(map, given, index, '{ participant_id, exam_id }');
    const isSkipped = map !== undefined && pair === null;
    return { index, given, pair: isSkipped ? null : await settler.settle(index, pair, lend) };
  };

  const count = async ({ index, given, pair }: SettledRow): Promise<void> => {
    if (pair === null) {
      counts.skipped += 1;
    } else {
      const result = { index, ...pair };
      const withRow = Object.defineProperty({ ...result }, 'row', { value: given }) as AssignmentResult;
      await job.call('onResult', () => onResult?.(withRow), given);
      counts[result.status === 'already_assigned' ? 'alreadyAssigned' : result.status] += 1;
      if (result.linkError !== null) counts.withoutLink += 1;
      if (result.status === 'failed' && failures.length < LONGEST_LIST) failures.push(result);
      settler.mayBeAssigned.delete(index);
    }
    next = Math.max(next, index + 1);
  };

  const countNotFound = async (): Promise<void> => {
    for (let row = notFound?.[0]; row !== undefined; row = notFound?.[0]) {
      await count(row);
      notFound?.shift();
    }
    notFound = undefined;
  };

  const report = async (row: SettledRow): Promise<void> => {
    if (notFound !== undefined && row.pair !== null) {
      if (hasStatus(row.pair.error, 404)) {
        if (notFound.push(row) === MOST_NOT_FOUND) throw allNotFound(notFound);
        return;
      }
      await countNotFound();
    }
    await count(row);
  };

  const run = async (): Promise<void> => {
    await runPool(job, { items: rowsFrom(resumeFrom, reader), stop: reader.stop }, settle, report);
    await withDeadline(job.signal, Number.POSITIVE_INFINITY, countNotFound);
  };
  const stopped = await run().then(
    () => undefined,
    (cause: unknown) => ({ cause }),
  );
  const { withoutLink, ...settled } = counts;
  const passedOver = Math.min(resumeFrom, reader.total ?? resumeFrom);
  const processed = Object.values(settled).reduce((sum, each) => sum + each, passedOver);
  const summary = { processed, ...counts, failures, resumeFrom: notFound?.[0]?.index ?? next };
  if (stopped === undefined) return summary;
  throw new AssignmentsStoppedError(job, summary, settler.mayBeAssigned.size > 0, stopped.cause);
}

async function* rowsFrom<Row>(resumeFrom: number, reader: RowReader<Row>): AsyncGenerator<SourceRow<Row>> {
  for await (const row of reader) if (row.index >= resumeFrom) yield row;
}

/** Why the job stops when the first pairs all get a 404: they stay unsettled. */
function allNotFound(rows: readonly SettledRow[]): JobError {
  const [first] = rows;
  const { participant_id, exam_id, error } = Object(first?.pair);
  const message =
    'is the base URL right, with its version prefix, and are these ids of this service? ' +
    `The first ${rows.length} pairs all got a 404, such as participant ${participant_id} and exam ${exam_id}.`;
  const past = { from: first?.index ?? 0, to: (rows.at(-1)?.index ?? 0) + 1 };
  return new JobError(message, { cause: error, outcome: 'rejected', past });
}
