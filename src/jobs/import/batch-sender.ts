// Sends batches, in as many requests as it takes to settle their rows. What a response means stands in the table of docs/import.md;
// which row a server error is blamed on, in the blame rule.

import { hasStatus } from '../../core/errors/api-error.ts';
import type { ExamServiceError } from '../../core/errors/base.ts';
import { RequestError } from '../../core/errors/request-error.ts';
import type { Acknowledgement } from '../../core/operation.ts';
import type { JobOptions } from '../../core/options/client-options.ts';
import { backoff, wait } from '../../core/time.ts';
import { isObject, toList } from '../../util/json.ts';
import { evidenceOf, hasFailed, resultOf } from '../evidence.ts';
import type { Job } from '../job.ts';
import { JobError } from '../job-error.ts';
import type { Lend } from '../pool.ts';
import { BatchSize } from './batch-size.ts';
import type { CheckedOptions, ImportService } from './options.ts';
import type { Batch, ReadyRow, Rows } from './rows.ts';

type Part = readonly ReadyRow[];

/** Makes what sends the batches of an import. */
export function createBatchSender(
  service: ImportService,
  settings: CheckedOptions,
  callOptions: JobOptions,
  rows: Rows,
  job: Job,
) {
  const { failedBatches, signal } = settings;
  const { stopping } = job;
  const isBisecting = failedBatches === 'bisect';
  const size = new BatchSize(settings.batchSize, (message) => service.info(message));
  const sender = {
    /** The batches that are not counted, in the order of the source. */
    pending: new Set<Batch>(),
    size,
    /** Rows sent so far, each counted once. */
    sent: 0,
    /** Requests so far, each attempt counted. */
    requests: 0,
    /** Sends a batch, and notes in it what became of its rows. Never rejects; a failure stops all. */
    async send(batch: Batch, lend: Lend): Promise<Batch> {
      sender.pending.add(batch);
      await deliver(batch, lend).catch((cause) => stopping.abort(cause));
      return batch;
    },
  };

  const deliver = async (batch: Batch, lend: Lend): Promise<void> => {
    /** What is left to send, in order. */
    const parts: Part[] = [batch.rows.filter(({ after }) => after === undefined)];
    /** Single rows on which the service failed with a server error. */
    const aside: ReadyRow[] = [];
    const later = new Set(batch.rows.filter(({ after }) => after !== undefined));
    for (;;) {
      const part = parts.shift();
      if (part !== undefined) {
        if (part.length > size.rows) parts.unshift(...split(part, size.rows));
        else if (part.length > 0) await settle(part, parts, aside);
        continue;
      }
      // Who needs nobody else comes first: it may be accepted, and so settle those that were set aside.
      const row =
        [...later].find(({ after }) => after?.result !== undefined) ?? aside.shift() ?? [...later][0];
      if (row === undefined) return;
      if (later.delete(row)) {
        await lend((resume) => onSettled(row.after, resume));
        if (rows.claim(row)) parts.push([row]);
      } else {
        await lend((resume) => job.otherAccepted(row.index, resume));
        await settle([row], parts, aside);
        job.settled(row.index);
      }
    }
  };

  /**
   * Sends rows. Where they are not accepted, it rejects them, or adds them to the parts that are left or to the rows set aside.
   *
   * @throws why the import must stop
   */
  const settle = async (part: Part, parts: Part[], aside: ReadyRow[]): Promise<void> => {
    const error = await attempt(part);
    if (error === null) return;
    const evidence = evidenceOf(error);
    const only = part.length === 1 ? part[0] : undefined;
    const isTooMuch = only === undefined && (evidence === 'too large' || evidence === 'too slow');
    const isDoubtful = isBisecting && (evidence === 'no' || evidence === 'server error');
    if (isTooMuch && evidence === 'too slow') await wait(backoff(size.failures), signal);
    if (isTooMuch || (isDoubtful && only === undefined)) parts.unshift(...split(part, part.length / 2));
    else if (isDoubtful && evidence === 'server error' && only !== undefined && !job.isAside(only.index)) {
      aside.push(only);
      job.setAside(only.index, error);
    } else if (isDoubtful || (failedBatches !== 'stop' && (evidence === 'no' || evidence === 'too large'))) {
      reject(part, error, reasonsIn(part, error));
    } else throw error;
  };

  const reject = (part: Part, error: ExamServiceError, reasons: Readonly<Record<number, string>>) => {
    for (const [place, row] of part.entries()) {
      const outcome = row.isInDoubt || error.outcome === 'done' ? 'unknown' : error.outcome;
      const doubt = outcome === 'unknown' ? ' It may be imported all the same.' : '';
      rows.reject(row, `${reasons[place] ?? error.message}${doubt}`, outcome);
    }
  };

  /**
   * Sends rows, and with `bisect` again without those that the service names, which are at fault if it accepts the others. Gives
   * the error about what is left.
   *
   * @param before the places that it named before; where the same ones come again, they mean something else
   */
  const attempt = async (part: Part, before = ''): Promise<ExamServiceError | null> => {
    const [first] = part;
    const error = first === undefined ? null : await job.send(first.index, () => post(part), isServerError);
    if (error === null || !isBisecting) return error;
    const reasons = reasonsIn(part, error);
    const places = Object.keys(reasons).join();
    if (places === '' || places === before) return error;
    const isNamed = (_: ReadyRow, place: number) => reasons[place] !== undefined;
    const left = await attempt(
      part.filter((row, place) => !isNamed(row, place)),
      places,
    );
    if (left === null) reject(part.filter(isNamed), error, Object.values(reasons));
    return left;
  };

  /** Makes one request, and gives its error, or `null` when its rows were accepted. */
  const post = async (part: Part): Promise<ExamServiceError | null> => {
    if (signal?.aborted) throw signal.reason;
    stopping.signal.throwIfAborted();
    if (settings.dryRun) return accept(part);
    const { generation } = size;
    const fresh = part.filter(({ isInDoubt }) => !isInDoubt);
    const added = part.filter(({ wasSent }) => !wasSent);
    for (const row of part) row.wasSent = row.isInDoubt = true;
    sender.sent += added.length;
    const sending = service.send(
      part.map(({ row }) => row),
      callOptions,
    );
    const { error, value } = await resultOf(sending.withResponse(), signal);
    sender.requests += value?.meta.attempts ?? (error instanceof RequestError ? error.attempts : 0);
    if (!hasFailed(error)) return accept(part, value?.data);
    if (error.outcome !== 'unknown') for (const row of fresh) row.isInDoubt = false;
    if (error.outcome === 'not_sent') {
      sender.sent -= added.length;
      throw error;
    }
    const evidence = evidenceOf(error);
    if (evidence !== 'server error') job.responded();
    if (evidence === 'too large' || evidence === 'too slow') size.shrink(part.length, generation);
    return error;
  };

  /** @throws {JobError} where the response names failed rows, and nobody else judges it */
  const accept = (part: Part, data?: Acknowledgement): null => {
    // A response that cannot be read says as much as none.
    const acknowledgement = data ?? { message: null, data: null, body: null };
    const batch = { from: part[0]?.index ?? 0, to: (part.at(-1)?.index ?? 0) + 1, acknowledgement };
    const named = settings.onBatch === undefined ? failuresIn(acknowledgement.body) : [];
    if (named.length > 0) {
      const keys = named.join(', ');
      const message = `the response to rows ${batch.from} to ${batch.to - 1} names failed rows under ${keys}: read it in \`onBatch\`.`;
      throw new JobError(message);
    }
    size.accepted();
    job.accepted();
    for (const row of part) rows.settle(row, batch);
    return null;
  };

  return sender;
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

const failureKeys = ['error', 'errors', 'failed', 'failures', 'rejected', 'skipped', 'invalid'];

/** Where a success names failed rows: a list that is not empty, or a number above 0. */
function failuresIn(body: unknown): string[] {
  const find = (holder: unknown, path: string) => {
    const given = isObject(holder) ? holder : {};
    const names = failureKeys.filter((key) =>
      typeof given[key] === 'number' ? given[key] > 0 : toList(given[key])?.length,
    );
    return names.map((key) => `\`${path}${key}\``);
  };
  return [...find(body, ''), ...find(Object(body).data, 'data.')];
}

/** `participants.3.email`, or `participants.3` for a row as a whole. */
const rowField = /^participants\.(\d+)(?:\.(.+))?$/;

/** What a rejection says of rows, by their places. Nothing where it names one that was not sent: its numbers then mean something else. */
function reasonsIn(part: Part, error: ExamServiceError): Readonly<Record<number, string>> {
  const reasons: Record<number, string> = {};
  if (!hasStatus(error, 422)) return reasons;
  for (const [field, messages] of Object.entries(error.fieldErrors)) {
    const [, digits, column] = rowField.exec(field) ?? [];
    if (digits === undefined) continue;
    const place = Number(digits);
    if (place >= part.length) return {};
    const text = messages.join(' ').replaceAll(`participants.${digits}.`, '');
    const reason = column === undefined ? text : `${column}: ${text}`;
    reasons[place] = place in reasons ? `${reasons[place]} ${reason}` : reason;
  }
  return reasons;
}
