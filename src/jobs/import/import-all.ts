// The bulk import behind `participants.importAll`: batches from a source, sent several at once, counted in the order of the source.

import { jobTable, readOptionsOf } from '../../core/options/call-options.ts';
import { Job } from '../job.ts';
import { LONGEST_LIST, runPool } from '../pool.ts';
import { type RowSource, readRows } from '../source.ts';
import { createBatchSender } from './batch-sender.ts';
import { type ImportService, importTable } from './options.ts';
import { type Batch, createRows } from './rows.ts';
import {
  type ImportProgress,
  ImportStoppedError,
  type ImportSummary,
  type RejectedRow,
  type Rejection,
} from './summary.ts';

/**
 * Runs one bulk import.
 *
 * @throws {ConfigurationError} when the source or an option is invalid
 * @throws {ImportStoppedError} when it ends before its source
 */
export async function importAll<Row>(
  service: ImportService,
  source: RowSource<Row>,
  options: object,
): Promise<ImportSummary> {
  const settings = readOptionsOf({ name: 'participants.importAll', takes: ['rows'] }, options, importTable);
  const { concurrency, resumeFrom, signal, onRejected, onBatch, onProgress } = settings;
  const job = new Job('importAll', service.maxConcurrency, concurrency, signal);
  const { stopping } = job;
  const reader = readRows(source, resumeFrom);
  const startedAt = performance.now();
  /** Those options that each of its calls takes. */
  const callOptions = Object.fromEntries(
    Object.keys(jobTable).map((name) => [name, Reflect.get(settings, name)]),
  );
  const rows = createRows(settings, service.row);
  const sender = createBatchSender(service, settings, callOptions, rows, job);
  /** What became of the rows counted so far. */
  const counts = { imported: 0, rejected: 0, skipped: 0, batches: 0 };
  const rejections: Rejection[] = [];

  const settled = () => counts.imported + counts.rejected + counts.skipped;
  const progress = (): ImportProgress => ({
    processed: Math.min(resumeFrom, reader.total ?? resumeFrom) + settled(),
    ...counts,
    total: reader.total,
    elapsedMs: Math.round(performance.now() - startedAt),
  });

  /** Counts what became of the rows of a batch, and calls the caller's functions. */
  const count = async (batch: Batch): Promise<void> => {
    for (const row of batch.pending) {
      const { index, given, result } = row;
      // What lies behind a pending row is not reported: a rerun does.
      if (result === undefined) throw stopping.signal.reason;
      if (result === null) counts.skipped += 1;
      else if ('acknowledgement' in result) {
        if (result.from === index && !settings.dryRun) await job.call('onBatch', () => onBatch?.(result));
        counts.imported += 1;
      } else {
        const rejection = { index, ...result };
        const withRow = Object.defineProperty({ ...rejection }, 'row', { value: given }) as RejectedRow;
        await job.call('onRejected', () => onRejected?.(withRow), given);
        if (rejections.length < LONGEST_LIST) rejections.push(rejection);
        counts.rejected += 1;
      }
      batch.pending.delete(row);
    }
    sender.pending.delete(batch);
    if (batch.rows.length === 0) return;
    counts.batches += 1;
    await job.call('onProgress', () => onProgress?.(progress()));
  };

  const batches = rows.batches(reader, () => sender.size.rows);
  const work = { items: batches, stop: reader.stop, work: sender.send, report: count };
  const stopped = await runPool(job, work).then(
    () => undefined,
    (cause: unknown) => ({ cause }),
  );
  /** What was not reported. A rerun does, also where the service accepted a row. */
  const left = [...sender.pending].flatMap((batch) => [...batch.pending]);
  const next = left[0]?.index ?? resumeFrom + settled();
  counts.imported += left.filter(({ result }) => result && 'acknowledgement' in result).length;
  const { sent, requests } = sender;
  const summary = { ...progress(), sent, requests, rejections, resumeFrom: next };
  const isInDoubt = left.some((row) => 'isInDoubt' in row && row.isInDoubt === true);
  if (stopped !== undefined) throw new ImportStoppedError(job, summary, isInDoubt, stopped.cause);
  return summary;
}
