// The bulk import behind `participants.importAll`: batches from a source, sent several at once, counted in the order of the source.

import { jobTable, readOptionsOf } from '../../core/options/call-options.ts';
import { withDeadline } from '../../core/time.ts';
import { messageOf } from '../../util/errors.ts';
import { Job } from '../job.ts';
import { hiding, JobError } from '../job-error.ts';
import { LONGEST_LIST, mapOrdered } from '../pool.ts';
import { type RowSource, readRows } from '../source.ts';
import { createBatchSender } from './batch-sender.ts';
import { type CheckedOptions, type ImportService, importTable } from './options.ts';
import { type Batch, createRows } from './rows.ts';
import { type ImportProgress, ImportStoppedError, type ImportSummary, type Rejection } from './summary.ts';

/** Batches settled behind a slow one that are kept until it is their turn, for each that is under way. */
const READ_AHEAD = 4;

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
  const { concurrency, onRejected, resumeFrom, signal } = settings;
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
  let failure: { readonly cause: unknown } | undefined;

  const fail = (cause: unknown) => {
    stopping.abort(cause);
    // An abort may come while a failure is waiting to be counted.
    failure ??= { cause: signal?.aborted ? stopping.signal.reason : cause };
  };
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
      else if ('acknowledgement' in result) counts.imported += 1;
      else {
        const rejection = { index, ...result };
        const withRow = Object.defineProperty({ ...rejection }, 'row', { value: given });
        await report(settings, 'onRejected', withRow, given);
        if (onRejected === undefined && rejections.length < LONGEST_LIST) rejections.push(rejection);
        counts.rejected += 1;
      }
      batch.pending.delete(row);
      if (Object(result).from === index && !settings.dryRun) await report(settings, 'onBatch', result);
    }
    sender.pending.delete(batch);
    if (batch.rows.length === 0) return;
    counts.batches += 1;
    await report(settings, 'onProgress', progress());
  };

  const batches = rows.batches(reader, () => sender.size.rows);
  const batchSource = { items: batches, stop: reader.stop, ahead: READ_AHEAD * concurrency };
  const run = async () => {
    for await (const batch of mapOrdered(job, batchSource, sender.send)) {
      // After a failure, the requests under way end; a rerun reports what became of their rows.
      if (failure === undefined) await count(batch).catch(fail);
    }
  };
  await withDeadline(signal, Number.POSITIVE_INFINITY, run).catch(fail);
  const uncounted = [...sender.pending].flatMap((batch) => [...batch.pending]);
  const unsettled = uncounted.filter(({ result }) => !result || !('acknowledgement' in result));
  counts.imported += uncounted.length - unsettled.length;
  const { sent, requests } = sender;
  const next = unsettled[0]?.index ?? resumeFrom + settled();
  const summary = { ...progress(), sent, requests, rejections, resumeFrom: next };
  const isInDoubt = unsettled.some((row) => 'isInDoubt' in row && row.isInDoubt === true);
  if (failure !== undefined) throw new ImportStoppedError(job, summary, isInDoubt, failure.cause);
  return summary;
}

/** Calls a caller's function and awaits it. After an abort the import has ended, so nothing more is reported. */
async function report(
  settings: CheckedOptions,
  name: 'onRejected' | 'onBatch' | 'onProgress',
  value: unknown,
  row?: unknown,
): Promise<void> {
  if (settings.signal?.aborted) throw settings.signal.reason;
  try {
    await settings[name]?.(value as never);
  } catch (cause) {
    throw new JobError(`\`${name}\` failed: ${hiding(row)(messageOf(cause))}`, { cause });
  }
}
