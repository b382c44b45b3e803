// Sends batches, in as many requests as it takes to settle their rows. A table says what becomes of those that are not accepted; `Job`
// decides which row a server error is due to, and whether the service is down.

import type { AnyCallError } from '../../core/errors/call-error.ts';
import { RequestError } from '../../core/errors/request-error.ts';
import type { Acknowledgement } from '../../core/operation.ts';
import { backoff } from '../../core/retry.ts';
import { wait } from '../../core/time.ts';
import { evidenceOf, hasFailed, isFailing, resultOf } from '../evidence.ts';
import type { Action, Job, RequestFailure } from '../job.ts';
import { JobError } from '../job-error.ts';
import type { PauseWork } from '../pool.ts';
import { BatchSize } from './batch-size.ts';
import { failedBatches } from './failed-batches.ts';
import { failuresIn, reasonsIn } from './failed-rows.ts';
import type { CheckedOptions, ImportService } from './import-all-options.ts';
import type { Batch, ReadyRow } from './rows.ts';

type Part = readonly ReadyRow[];

/** Sends the batches of one import. */
export class BatchSender {
  /** The batches that are not counted, in the order of the source. */
  readonly pending = new Set<Batch>();
  readonly size: BatchSize;
  /** Requests so far, each attempt counted. */
  requests = 0;
  readonly #service: ImportService;
  readonly #settings: CheckedOptions;
  readonly #job: Job;

  constructor(service: ImportService, settings: CheckedOptions, job: Job) {
    this.#service = service;
    this.#settings = settings;
    this.#job = job;
    this.size = new BatchSize(settings.batchSize, (message) => service.write('info', message));
  }

  /** Sends a batch, and notes in it what became of its rows. Never rejects; a failure stops all. */
  async send(batch: Batch, pause: PauseWork): Promise<Batch> {
    this.pending.add(batch);
    await this.#deliver(batch, pause).catch((cause) => this.#job.stopping.abort(cause));
    return batch;
  }

  async #deliver(batch: Batch, pause: PauseWork): Promise<void> {
    const { parts, later } = batch;
    for (;;) {
      const next = parts.shift();
      const part = next ?? later.shift();
      if (part === undefined) return;
      const [first] = part;
      if (first === undefined) continue;
      if (next === undefined) await pause(first.index);
      if (part.length > this.size.current) parts.unshift(...split(part, this.size.current));
      else await this.#settle(part, batch);
    }
  }

  /**
   * Sends rows. Where they are not accepted, it rejects them, or adds them to what the batch has left to send.
   *
   * @throws why the import must stop
   */
  async #settle(part: Part, batch: Batch): Promise<void> {
    const failure = await this.#attempt(part, batch);
    if (!failure) return;
    const { error } = failure;
    if (this.#actionFor(error, part) === 'halve') {
      if (evidenceOf(error) === 'too slow') await wait(backoff(this.size.failures), this.#settings.signal);
      batch.parts.unshift(...split(part, part.length / 2));
    } else {
      rejectRows(part, error, reasonsIn(error, part.length));
    }
  }

  #actionFor(error: AnyCallError, { length }: Part): Action {
    const [severalRows, oneRow] = failedBatches[evidenceOf(error)][this.#settings.failedBatches];
    const action = length === 1 ? oneRow : severalRows;
    return action === 'stop' && (isFailing(error) || this.#job.isDown(error)) ? 'wait' : action;
  }

  /** Why the import stops at rows, and how to go past them. */
  #stopFor(error: AnyCallError, part: Part): JobError {
    const [only] = part.length === 1 && evidenceOf(error) !== 'every request' ? part : [];
    const what = only === undefined ? 'these rows fail again,' : 'this row fails again, leave it out, or';
    const advice = isFailing(error) ? `If only ${what} pass \`failedBatches: 'bisect'\`.` : '';
    return this.#job.stopAt(error, only?.index, advice);
  }

  /**
   * Sends rows. With `bisect`, sends them again without those that the service names: these are at fault if it accepts the others.
   *
   * @param before the places that it named before; where the same ones come again, they mean something else
   * @returns the failure of all rows that are left; `undefined` where they are sent later
   */
  async #attempt(part: Part, batch: Batch, before = ''): Promise<RequestFailure | null | undefined> {
    const [first] = part;
    if (first === undefined) return null;
    const failure = await this.#job.send(first.index, () => this.#post(part));
    if (failure === undefined) batch.later.push(part);
    if (!failure || this.#settings.failedBatches !== 'bisect') return failure;
    const { error } = failure;
    const reasons = reasonsIn(error, part.length);
    const places = Object.keys(reasons).join();
    if (places === '' || places === before) return failure;
    const isNamed = (_: ReadyRow, place: number) => reasons[place] !== undefined;
    const rest = part.filter((row, place) => !isNamed(row, place));
    const left = await this.#attempt(rest, batch, places);
    if (left === null) rejectRows(part.filter(isNamed), error, Object.values(reasons));
    if (left === undefined) batch.parts.unshift(part.filter(isNamed));
    return left;
  }

  /** Makes one request; gives `null` where its rows were accepted. */
  async #post(part: Part): Promise<RequestFailure | null> {
    const { signal, dryRun } = this.#settings;
    if (dryRun) return this.#accept(part);
    const { generation } = this.size;
    const before = part.map(({ outcome }) => outcome);
    for (const row of part) row.outcome = 'unknown';
    const rows = part.map(({ row }) => row);
    const sending = this.#service.send(rows, this.#job.callOptions);
    const { error, value } = await resultOf(sending.withResponse(), signal);
    this.requests += value?.meta.attempts ?? (error instanceof RequestError ? error.attempts : 0);
    if (!hasFailed(error)) return this.#accept(part, value?.data, value?.meta.status ?? Object(error).status);
    for (const [place, row] of part.entries()) {
      const earlier = before[place];
      if (earlier !== 'unknown') row.outcome = error.outcome === 'not_sent' ? earlier : error.outcome;
    }
    if (['too large', 'too slow'].includes(evidenceOf(error))) this.size.shrink(part.length, generation);
    return { error, action: this.#actionFor(error, part), stop: this.#stopFor(error, part) };
  }

  /** @throws {JobError} where the response says that rows have failed, and no `onBatch` judges it */
  #accept(part: Part, data?: Acknowledgement, status?: number): null {
    // A response that cannot be read says as much as none.
    const acknowledgement = data ?? { message: null, data: null, body: null };
    const batch = { from: part[0]?.index ?? 0, to: (part.at(-1)?.index ?? 0) + 1, acknowledgement };
    const says = failuresIn(acknowledgement.body, status);
    if (says !== null && this.#settings.onBatch === undefined) {
      const message = `the response to rows ${batch.from} to ${batch.to - 1} ${says}: read it in \`onBatch\`.`;
      throw new JobError(message, { outcome: 'unknown' });
    }
    this.size.accepted();
    for (const row of part) row.result = batch;
    return null;
  }
}

function rejectRows(part: Part, error: AnyCallError, reasons: Readonly<Record<number, string>>): void {
  for (const [place, row] of part.entries()) {
    const { outcome = 'rejected' } = row;
    const doubt = outcome === 'unknown' ? ' It may have been imported.' : '';
    row.result = { message: `${reasons[place] ?? error.message}${doubt}`, outcome, duplicateOf: null };
  }
}

/** The first rows, and the others. */
function split(part: Part, size: number): Part[] {
  const middle = Math.max(1, Math.floor(size));
  return [part.slice(0, middle), part.slice(middle)];
}
