// The bulk import behind `participants.importAll`.

import { unlessAborted } from '../../core/attempt/deadline.ts';
import { RowReader, type RowSource } from '../row-reader.ts';
import { ImportAccount } from './account.ts';
import { bisect } from './bisect.ts';
import { Delivery, type ImportContext, type SendRows } from './delivery.ts';
import { tell, throwIfAborted } from './fault.ts';
import { ImportStoppedError } from './import-stopped-error.ts';
import type { ImportAllOptions } from './options.ts';
import { type ImportPlan, planImport } from './plan.ts';
import { readRows } from './read-rows.ts';
import { findNamedRows, isRefusal } from './refusal.ts';
import type { NumberedRow } from './row.ts';
import type { ImportSummary } from './summary.ts';

type Batch = readonly NumberedRow[];

/** One bulk import: reads rows as there is room for them and sends them in batches, until the end or an error. */
export class BulkImport<Row> {
  readonly #plan: ImportPlan<Row>;
  readonly #reader: RowReader<Row>;
  readonly #account: ImportAccount;
  readonly #context: ImportContext;
  readonly #running = new Set<Promise<void>>();
  #failure: { readonly cause: unknown } | undefined;

  /** @throws {ConfigurationError} when the source or an option is invalid */
  constructor(send: SendRows, source: RowSource<Row>, options: ImportAllOptions<Row>) {
    this.#plan = planImport(options);
    this.#reader = new RowReader(source);
    this.#account = new ImportAccount(this.#reader.total, this.#plan.resumeFrom);
    this.#context = {
      send,
      plan: this.#plan,
      account: this.#account,
      throwIfStopped: () => {
        if (this.#failure !== undefined) throw this.#failure.cause;
        throwIfAborted(this.#plan.signal);
      },
    };
  }

  /** @throws {ImportStoppedError} when it ends before its source */
  async run(): Promise<ImportSummary> {
    try {
      await unlessAborted(this.#plan.signal, () => this.#importAll());
    } catch (reason) {
      this.#stop(reason);
    }
    const { summary } = this.#account;
    if (this.#failure !== undefined) throw new ImportStoppedError(summary, this.#failure.cause);
    return summary;
  }

  async #importAll(): Promise<void> {
    const failure = await this.#sendAll().then(
      () => undefined,
      (cause: unknown) => ({ cause }),
    );
    await Promise.all(this.#running);
    if (failure !== undefined) this.#stop(failure.cause);
    await this.#reader.closed();
  }

  async #sendAll(): Promise<void> {
    let batch: NumberedRow[] = [];
    try {
      for await (const row of readRows(this.#reader, this.#plan, this.#context)) {
        if (batch.push(row) < this.#plan.batchSize) continue;
        await this.#start(batch);
        batch = [];
      }
    } finally {
      // Good rows before a faulty row or source are still sent.
      if (batch.length > 0) await this.#start(batch);
    }
  }

  /** Starts a batch and returns when there is room for the next one. */
  async #start(batch: Batch): Promise<void> {
    if (this.#failure !== undefined) return;
    const work = this.#finish(batch).finally(() => this.#running.delete(work));
    this.#running.add(work);
    if (this.#running.size >= this.#plan.concurrency) await Promise.race(this.#running);
  }

  async #finish(batch: Batch): Promise<void> {
    const { onProgress, signal } = this.#plan;
    try {
      await this.#deliver(batch);
      this.#account.countBatch();
      await tell('onProgress', onProgress, this.#account.progress, signal);
    } catch (cause) {
      this.#stop(cause);
    }
  }

  async #deliver(batch: Batch): Promise<void> {
    const { onBatchError } = this.#plan;
    const delivery = new Delivery(this.#context, batch);
    if (onBatchError === 'bisect') return bisect(delivery, batch);
    const error = await delivery.import(batch);
    if (error === null) return;
    if (onBatchError === 'stop' || !isRefusal(error)) throw error;
    const named = findNamedRows(error, batch.length);
    for (const [position, row] of batch.entries()) {
      await delivery.reject(row, named?.get(position) ?? error.message);
    }
  }

  /** Reads no further rows and starts no further requests; those in flight finish, unless aborted. */
  #stop(cause: unknown): void {
    this.#failure ??= { cause };
    this.#reader.stop();
  }
}
