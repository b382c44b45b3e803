// The bulk import behind `participants.importAll`: batches from a source, sent several at once, folded in the order of the source.

import { callTable } from '../../core/options/call-options.ts';
import { readOptions } from '../../core/options/check.ts';
import type { RequestOptions } from '../../core/options/client-options.ts';
import { withDeadline } from '../../core/time.ts';
import { type Failure, inOrder, JobFault, LONGEST_LIST, type RowSource, readRows } from '../pool.ts';
import { importTable } from './options.ts';
import { type Batch, readBatches } from './rows.ts';
import { createSender, type SendRows } from './sender.ts';
import { type ImportProgress, ImportStoppedError, type ImportSummary, type RejectedRow } from './summary.ts';

/** Batches settled behind a slow one that are kept until it is their turn, for each that is under way. */
const AHEAD = 4;

/**
 * Runs one bulk import.
 *
 * @throws {ConfigurationError} when the source or an option is invalid
 * @throws {ImportStoppedError} when it ends before its source
 */
export async function importAll<Row>(
  send: (options: RequestOptions) => SendRows,
  rows: RowSource<Row>,
  options: object,
): Promise<ImportSummary> {
  const plan = readOptions('the options of importAll', options, importTable);
  const { concurrency, onRejected, resumeFrom, signal } = plan;
  const source = readRows(rows);
  const stopping = new AbortController();
  stopping.signal.onabort = () => void source.stop();
  const startedAt = performance.now();
  /** Those options that each of its calls takes. */
  const callOptions = Object.keys(callTable).map((name) => [name, Reflect.get(plan, name)]);
  const sender = createSender(send(Object.fromEntries(callOptions)), plan, stopping);
  /** What became of the rows folded so far. */
  const counts = { imported: 0, failed: 0, skipped: 0, batches: 0 };
  const rejected: RejectedRow[] = [];
  let failure: Failure | undefined;

  const fail = (cause: unknown) => {
    stopping.abort(cause);
    // An abort may come while a failure is waiting to be folded.
    failure ??= { cause: signal?.aborted ? stopping.signal.reason : cause };
  };
  const settled = () => counts.imported + counts.failed + counts.skipped;
  const progress = (): ImportProgress => ({
    processed: Math.min(resumeFrom, source.total ?? resumeFrom) + settled(),
    ...counts,
    total: source.total,
    elapsedMs: Math.round(performance.now() - startedAt),
  });

  /** Calls a caller's function and awaits it. After an abort the import has ended, so nothing more is told. */
  const tell = async (name: 'onRejected' | 'onBatch' | 'onProgress', value: unknown): Promise<void> => {
    if (signal?.aborted) throw signal.reason;
    try {
      await plan[name]?.(value as never);
    } catch (cause) {
      throw new JobFault(`\`${name}\` failed.`, { cause });
    }
  };
  /** Counts what became of the rows of a batch, and tells the caller's functions. */
  const fold = async (batch: Batch): Promise<void> => {
    for (const row of batch.open) {
      const { index, fate } = row;
      // What lies behind an open row is not told: a rerun tells it.
      if (fate === undefined) break;
      if (fate === null) counts.skipped += 1;
      else if (typeof fate === 'object') counts.imported += 1;
      else {
        const rejection = { index, reason: fate };
        await tell('onRejected', rejection);
        if (onRejected === undefined && rejected.length < LONGEST_LIST) rejected.push(rejection);
        counts.failed += 1;
      }
      batch.open.delete(row);
      if (Object(fate).from === index) await tell('onBatch', fate);
    }
    await batch.done;
    sender.open.delete(batch);
    if (batch.rows.size === 0) return;
    counts.batches += 1;
    await tell('onProgress', progress());
  };

  const batches = readBatches(source, plan, () => sender.size);
  const supply = { next: () => batches.next(), stop: source.stop };
  const run = async () => {
    for await (const batch of inOrder(supply, sender.send, concurrency, AHEAD * concurrency, signal)) {
      // After a failure, the requests under way end; a rerun tells what became of their rows.
      if (failure === undefined) await fold(batch).catch(fail);
    }
  };
  await withDeadline(signal, Number.POSITIVE_INFINITY, run).catch(fail);
  const unfolded = [...sender.open].flatMap((batch) => [...batch.open]);
  const unsettled = unfolded.filter(({ fate }) => typeof fate !== 'object' || fate === null);
  counts.imported += unfolded.length - unsettled.length;
  const end = resumeFrom + settled();
  const summary = { ...progress(), sent: sender.sent, rejected, resumeFrom: unsettled[0]?.index ?? end };
  if (failure !== undefined) throw new ImportStoppedError(summary, failure.cause, signal);
  return summary;
}
