// What became of the rows of one import, reported in the order of the source.

import type { ImportProgress, ImportSummary, RejectedRow, Rejection } from '../import-summary.ts';
import type { Job } from '../job.ts';
import { LONGEST_LIST } from '../pool.ts';
import type { BatchSender } from './batch-sender.ts';
import type { CheckedOptions } from './import-all-options.ts';
import type { Batch, ReadRow } from './rows.ts';

/** The results of one import. */
export class ImportResults {
  readonly #job: Job;
  readonly #settings: CheckedOptions;
  readonly #sender: BatchSender;
  readonly #total: number | null;
  readonly #startedAt = performance.now();
  readonly #counts = { imported: 0, rejected: 0, skipped: 0, batches: 0 };
  /** Skipped rows whose email the service has. */
  #known = 0;
  /** Rows that were sent, each counted once. */
  #sent = 0;
  readonly #rejections: Rejection[] = [];

  constructor(job: Job, settings: CheckedOptions, sender: BatchSender, total: number | null) {
    this.#job = job;
    this.#settings = settings;
    this.#sender = sender;
    this.#total = total;
  }

  /** Counts what became of the rows of a batch, and calls the caller's functions. */
  async report(batch: Batch): Promise<void> {
    const job = this.#job;
    const counts = this.#counts;
    const { dryRun, onBatch, onRejected, onProgress } = this.#settings;
    for (const row of batch.pending) {
      const { index, given, result, isKnown, outcome } = row;
      // Rows after a pending row are not reported: a rerun reports them.
      if (result === undefined) throw job.stopping.signal.reason;
      if (result === null) {
        counts.skipped += 1;
        if (isKnown) this.#known += 1;
      } else if ('acknowledgement' in result) {
        if (result.from === index && !dryRun) await job.call('onBatch', () => onBatch?.(result));
        counts.imported += 1;
      } else {
        const rejection = { index, ...result };
        const withRow = Object.defineProperty({ ...rejection }, 'row', { value: given }) as RejectedRow;
        await job.call('onRejected', () => onRejected?.(withRow), given);
        if (this.#rejections.length < LONGEST_LIST) this.#rejections.push(rejection);
        counts.rejected += 1;
      }
      if (outcome !== undefined) this.#sent += 1;
      batch.pending.delete(row);
    }
    this.#sender.pending.delete(batch);
    if (batch.rows.length === 0) return;
    counts.batches += 1;
    await job.call('onProgress', () => onProgress?.(this.#progress()));
  }

  /** @param left rows that were not reported: a rerun reports them, even those that the service accepted */
  summary(left: readonly ReadRow[]): ImportSummary {
    const { existing, resumeFrom } = this.#settings;
    const next = left[0]?.index ?? resumeFrom + settledOf(this.#counts);
    this.#counts.imported += left.filter(({ result }) => result && 'acknowledgement' in result).length;
    const sent = this.#sent + left.filter(({ outcome }) => outcome !== undefined).length;
    const { requests } = this.#sender;
    const known = existing === 'skip' ? this.#known : null;
    return { ...this.#progress(), known, sent, requests, rejections: this.#rejections, resumeFrom: next };
  }

  #progress(): ImportProgress {
    const { resumeFrom } = this.#settings;
    return {
      processed: Math.min(resumeFrom, this.#total ?? resumeFrom) + settledOf(this.#counts),
      ...this.#counts,
      total: this.#total,
      elapsedMs: Math.round(performance.now() - this.#startedAt),
    };
  }
}

const settledOf = ({ imported, rejected, skipped }: Record<'imported' | 'rejected' | 'skipped', number>) =>
  imported + rejected + skipped;
