// The bulk import behind `participants.importAll`: batches from a source, sent several at once, counted in the order of the source.

import { readArguments } from '../../core/arguments.ts';
import { isApiError } from '../../core/errors/api-error.ts';
import { ConfigurationError } from '../../core/errors/base.ts';
import { readOptionsOf } from '../../core/options/call-options.ts';
import { withDeadline } from '../../core/time.ts';
import { ImportStoppedError } from '../errors.ts';
import { resultOf } from '../evidence.ts';
import type { ImportSummary } from '../import-summary.ts';
import { Job, type RequestFailure } from '../job.ts';
import { JobError } from '../job-error.ts';
import { LONGEST_LIST, type PauseWork, runPool } from '../pool.ts';
import { RowReader, type RowSource } from '../source.ts';
import { BatchSender } from './batch-sender.ts';
import { type ImportService, importTable } from './import-all-options.ts';
import { ImportResults } from './results.ts';
import { RowCheck } from './row-check.ts';
import { type Batch, Rows } from './rows.ts';

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
  const { resumeFrom, failedBatches } = settings;
  // Batches that are not split wait for the service, and not for each other: one other shows whether it is up.
  const mostWaiting = failedBatches === 'bisect' ? LONGEST_LIST : 2;
  const job = new Job({ ...settings, name: 'importAll', mostWaiting }, service);
  const reader = readArguments('participants.importAll', () => new RowReader(source, resumeFrom));
  const rows = new Rows(new RowCheck(settings, service.row), resumeFrom);
  const sender = new BatchSender(service, settings, job);
  const results = new ImportResults(job, settings, sender, reader.total);

  let emails: ReadonlySet<string> | undefined;
  const run = async (): Promise<undefined> => {
    if (settings.existing === 'update') emails = new Set();
    else emails = await withDeadline(job.signal, Number.POSITIVE_INFINITY, () => readEmails(job, service));
    // In an outage a single row shows whether the service is up again.
    const items = rows.batches(reader, () => (job.outage.isOn ? 1 : sender.size.current), emails);
    const work = (batch: Batch, pause: PauseWork) => sender.send(batch, pause);
    const report = (batch: Batch) => results.report(batch);
    await runPool(job, { items, stop: () => reader.stop(), work, report });
  };
  const stopped = await run().catch((cause: unknown) => ({ cause }));
  if (emails === undefined) {
    job.stopping.abort(stopped?.cause);
    void reader.stop();
    if (stopped?.cause instanceof ConfigurationError) throw stopped.cause;
  }
  const left = [...sender.pending].flatMap((batch) => [...batch.pending]);
  const summary = results.summary(left);
  const mayBeStored = left.some(({ outcome }) => outcome === 'unknown');
  if (stopped !== undefined) throw new ImportStoppedError(job, summary, mayBeStored, stopped.cause);
  return summary;
}

/** @throws {ConfigurationError} where the service lists no emails */
async function readEmails(job: Job, service: ImportService): Promise<ReadonlySet<string>> {
  let emails: ReadonlySet<string> | undefined;
  const send = async (): Promise<RequestFailure | null> => {
    const { error, value } = await resultOf(service.knownEmails(job.callOptions), job.signal);
    emails = value;
    if (error === null) return null;
    // Reading again does no harm, so that what the service itself fails with is waited for as well.
    const isAnyRequest = isApiError(error)
      ? error.status < 500
      : ['connection', 'configuration'].includes(error.code);
    const retryable = isAnyRequest ? job.isDown(error) : error.retryable;
    // Whatever became of the request: it only reads, and no row was sent.
    const stop = new JobError(job.describe(error), { cause: error, retryable });
    const action = retryable ? 'wait' : 'stop';
    // A key function that failed is no mistake in the options: any other request would stop for it as well.
    return { error, action, stop: error instanceof ConfigurationError && !error.retryable ? error : stop };
  };
  while (emails === undefined) await job.send(-1, send);
  return emails;
}
