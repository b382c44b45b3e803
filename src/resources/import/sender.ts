// Sends batches. One rule: rows that were not accepted whole are split until the fate of each is known by evidence.
//
// - A refusal (400, 409, 422, a success that says no, one row that is too large) is about the rows: `onBatchError` decides. Those
//   that a 422 names wait until the service accepts the rest; otherwise the rows are halved.
// - Too large (413) or not answered in time is about their number: the import sends half as many from then on.
// - A failure (500, a lost connection, a page of a proxy) is about the rows or about the service. The witness tells, a row that it
//   accepted last and that is sent again: if it is taken, the rows are at fault and halved, and a single row on which the service
//   fails twice is left out; if not, it is an outage, and the import stops. Before there is a witness, rows are tried one by one.
//   An answer that does not come in time is looked into likewise, so that an outage does not lead to batches of one row.
//
// Requests with the same email keep the order of the source: a batch waits for earlier ones that hold an email of its own, and the
// witness is sent while nothing else is under way.

import { isApiError } from '../../core/errors/api-error.ts';
import type { ExamServiceError } from '../../core/errors/base.ts';
import type { Acknowledgement } from '../../core/operation.ts';
import { isCrash, isRefusal, isTooLarge, isTooSlow, isUnsent, resultOf } from '../evidence.ts';
import type { ImportPlan, ParticipantImport } from './options.ts';
import type { Batch, ReadyRow } from './rows.ts';

type Rows = readonly ReadyRow[];

/** Rows of a batch whose fate is open. */
interface Part {
  readonly rows: Rows;
  /** Rows that the service named as invalid, with its reasons: they are at fault if it accepts the others. */
  readonly named?: ReadonlyMap<ReadyRow, string>;
  /** The places that it named last. */
  readonly places?: string;
  /** Whether to send one row after the other as long as there is no witness. */
  readonly oneByOne?: boolean;
  /** How the service failed on this row alone; it counts against the row unless that was `oneByOne`. */
  readonly crash?: ExamServiceError;
}

/** Sends the rows of one request. */
export type SendRows = (rows: readonly ParticipantImport[]) => PromiseLike<Acknowledgement>;

/** Ends the work on a batch because the import has stopped elsewhere. */
const stopped = Symbol('stopped');

/** How far the sending of an import has come. */
export interface Sending {
  /** Rows in one request, at most. */
  size: number;
  /** Rows sent so far, each counted once. */
  sent: number;
  /** Whether nothing more is sent. */
  isStopped: boolean;
}

/**
 * Makes the function that sends a batch in as many requests as it takes, and notes in it what became of its rows. It never rejects;
 * a failure stops all sending.
 */
export function createSender(
  send: SendRows,
  { onBatchError, signal }: ImportPlan,
  sending: Sending,
): (batch: Batch) => Promise<void> {
  /** The last row that the service accepted; so nothing newer was accepted for its email. */
  let witness: ReadyRow | undefined;
  const underWay = new Set<Batch>();
  const requests = new Set<Promise<unknown>>();
  /** Comes when the witness, which is sent alone, was answered. */
  let probing: Promise<void> | undefined;

  const throwIfStopped = () => {
    if (signal?.aborted) throw signal.reason;
    if (sending.isStopped) throw stopped;
  };
  /** Comes when those batches that began before this one, and that matter, have ended. */
  const afterEarlier = (batch: Batch, matters: (earlier: Batch) => boolean) => {
    const begun = [...underWay];
    const earlier = begun.slice(0, begun.indexOf(batch)).filter(matters);
    return Promise.all(earlier.map(({ done }) => done));
  };

  const deliver = async (batch: Batch): Promise<void> => {
    try {
      await afterEarlier(batch, ({ emails }) => [...batch.emails].some((email) => emails.has(email)));
      await settleAll(batch);
    } catch (cause) {
      if (cause !== stopped) batch.failure = { cause };
      sending.isStopped = true;
    }
    underWay.delete(batch);
  };

  const settleAll = async (batch: Batch): Promise<void> => {
    const parts: Part[] = [{ rows: batch.rows }];
    for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
      // All that is left are rows on which the service failed, and it took none.
      if (part.crash !== undefined && witness === undefined) throw part.crash;
      const most = part.oneByOne && witness === undefined ? 1 : sending.size;
      // Rows without the named ones are sent as a whole.
      const sent = part.named ? part : { ...part, rows: part.rows.slice(0, most) };
      if (sent.rows.length < part.rows.length) parts.unshift({ ...part, rows: part.rows.slice(most) });
      const error = sent.rows.length === 0 ? null : await attempt(sent.rows);
      const open = error === null ? leaveOut(sent.named) : await split(batch, sent, error);
      // What crashed alone comes last: another row may be a witness.
      if (open[0]?.crash === undefined) parts.unshift(...open);
      else parts.push(...open);
    }
  };

  /** What to send in place of rows that were not accepted, or throws why the import must stop. */
  const split = async (batch: Batch, part: Part, error: ExamServiceError): Promise<readonly Part[]> => {
    const rows = [...(part.named?.keys() ?? []), ...part.rows].sort((a, b) => a.index - b.index);
    const isOne = rows.length === 1;
    const isBisecting = onBatchError === 'bisect';
    let rest: Part | null = null;
    if (isAboutRows(error) || (isTooLarge(error) && isOne)) {
      if (onBatchError === 'stop' || (isBisecting && isLimit(error))) throw error;
      rest = withoutNamed(part, error);
      if (isBisecting && rest !== null) return [rest];
    } else {
      const isTooMuch = !isOne && (isTooLarge(error) || isTooSlow(error));
      if (!isTooMuch && !(isBisecting && (isTooSlow(error) || isCrash(error)))) throw error;
      const isUp = isTooLarge(error) || (await takesWitness(batch));
      if (isUp === false) throw error;
      if (isTooMuch) {
        sending.size = Math.min(sending.size, Math.floor(rows.length / 2));
        return [{ rows }];
      }
      const isFirst = part.crash === undefined || part.oneByOne;
      if (isOne && isFirst) return [{ rows, crash: error, oneByOne: isUp === undefined }];
      if (isUp === undefined) return [{ rows, oneByOne: true }];
    }
    if (isOne || !isBisecting) {
      // Each failure may have come after the row was stored.
      const reason = isCrash(error) ? `${error.message} It may be imported all the same.` : error.message;
      return leaveOut(new Map(rows.map((row) => [row, rest?.named?.get(row) ?? reason])));
    }
    const middle = Math.ceil(rows.length / 2);
    return [{ rows: rows.slice(0, middle) }, { rows: rows.slice(middle) }];
  };

  /** Whether the service takes the witness; `undefined` while there is none. */
  const takesWitness = async (batch: Batch): Promise<boolean | undefined> => {
    if (witness === undefined) await afterEarlier(batch, () => true);
    while (probing !== undefined) await probing;
    const probe = async () => {
      await Promise.allSettled(requests);
      throwIfStopped();
      if (witness === undefined) return undefined;
      const { error } = await resultOf(send([witness.row]));
      return error === null || isAboutRows(error);
    };
    const end = () => {
      probing = undefined;
    };
    const answer = probe();
    probing = answer.then(end, end);
    return answer;
  };

  /** Sends rows, and gives the error, or `null` when the service accepted them. */
  const attempt = async (rows: Rows): Promise<ExamServiceError | null> => {
    while (probing !== undefined) await probing;
    throwIfStopped();
    const request = post(rows);
    requests.add(request);
    return request.finally(() => requests.delete(request));
  };

  /** Makes one request, and notes what came of it before it is over. */
  const post = async (rows: Rows): Promise<ExamServiceError | null> => {
    const added = rows.filter(({ wasSent }) => !wasSent);
    sending.sent += added.length;
    const { error, value } = await resultOf(send(rows.map(({ row }) => row)));
    if (error === null) {
      witness = rows.at(-1);
      const accepted = { from: rows[0]?.index ?? 0, to: (witness?.index ?? 0) + 1, acknowledgement: value };
      for (const row of rows) row.fate = { accepted };
    } else {
      const wasUnsent = isUnsent(error);
      if (wasUnsent) sending.sent -= added.length;
      if (wasUnsent || signal?.aborted) throw error;
      for (const row of added) row.wasSent = true;
    }
    return error;
  };

  return (batch) => {
    underWay.add(batch);
    batch.done = deliver(batch);
    return batch.done;
  };
}

/** Nothing of these rows is left to send. */
function leaveOut(rows: Part['named'] = new Map()): [] {
  for (const [row, reason] of rows) row.fate = { reason };
  return [];
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
 * The rows that a refusal does not name, by position in the request, and the reasons for those that it does. `null` when it names
 * none, or one that was not sent, or the same places again: its numbers then mean something else.
 */
function withoutNamed({ rows, named: before, places: last }: Part, error: ExamServiceError): Part | null {
  if (!isApiError(error) || error.status !== 422) return null;
  const named = new Map(before);
  for (const [field, messages] of Object.entries(error.fieldErrors)) {
    const [, digits, column] = rowField.exec(field) ?? [];
    if (digits === undefined) continue;
    const row = rows[Number(digits)];
    if (row === undefined) return null;
    const text = messages.join(' ').replaceAll(`participants.${digits}.`, '');
    const reason = column === undefined ? text : `${column}: ${text}`;
    const others = named.get(row);
    named.set(row, others === undefined ? reason : `${others} ${reason}`);
  }
  const places = rows.flatMap((row, place) => (named.has(row) ? [place] : [])).join();
  if (places === '' || places === last) return null;
  return { rows: rows.filter((row) => !named.has(row)), named, places };
}
