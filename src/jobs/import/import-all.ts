// The bulk import behind `participants.importAll`: batches from a source, sent several at once, counted in the order of the source.

import { readArguments } from '../../core/arguments.ts';
import { ConfigurationError } from '../../core/errors/base.ts';
import { jobTable, readOptionsOf } from '../../core/options/call-options.ts';
import type { JobOptions } from '../../core/options/client-options.ts';
import { ImportStoppedError } from '../errors.ts';
import { resultOf } from '../evidence.ts';
import { Job } from '../job.ts';
import { JobError } from '../job-error.ts';
import { type Lend, runPool } from '../pool.ts';
import { type RowSource, readRows } from '../source.ts';
import { BatchSender } from './batch-sender.ts';
import { type ImportService, importTable } from './import-all-options.ts';
import { ImportResults } from './results.ts';
import { RowCheck } from './row-check.ts';
import { type Batch, Rows } from './rows.ts';
import type { ImportSummary } from './summary.ts';

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
  const { concurrency, resumeFrom, signal } = settings;
  const job = new Job('importAll', service.maxConcurrency, concurrency, signal);
  const reader = readArguments('participants.importAll', () => readRows(source, resumeFrom));
  /** The options for each call of the import. */
  const callOptions = Object.fromEntries(
    Object.keys(jobTable).map((name) => [name, Reflect.get(settings, name)]),
  );
  const rows = new Rows(new RowCheck(settings, service.row), resumeFrom);
  const sender = new BatchSender(service, settings, callOptions, rows, job);
  const results = new ImportResults(job, settings, sender, reader.total);

  let emails: ReadonlySet<string> | undefined;
  const run = async () => {
    emails = settings.existing === 'skip' ? await readKnownEmails(service, callOptions) : new Set<string>();
    const items = rows.batches(reader, () => sender.size.rows, emails);
    const work = (batch: Batch, lend: Lend) => sender.send(batch, lend);
    const report = (batch: Batch) => results.report(batch);
    await runPool(job, { items, stop: reader.stop, work, report });
  };
  const stopped = await run().then(
    () => undefined,
    (cause: unknown) => ({ cause }),
  );
  if (emails === undefined) {
    void reader.stop();
    if (stopped?.cause instanceof ConfigurationError) throw stopped.cause;
  }
  const left = [...sender.pending].flatMap((batch) => [...batch.pending]);
  const summary = results.summary(left);
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
