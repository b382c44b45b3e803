// Sends batches, in as many requests as it takes to settle their rows. The table in docs/import.md says what each response means;
// `Job` decides which row a server error is due to.

import type { ExamServiceError } from '../../core/errors/base.ts';
import { RequestError } from '../../core/errors/request-error.ts';
import type { Acknowledgement } from '../../core/operation.ts';
import type { JobOptions } from '../../core/options/client-options.ts';
import { backoff } from '../../core/retry.ts';
import { wait } from '../../core/time.ts';
import { evidenceOf, hasFailed, resultOf } from '../evidence.ts';
import type { Job } from '../job.ts';
import { JobError } from '../job-error.ts';
import type { Lend } from '../pool.ts';
import { BatchSize } from './batch-size.ts';
import type { CheckedOptions, ImportService } from './import-all-options.ts';
import { failuresIn, reasonsIn } from './response.ts';
import type { Batch, ReadyRow, Rows } from './rows.ts';

type Part = readonly ReadyRow[];

/** Sends the batches of one import. */
export class BatchSender {
  /** The batches that are not counted, in the order of the source. */
  readonly pending = new Set<Batch>();
  readonly size: BatchSize;
  /** Rows sent so far, each counted once. */
  sent = 0;
  /** Requests so far, each attempt counted. */
  requests = 0;
  readonly #service: ImportService;
  readonly #settings: CheckedOptions;
  readonly #callOptions: JobOptions;
  readonly #rows: Rows;
  readonly #job: Job;

  constructor(
    service: ImportService,
    settings: CheckedOptions,
    callOptions: JobOptions,
    rows: Rows,
    job: Job,
  ) {
    this.#service = service;
    this.#settings = settings;
    this.#callOptions = callOptions;
    this.#rows = rows;
    this.#job = job;
    this.size = new BatchSize(settings.batchSize, (message) => service.info(message));
  }

  /** Sends a batch, and notes in it what became of its rows. Never rejects; a failure stops all. */
  async send(batch: Batch, lend: Lend): Promise<Batch> {
    this.pending.add(batch);
    await this.#deliver(batch, lend).catch((cause) => this.#job.stopping.abort(cause));
    return batch;
  }

  async #deliver(batch: Batch, lend: Lend): Promise<void> {
    /** What is left to send, in order. */
    const parts: Part[] = [batch.rows.filter(({ after }) => after === undefined)];
    /** Single rows on which the service failed with a server error. */
    const aside: ReadyRow[] = [];
    const later = new Set(batch.rows.filter(({ after }) => after !== undefined));
    for (;;) {
      const part = parts.shift();
      if (part !== undefined) {
        if (part.length > this.size.rows) parts.unshift(...split(part, this.size.rows));
        else if (part.length > 0) await this.#settle(part, parts, aside);
        continue;
      }
      // Rows that wait for no other come first: one that is accepted settles those that were set aside.
      const row =
        [...later].find(({ after }) => after?.result !== undefined) ?? aside.shift() ?? [...later][0];
      if (row === undefined) return;
      if (later.delete(row)) {
        await lend((resume) => onSettled(row.after, resume));
        if (this.#rows.claim(row)) parts.push([row]);
      } else {
        await lend((resume) => this.#job.otherAccepted(row.index, resume));
        await this.#settle([row], parts, aside);
        this.#job.settled(row.index);
      }
    }
  }

  /**
   * Sends rows. Where they are not accepted, it rejects them, or adds them to the parts that are left or to the rows set aside.
   *
   * @throws why the import must stop
   */
  async #settle(part: Part, parts: Part[], aside: ReadyRow[]): Promise<void> {
    const error = await this.#attempt(part);
    if (error === null) return;
    const { failedBatches, signal } = this.#settings;
    const evidence = evidenceOf(error);
    const only = part.length === 1 ? part[0] : undefined;
    const isTooMuch = only === undefined && (evidence === 'too large' || evidence === 'too slow');
    const isDoubtful = failedBatches === 'bisect' && (evidence === 'no' || evidence === 'server error');
    if (isTooMuch && evidence === 'too slow') await wait(backoff(this.size.failures), signal);
    if (isTooMuch || (isDoubtful && only === undefined)) parts.unshift(...split(part, part.length / 2));
    else if (
      isDoubtful &&
      evidence === 'server error' &&
      only !== undefined &&
      !this.#job.isAside(only.index)
    ) {
      aside.push(only);
      this.#job.setAside(only.index, error);
    } else if (isDoubtful || (failedBatches !== 'stop' && (evidence === 'no' || evidence === 'too large'))) {
      this.#reject(part, error, reasonsIn(error, part.length));
    } else throw error;
  }

  #reject(part: Part, error: ExamServiceError, reasons: Readonly<Record<number, string>>): void {
    for (const [place, row] of part.entries()) {
      const outcome = row.mayBeStored || error.outcome === 'done' ? 'unknown' : error.outcome;
      const doubt = outcome === 'unknown' ? ' It may have been imported.' : '';
      this.#rows.reject(row, `${reasons[place] ?? error.message}${doubt}`, outcome);
    }
  }

  /**
   * Sends rows. With `bisect`, sends them again without those that the service names: these are at fault if it accepts the others.
   * Returns the error about what is left.
   *
   * @param before the places that it named before; where the same ones come again, they mean something else
   */
  async #attempt(part: Part, before = ''): Promise<ExamServiceError | null> {
    const [first] = part;
    const error =
      first === undefined ? null : await this.#job.send(first.index, () => this.#post(part), isServerError);
    if (error === null || this.#settings.failedBatches !== 'bisect') return error;
    const reasons = reasonsIn(error, part.length);
    const places = Object.keys(reasons).join();
    if (places === '' || places === before) return error;
    const isNamed = (_: ReadyRow, place: number) => reasons[place] !== undefined;
    const left = await this.#attempt(
      part.filter((row, place) => !isNamed(row, place)),
      places,
    );
    if (left === null) this.#reject(part.filter(isNamed), error, Object.values(reasons));
    return left;
  }

  /** Makes one request, and gives its error, or `null` when its rows were accepted. */
  async #post(part: Part): Promise<ExamServiceError | null> {
    const { signal, dryRun } = this.#settings;
    if (signal?.aborted) throw signal.reason;
    this.#job.stopping.signal.throwIfAborted();
    if (dryRun) return this.#accept(part);
    const { generation } = this.size;
    const fresh = part.filter(({ mayBeStored }) => !mayBeStored);
    const added = part.filter(({ wasSent }) => !wasSent);
    for (const row of part) row.wasSent = row.mayBeStored = true;
    this.sent += added.length;
    const sending = this.#service.send(
      part.map(({ row }) => row),
      this.#callOptions,
    );
    const { error, value } = await resultOf(sending.withResponse(), signal);
    this.requests += value?.meta.attempts ?? (error instanceof RequestError ? error.attempts : 0);
    if (!hasFailed(error)) return this.#accept(part, value?.data);
    if (error.outcome !== 'unknown') for (const row of fresh) row.mayBeStored = false;
    if (error.outcome === 'not_sent') {
      this.sent -= added.length;
      throw error;
    }
    const evidence = evidenceOf(error);
    if (evidence !== 'server error') this.#job.responded();
    if (evidence === 'too large' || evidence === 'too slow') this.size.shrink(part.length, generation);
    return error;
  }

  /** @throws {JobError} where the response names failed rows, and no `onBatch` judges it */
  #accept(part: Part, data?: Acknowledgement): null {
    // A response that cannot be read says as much as none.
    const acknowledgement = data ?? { message: null, data: null, body: null };
    const batch = { from: part[0]?.index ?? 0, to: (part.at(-1)?.index ?? 0) + 1, acknowledgement };
    const named = this.#settings.onBatch === undefined ? failuresIn(acknowledgement.body) : [];
    if (named.length > 0) {
      const keys = named.join(', ');
      const message = `the response to rows ${batch.from} to ${batch.to - 1} names failed rows under ${keys}: read it in \`onBatch\`.`;
      throw new JobError(message);
    }
    this.size.accepted();
    this.#job.accepted();
    for (const row of part) this.#rows.settle(row, batch);
    return null;
  }
}

const isServerError = (error: ExamServiceError | null) =>
  error !== null && evidenceOf(error) === 'server error';

/** The first rows, and the others. */
function split(part: Part, size: number): Part[] {
  const middle = Math.max(1, Math.floor(size));
  return [part.slice(0, middle), part.slice(middle)];
}

/** Calls `resume` when a row is settled. */
function onSettled(row: ReadyRow | undefined, resume: () => void): void {
  if (row === undefined || row.result !== undefined) resume();
  else row.onSettled = resume;
}
