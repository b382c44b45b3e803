// The bulk import behind `participants.importAll`: batches from a source, sent several at once, counted in the order of the source.

import { readArguments } from '../../core/arguments.ts';
import { ConfigurationError } from '../../core/errors/base.ts';
import { jobTable, readOptionsOf } from '../../core/options/call-options.ts';
import type { JobOptions } from '../../core/options/client-options.ts';
import { resultOf } from '../evidence.ts';
import { Job } from '../job.ts';
import { JobError } from '../job-error.ts';
import { type Lend, LONGEST_LIST, runPool } from '../pool.ts';
import { type RowSource, readRows } from '../source.ts';
import { BatchSender } from './batch-sender.ts';
import { type ImportService, importTable } from './import-all-options.ts';
import { RowCheck } from './row-check.ts';
import { type Batch, Rows } from './rows.ts';
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
 * @throws {ConfigurationError} when the source or an option is invalid, or the service lists no emails, which `existing` needs
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
  const reader = readArguments('participants.importAll', () => readRows(source, resumeFrom));
  const startedAt = performance.now();
  /** The options for each call of the import. */
  const callOptions = Object.fromEntries(
    Object.keys(jobTable).map((name) => [name, Reflect.get(settings, name)]),
  );
  const rows = new Rows(new RowCheck(settings, service.row), resumeFrom);
  const sender = new BatchSender(service, settings, callOptions, rows, job);
  /** What became of the rows counted so far. */
  const counts = { imported: 0, rejected: 0, skipped: 0, batches: 0 };
  /** Skipped rows whose email the service has. */
  let known = 0;
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
      const { index, given, result, isKnown } = row;
      // Rows after a pending row are not reported: a rerun reports them.
      if (result === undefined) throw stopping.signal.reason;
      if (result === null) {
        counts.skipped += 1;
        if (isKnown) known += 1;
      } else if ('acknowledgement' in result) {
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

  const isSkipping = settings.existing === 'skip';
  let emails: ReadonlySet<string> | undefined;
  const run = async () => {
    emails = isSkipping ? await readKnownEmails(service, callOptions) : new Set<string>();
    const items = rows.batches(reader, () => sender.size.rows, emails);
    const work = (batch: Batch, lend: Lend) => sender.send(batch, lend);
    await runPool(job, { items, stop: reader.stop, work, report: count });
  };
  const stopped = await run().then(
    () => undefined,
    (cause: unknown) => ({ cause }),
  );
  if (emails === undefined) {
    void reader.stop();
    if (stopped?.cause instanceof ConfigurationError) throw stopped.cause;
  }
  /** Rows that were not reported. A rerun reports them, even those that the service accepted. */
  const left = [...sender.pending].flatMap((batch) => [...batch.pending]);
  const next = left[0]?.index ?? resumeFrom + settled();
  counts.imported += left.filter(({ result }) => result && 'acknowledgement' in result).length;
  const { sent, requests } = sender;
  const knownRows = isSkipping ? known : null;
  const summary = { ...progress(), known: knownRows, sent, requests, rejections, resumeFrom: next };
  const mayBeStored = left.some((row) => 'mayBeStored' in row && row.mayBeStored === true);
  if (stopped !== undefined) throw new ImportStoppedError(job, summary, mayBeStored, stopped.cause);
  return summary;
}

/** @throws {ConfigurationError} where the service lists no emails */
async function readKnownEmails(service: ImportService, options: JobOptions): Promise<ReadonlySet<string>> {
  const { error, value } = await resultOf(service.knownEmails(options), options.signal);
  if (error === null) return value;
  if (error instanceof ConfigurationError) throw error;
  // Whatever became of the request: it only reads, and no row was sent.
  throw new JobError(error.message, { cause: error, retryable: error.retryable });
}
