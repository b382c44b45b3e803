// The bulk assignment behind `examParticipants.assignAll`: pairs settled several at once, and reported in the order of the source.

import { readArguments } from '../../core/arguments.ts';
import { readOptionsOf } from '../../core/options/call-options.ts';
import type { JobOptions } from '../../core/options/client-options.ts';
import { withDeadline } from '../../core/time.ts';
import type { Assignment, AssignmentsSummary } from '../assignments-summary.ts';
import { AssignmentsStoppedError } from '../errors.ts';
import { Job, type JobClient } from '../job.ts';
import { LONGEST_LIST, type PauseWork, runPool } from '../pool.ts';
import { mapRow, RowReader, type RowSource, type SourceRow } from '../source.ts';
import { assignAllTable } from './assign-all-options.ts';
import type { PairRequests } from './assignment.ts';
import { PairSettler } from './pair-settler.ts';
import { AssignmentResults, type SettledRow } from './results.ts';

const CONCURRENCY = 4;

/** What the job is given by the resource. */
export interface AssignmentService extends JobClient {
  requestsOf(pair: Assignment, options: JobOptions): PairRequests;
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
  const method = { name: 'examParticipants.assignAll', takes: ['rows'] } as const;
  const settings = readOptionsOf(method, options, assignAllTable);
  const { map, link, resumeFrom, onResult } = settings;
  const { concurrency = Math.min(CONCURRENCY, service.maxConcurrency) } = settings;
  const job = new Job({ ...settings, concurrency, name: 'assignAll', mostWaiting: LONGEST_LIST }, service);
  const reader = readArguments('examParticipants.assignAll', () => new RowReader(source, resumeFrom));
  const requestsOf = (pair: unknown) => service.requestsOf(pair as Assignment, job.callOptions);
  const settler = new PairSettler(job, requestsOf, link);
  const results = new AssignmentResults(job, resumeFrom, onResult);

  const run = async (): Promise<undefined> => {
    await runPool<SourceRow, SettledRow>(job, {
      items: rowsFrom(resumeFrom, reader),
      stop: () => reader.stop(),
      async work({ index, given }: SourceRow, pause: PauseWork) {
        const pair = map === undefined ? given : mapRow(map, given, index, '{ participant_id, exam_id }');
        const isSkipped = map !== undefined && pair === null;
        return { index, given, pair: isSkipped ? null : await settler.settle(index, pair, pause) };
      },
      async report(row) {
        await results.report(row);
        settler.mayBeAssigned.delete(row.index);
      },
    });
    await withDeadline(job.signal, Number.POSITIVE_INFINITY, () => results.end());
  };
  const stopped = await run().catch((cause: unknown) => ({ cause }));
  const summary = results.summary(Math.min(resumeFrom, reader.total ?? resumeFrom));
  if (stopped === undefined) return summary;
  throw new AssignmentsStoppedError(job, summary, settler.mayBeAssigned.size > 0, stopped.cause);
}

async function* rowsFrom<Row>(resumeFrom: number, reader: RowReader<Row>): AsyncGenerator<SourceRow<Row>> {
  for await (const row of reader) if (row.index >= resumeFrom) yield row;
}
