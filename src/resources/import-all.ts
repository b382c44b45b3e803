import { isApiError } from '../core/errors/api-error.ts';
import { isExamServiceError } from '../core/errors/base.ts';
import { RequestValidationError } from '../core/errors/request-validation-error.ts';
import type { RequestOptions } from '../core/options.ts';
import { describeIssues, type StandardSchema, toIssues } from '../util/standard-schema.ts';
import { type ImportAllOptions, type ImportPlan, planImport } from './import-options.ts';
import {
  type ImportProgress,
  ImportStoppedError,
  type ImportSummary,
  type RejectedRow,
} from './import-stopped-error.ts';
import { RowReader, type RowSource } from './row-reader.ts';

/** Sends the rows of one request. */
type Send<Row> = (rows: readonly Row[], options: RequestOptions) => PromiseLike<unknown>;

interface Entry<Row> {
  readonly index: number;
  readonly row: Row;
}

/** Rows that are read and not done with, up to the next batch; `from` is the first of them. */
interface OpenBatch {
  from: number;
}

/** One bulk import: reads rows when there is room for them, sends them in batches, keeps the account. */
export class BulkImport<Row> {
  readonly #send: Send<Row>;
  readonly #schema: StandardSchema;
  readonly #reader: RowReader<Row>;
  readonly #plan: ImportPlan;
  readonly #startedAt = performance.now();
  readonly #running = new Set<Promise<void>>();
  readonly #open = new Set<OpenBatch>();
  readonly #rejected: RejectedRow[] = [];
  #read = 0;
  #imported = 0;
  #batches = 0;
  #failure: { readonly cause: unknown } | undefined;

  /** @throws {ConfigurationError} for a source or an option that cannot work. */
  constructor(
    send: Send<Row>,
    schema: StandardSchema<Row>,
    source: RowSource<Row>,
    options: ImportAllOptions,
  ) {
    this.#send = send;
    this.#schema = schema;
    this.#plan = planImport(options);
    this.#reader = new RowReader(source);
  }

  /** @throws {ImportStoppedError} when it ends before its source. */
  async run(): Promise<ImportSummary> {
    const { signal } = this.#plan;
    const abort = () => this.#stop(signal?.reason);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
    try {
      await this.#sendAll();
    } catch (cause) {
      this.#stop(cause);
    }
    await Promise.all(this.#running);
    signal?.removeEventListener('abort', abort);
    await this.#reader.closed();
    if (this.#failure !== undefined) throw new ImportStoppedError(this.#summary(), this.#failure.cause);
    return this.#summary();
  }

  async #sendAll(): Promise<void> {
    let batch: Entry<Row>[] = [];
    try {
      for await (const entry of this.#validRows()) {
        if (batch.push(entry) < this.#plan.batchSize) continue;
        await this.#start(batch);
        batch = [];
      }
    } finally {
      // A row or a source at fault does not keep the good rows before it from being sent; after a stop they are
      // only noted, for a rerun.
      if (batch.length > 0) await this.#start(batch);
    }
  }

  async *#validRows(): AsyncGenerator<Entry<Row>, void, undefined> {
    const { resumeFrom, onInvalid } = this.#plan;
    for (let next = await this.#reader.next(); next.length > 0; next = await this.#reader.next()) {
      const index = this.#read;
      if (index >= resumeFrom) {
        const checking = this.#schema['~standard'].validate(next[0]);
        const result = checking instanceof Promise ? await checking : checking;
        if (result.issues === undefined) {
          yield { index, row: result.value as Row };
        } else if (onInvalid === 'skip') {
          this.#rejected.push({ index, reason: describeIssues(toIssues(result.issues)) });
        } else {
          throw new RequestValidationError('participants.importAll', toIssues(result.issues, [index]));
        }
      }
      this.#read = index + 1;
    }
  }

  /** Begins a batch and comes back when there is room for another one. */
  async #start(batch: ReadonlyArray<Entry<Row>>): Promise<void> {
    const work = this.#finish(batch).finally(() => this.#running.delete(work));
    this.#running.add(work);
    if (this.#running.size >= this.#plan.concurrency) await Promise.race(this.#running);
  }

  async #finish(batch: ReadonlyArray<Entry<Row>>): Promise<void> {
    const open = { from: batch[0]?.index ?? 0 };
    this.#open.add(open);
    const parts = [batch];
    for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
      open.from = part[0]?.index ?? open.from;
      if (this.#failure !== undefined) return;
      try {
        await this.#send(
          part.map(({ row }) => row),
          this.#plan,
        );
        this.#imported += part.length;
      } catch (error) {
        if (this.#endsImport(error)) return this.#stop(error);
        if (this.#plan.onBatchError === 'bisect' && part.length > 1 && isRefusal(error)) {
          const half = Math.ceil(part.length / 2);
          parts.push(part.slice(half), part.slice(0, half));
        } else {
          for (const [position, { index }] of part.entries()) {
            this.#rejected.push({ index, reason: findReason(error, position) });
          }
        }
      }
    }
    this.#open.delete(open);
    this.#batches += 1;
    try {
      await this.#plan.onProgress?.(this.#progress());
    } catch (error) {
      this.#stop(error);
    }
  }

  #endsImport(error: unknown): boolean {
    const { onBatchError, signal } = this.#plan;
    return onBatchError === 'stop' || signal?.aborted === true || isHopeless(error);
  }

  /** Takes no further rows; what is under way goes on to its end. */
  #stop(cause: unknown): void {
    this.#failure ??= { cause };
    this.#reader.stop();
  }

  #progress(): ImportProgress {
    const failed = this.#rejected.length;
    const imported = this.#imported;
    const elapsedMs = Math.round(performance.now() - this.#startedAt);
    return { processed: imported + failed, imported, failed, batches: this.#batches, elapsedMs };
  }

  #summary(): ImportSummary {
    const undone = [...this.#open].map(({ from }) => from);
    return {
      ...this.#progress(),
      rejected: [...this.#rejected].sort((a, b) => a.index - b.index),
      resumeFrom: Math.min(...undone, Math.max(this.#read, this.#plan.resumeFrom)),
    };
  }
}

/** Whether the service refuses what was sent, and not the caller or the moment. */
function isRefusal(error: unknown): boolean {
  return isApiError(error) && [400, 413, 422].includes(error.status);
}

/** Whether every further batch would fail like this one: the key or the set-up does not work. */
function isHopeless(error: unknown): boolean {
  if (isApiError(error)) return error.status === 401 || error.status === 403;
  return !isExamServiceError(error) || error.code === 'configuration';
}

/** Why the row at this place of a request was not imported. */
function findReason(error: unknown, position: number): string {
  if (!isApiError(error)) return error instanceof Error ? error.message : String(error);
  const prefix = `participants.${position}.`;
  const reasons = Object.entries(error.fieldErrors)
    .filter(([field]) => field.startsWith(prefix))
    .map(
      ([field, messages]) => `${field.slice(prefix.length)}: ${messages.join(' ').replaceAll(prefix, '')}`,
    );
  return reasons.length > 0 ? reasons.join(' ') : error.message;
}
