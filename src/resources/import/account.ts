import type { NumberedRow } from './row.ts';
import type { ImportProgress, ImportSummary, RejectedRow } from './summary.ts';

/** Tracks what became of every row that an import has read. */
export class ImportAccount {
  readonly #startedAt = performance.now();
  readonly #total: number | null;
  readonly #resumeFrom: number;
  /** Rows that were read but are not settled. They are added in ascending order, so the first one is the lowest. */
  readonly #open = new Set<number>();
  readonly #rejected: RejectedRow[] = [];
  #read = 0;
  #sent = 0;
  #imported = 0;
  #failed = 0;
  #skipped = 0;
  #batches = 0;

  constructor(total: number | null, resumeFrom: number) {
    this.#total = total;
    this.#resumeFrom = resumeFrom;
  }

  /** Registers the next row and returns its index; `null` for a row to skip. */
  open(): number | null {
    const index = this.#read;
    this.#read += 1;
    if (index < this.#resumeFrom) return null;
    this.#open.add(index);
    return index;
  }

  countSent(rows: number): void {
    this.#sent += rows;
  }

  countImported(rows: readonly NumberedRow[]): void {
    this.#imported += rows.length;
    for (const { index } of rows) this.#open.delete(index);
  }

  countFailed(index: number): void {
    this.#failed += 1;
    this.#open.delete(index);
  }

  countSkipped(index: number): void {
    this.#skipped += 1;
    this.#open.delete(index);
  }

  countBatch(): void {
    this.#batches += 1;
  }

  /** Keeps a rejection for the summary. */
  keep(rejection: RejectedRow): void {
    this.#rejected.push(rejection);
  }

  get progress(): ImportProgress {
    const passedOver = Math.min(this.#resumeFrom, this.#total ?? Number.POSITIVE_INFINITY);
    return {
      processed: passedOver + this.#imported + this.#failed + this.#skipped,
      imported: this.#imported,
      failed: this.#failed,
      skipped: this.#skipped,
      batches: this.#batches,
      total: this.#total,
      elapsedMs: Math.round(performance.now() - this.#startedAt),
    };
  }

  get summary(): ImportSummary {
    const [firstOpen = Math.max(this.#read, this.#resumeFrom)] = this.#open;
    return {
      ...this.progress,
      sent: this.#sent,
      rejected: [...this.#rejected].sort((a, b) => a.index - b.index),
      resumeFrom: firstOpen,
    };
  }
}
