// Sends batches, and judges by evidence what an error means.
//
// A refusal (400, 409, 422, a success that says no) is about the rows: `onBatchError` decides. A request that is too large (413)
// or not answered in time is about their number: the import sends half as many from then on. When the service fails (500, a lost
// connection, a page of a proxy), the rows may have crashed it, or it is down. The witness tells: a row that it accepted before.
// It is sent again after each crash. Accepted: the service is up and these rows are at fault, so they are halved; a single row is
// left out when the service fails on it twice and accepts the witness after each. Failed: an outage, and the import stops.
// Before there is a witness, the rows of the batch are tried one by one until the service accepts one.
// The same goes for an answer that does not come in time, so that an outage does not lead to batches of one row.
// Requests with the same email keep the order of the source: a batch waits for earlier ones that hold an email of its own.

import { isApiError } from '../../core/errors/api-error.ts';
import { type ExamServiceError, isExamServiceError } from '../../core/errors/base.ts';
import type { Acknowledgement } from '../../core/operation.ts';
import { isCrash, isRefusal, isTooLarge, isTooSlow, isUnsent } from '../evidence.ts';
import type { ImportPlan, ParticipantImport } from './options.ts';
import { type Batch, emailOf, type NumberedRow } from './rows.ts';

type Rows = readonly NumberedRow[];

/** Sends the rows of one request. */
export type SendRows = (rows: readonly ParticipantImport[]) => PromiseLike<Acknowledgement>;

/** So many rows are kept that one with the email of the rows in doubt is not the only witness. */
const MOST_WITNESSES = 4;

/** Ends the work on a batch because the import has stopped elsewhere. */
const stopped = Symbol('stopped');

/** Sends the batches of one import. */
export interface Sender {
  /** Rows in one request, at most. */
  readonly size: number;
  /** Rows sent so far, each counted once. */
  readonly sent: number;
  /** Sends a batch in as many requests as it takes, and notes in it what became of its rows. Never rejects. */
  deliver(batch: Batch): Promise<Batch>;
  /** Sends nothing more. */
  stop(): void;
}

/** @param onFailure called as soon as a batch has failed */
export function createSender(
  send: SendRows,
  { batchSize, onBatchError, signal }: ImportPlan,
  onFailure: () => void,
): Sender {
  const isBisecting = onBatchError === 'bisect';
  let size = batchSize;
  let sentRows = 0;
  let isStopped = false;
  /** Rows that the service accepted last, each with an email of its own. */
  let witnesses: Rows = [];
  const underWay = new Set<Batch>();
  const probes = new Set<Promise<unknown>>();

  const throwIfStopped = () => {
    if (signal?.aborted) throw signal.reason;
    if (isStopped) throw stopped;
  };

  const settle = async (batch: Batch, earlier: Promise<unknown>): Promise<Batch> => {
    try {
      await earlier;
      await sendAll(batch, batch.rows);
    } catch (cause) {
      if (cause !== stopped) {
        batch.failure = { cause };
        onFailure();
      }
    }
    underWay.delete(batch);
    return batch;
  };

  /** Settles rows in requests of the present size, or throws why it cannot. */
  const sendAll = async (batch: Batch, rows: Rows): Promise<void> => {
    for (let sent = 0; sent < rows.length; ) {
      const part = rows.slice(sent, sent + size);
      sent += part.length;
      const error = await attempt(batch, part);
      if (error !== null) await judge(batch, part, error);
    }
  };

  /** Settles rows that were not accepted, or throws why it cannot. */
  const judge = async (batch: Batch, rows: Rows, error: ExamServiceError): Promise<void> => {
    const isSlow = isTooSlow(error);
    if (isTooLarge(error) || isSlow) {
      if (isSlow && (await isAlive(batch)) === false) throw error;
      size = Math.min(size, Math.max(1, Math.floor(rows.length / 2)));
      if (rows.length > 1) return sendAll(batch, rows);
      if (!isSlow) return refuse(batch, rows, error);
    } else if (isAboutRows(error)) return refuse(batch, rows, error);
    if (!isBisecting || !(isSlow || isCrash(error))) throw error;
    await takeCrashApart(batch, rows, error);
  };

  /** Deals with rows that the service refused. */
  const refuse = async (batch: Batch, rows: Rows, error: ExamServiceError): Promise<void> => {
    if (onBatchError === 'stop' || (isBisecting && isLimit(error))) throw error;
    if (isBisecting) return leaveOutNamed(batch, rows, error);
    const named = findNamedRows(error, rows.length);
    for (const [position, row] of rows.entries()) reject(batch, row, named?.get(position) ?? error.message);
  };

  /**
   * Settles rows without those that the service names as invalid. They count as failed only if it accepts the rest: if it names
   * none, or the same positions again, its numbers cannot be trusted, and the rows are halved.
   */
  const leaveOutNamed = async (batch: Batch, rows: Rows, refusal: ExamServiceError): Promise<void> => {
    const leftOut = new Map<NumberedRow, string>();
    let rest = rows;
    let lastNamed = '';
    for (let error: ExamServiceError | null = refusal; error !== null && rest.length > 0; ) {
      const named = findNamedRows(error, rest.length);
      const places = [...(named?.keys() ?? [])].join();
      if (named === null || places === lastNamed) {
        const isInDoubt = error === refusal || (isAboutRows(error) && !isLimit(error));
        return isInDoubt ? halve(batch, rows, error) : judge(batch, rows, error);
      }
      lastNamed = places;
      rest = rest.filter((row, place) => {
        const reason = named.get(place);
        if (reason !== undefined) leftOut.set(row, reason);
        return reason === undefined;
      });
      error = rest.length > 0 ? await attempt(batch, rest) : null;
    }
    for (const [row, reason] of leftOut) reject(batch, row, reason);
  };

  /** Settles the halves of refused rows; a single one is left out. */
  const halve = async (batch: Batch, rows: Rows, error: ExamServiceError): Promise<void> => {
    const [row, ...others] = rows;
    if (row !== undefined && others.length === 0) return reject(batch, row, error.message);
    const middle = Math.ceil(rows.length / 2);
    await sendAll(batch, rows.slice(0, middle));
    await sendAll(batch, rows.slice(middle));
  };

  /** Finds the rows that crash the service, if it is up. */
  const takeCrashApart = async (batch: Batch, rows: Rows, crash: ExamServiceError): Promise<void> => {
    const isUp = await isAlive(batch);
    if (isUp === false) throw crash;
    const [row, ...others] = rows;
    if (others.length > 0) {
      const rest = isUp ? rows : await findWitness(batch, rows, crash);
      return rest === rows ? halve(batch, rows, crash) : sendAll(batch, rest);
    }
    if (row === undefined || isUp === undefined) throw crash;
    const again = await attempt(batch, rows);
    if (again === null) return;
    if (!isCrash(again) && !isTooSlow(again)) return judge(batch, rows, again);
    if (!(await isAlive(batch))) throw again;
    reject(batch, row, again.message);
  };

  /** Tries rows one by one until the service accepts one; returns those that are not settled. */
  const findWitness = async (batch: Batch, rows: Rows, crash: ExamServiceError): Promise<Rows> => {
    const crashing: NumberedRow[] = [];
    for (const [place, row] of rows.entries()) {
      const error = await attempt(batch, [row]);
      if (error === null) return [...crashing, ...rows.slice(place + 1)];
      if (isCrash(error)) crashing.push(row);
      else await judge(batch, [row], error);
    }
    if (crashing.length > 0) throw crash;
    return [];
  };

  /** Whether the service accepts a witness; `undefined` without one. */
  const isAlive = async (batch: Batch): Promise<boolean | undefined> => {
    // A witness must not bring back what another batch overwrites. Others wait for the emails of this one.
    const isHeld = (email: string) => [...underWay].some(({ emails }) => emails.has(email));
    const isUsable = (email: string) => batch.emails.has(email) || !isHeld(email);
    const find = () => witnesses.filter((row) => isUsable(emailOf(row))).at(-1);
    let witness = find();
    if (witness === undefined) {
      // One of the batches that began before this one may leave one.
      const begun = [...underWay];
      await Promise.all(begun.slice(0, begun.indexOf(batch)).map(({ done }) => done));
      throwIfStopped();
      witness = find();
    }
    if (witness === undefined) return undefined;
    throwIfStopped();
    const probe = Promise.resolve(send([witness.row])).then(
      () => true,
      (error: unknown) => {
        if (!isExamServiceError(error)) throw error;
        return isAboutRows(error);
      },
    );
    const done = probe.catch(() => {});
    // Batches that begin now wait for it: one of them may hold newer values of the same participant.
    probes.add(done);
    return probe.finally(() => probes.delete(done));
  };

  /**
   * Sends rows.
   *
   * @returns `null` when the service accepted them, otherwise the error
   * @throws what is no answer to these rows, such as the reason of an abort
   */
  const attempt = async (batch: Batch, rows: Rows): Promise<ExamServiceError | null> => {
    throwIfStopped();
    const added = rows.filter(({ isSent }) => !isSent);
    const mark = (isSent: boolean) => {
      for (const row of added) row.isSent = isSent;
      sentRows += isSent ? added.length : -added.length;
    };
    mark(true);
    try {
      const acknowledgement = await send(rows.map(({ row }) => row));
      batch.settled.push({ index: rows[0]?.index ?? 0, rows, acknowledgement });
      const emails = new Set(rows.map(emailOf));
      const others = witnesses.filter((row) => !emails.has(emailOf(row)));
      witnesses = [...others, ...rows].slice(-MOST_WITNESSES);
      return null;
    } catch (error) {
      const wasUnsent = isUnsent(error);
      if (wasUnsent) mark(false);
      if (!isExamServiceError(error) || wasUnsent || signal?.aborted) throw error;
      return error;
    }
  };

  return {
    get size() {
      return size;
    },
    get sent() {
      return sentRows;
    },
    deliver(batch) {
      const holdsSame = ({ emails }: Batch) => [...batch.emails].some((email) => emails.has(email));
      const earlier = [...underWay].filter(holdsSame).map(({ done }) => done);
      underWay.add(batch);
      batch.done = settle(batch, Promise.all([...earlier, ...probes]));
      return batch.done;
    },
    stop() {
      isStopped = true;
    },
  };
}

function reject(batch: Batch, { index }: NumberedRow, reason: string): void {
  batch.settled.push({ index, reason });
}

/** Whether the service refused these rows. An import looks for nothing that could be missing: with a 404, its address is wrong. */
function isAboutRows(error: ExamServiceError): boolean {
  return isRefusal(error) && !(isApiError(error) && error.status === 404);
}

/** Whether the service says that there would be too many participants, which is no row's fault. */
function isLimit(error: ExamServiceError): boolean {
  return isApiError(error) && error.status === 400;
}

/** `participants.3.email`, or `participants.3` for a row as a whole. */
const rowField = /^participants\.(\d+)(?:\.(.+))?$/;

/**
 * The rows that a refusal names, by position in the request, with the reason for each. `null` when it names none, or one that was
 * not sent: its numbers then mean something else.
 */
function findNamedRows(error: ExamServiceError, sent: number): ReadonlyMap<number, string> | null {
  if (!isApiError(error) || error.status !== 422) return null;
  const named = new Map<number, string>();
  for (const [field, messages] of Object.entries(error.fieldErrors)) {
    const [, digits, column] = rowField.exec(field) ?? [];
    if (digits === undefined) continue;
    const position = Number(digits);
    if (position >= sent) return null;
    const text = messages.join(' ').replaceAll(`participants.${digits}.`, '');
    const reason = column === undefined ? text : `${column}: ${text}`;
    const others = named.get(position);
    named.set(position, others === undefined ? reason : `${others} ${reason}`);
  }
  return named.size === 0 ? null : named;
}
