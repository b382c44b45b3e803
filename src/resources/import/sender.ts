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

import { hasStatus, isTooLarge, isTooSlow } from '../../core/errors/api-error.ts';
import type { ExamServiceError } from '../../core/errors/base.ts';
import type { Acknowledgement } from '../../core/operation.ts';
import { hasFailed, isCrash, isRefusalOfKnown, resultOf } from '../evidence.ts';
import type { ImportPlan, ParticipantImport } from './options.ts';
import type { Batch, ReadyRow } from './rows.ts';

type Rows = readonly ReadyRow[];

/** Sends the rows of one request. */
export type SendRows = (rows: readonly ParticipantImport[]) => PromiseLike<Acknowledgement>;

/**
 * Makes what sends the batches of an import, and knows how far that has come.
 *
 * @param stopping aborts with the first reason why nothing more is read and sent; the requests in flight finish
 */
export function createSender(
  send: SendRows,
  { batchSize, onBatchError, signal }: ImportPlan,
  stopping: AbortController,
) {
  const isBisecting = onBatchError === 'bisect';
  /** The last row that the service accepted; so nothing newer was accepted for its email. */
  let witness: ReadyRow | undefined;
  /** Whether the service has failed, and accepted no row yet: rows are then sent one after the other, to find a witness. */
  let isDoubtful = false;
  const requests = new Set<Promise<unknown>>();
  /** Comes when the witness, which is sent alone, was answered. */
  let probing: Promise<unknown> | undefined;

  const sender = {
    /** The batches that are not folded, in the order of the source. */
    open: new Set<Batch>(),
    /** Rows in one request, at most. */
    size: batchSize,
    /** Rows sent so far, each counted once. */
    sent: 0,
    /** Sends a batch in as many requests as it takes, and notes in it what became of its rows. Never rejects; a failure stops all. */
    async send(batch: Batch): Promise<Batch> {
      sender.open.add(batch);
      batch.done = deliver(batch);
      await batch.done.catch((cause) => stopping.abort(cause));
      return batch;
    },
  };

  const throwIfStopped = () => {
    if (signal?.aborted) throw signal.reason;
    stopping.signal.throwIfAborted();
  };
  /** Comes when those batches that began before this one, and that matter, have ended. */
  const afterEarlier = (batch: Batch, matters: (earlier: Batch) => boolean) => {
    const begun = [...sender.open];
    const earlier = begun.slice(0, begun.indexOf(batch)).filter(matters);
    return Promise.allSettled(earlier.map(({ done }) => done));
  };

  const deliver = async (batch: Batch): Promise<void> => {
    await afterEarlier(batch, ({ rows }) => [...batch.rows.keys()].some((email) => rows.has(email)));
    /** What is left to send, in order. */
    const parts: Rows[] = [[...batch.rows.values()]];
    for (let rows = parts.shift(); rows !== undefined; rows = parts.shift()) {
      // An earlier one may find a witness.
      if (isDoubtful) await afterEarlier(batch, () => true);
      const size = isDoubtful ? 1 : sender.size;
      if (rows.length > size) parts.unshift(rows.slice(0, size), rows.slice(size));
      else await settle(rows, parts);
    }
  };

  /**
   * Sends rows. Where they are not accepted, it leaves them out, or adds them to the parts that are left.
   *
   * @throws why the import must stop
   */
  const settle = async (rows: Rows, parts: Rows[]): Promise<void> => {
    const only = rows.length === 1 ? rows[0] : undefined;
    if (only?.crash !== undefined && witness === undefined) throw only.crash.error;
    const error = await attempt(rows);
    if (error === null) return;
    const isTooMuch = !only && (isTooLarge(error) || isTooSlow(error));
    if (isRefusalOfKnown(error) || (isTooLarge(error) && !isTooMuch)) {
      // With a 400 there would be too many participants, which is no row's fault.
      if (onBatchError === 'stop' || (isBisecting && hasStatus(error, 400))) throw error;
    } else {
      if (!isTooMuch && !(isBisecting && (isTooSlow(error) || isCrash(error)))) throw error;
      const isUp = isTooLarge(error) || (await takesWitness());
      if (isUp === false) throw error;
      if (isTooMuch) {
        sender.size = Math.min(sender.size, Math.floor(rows.length / 2));
        parts.unshift(rows);
        return;
      }
      if (isUp === undefined) isDoubtful = true;
      if (only && !only.crash?.wasUp) {
        // It comes last, since another row may be a witness.
        only.crash = { error, wasUp: isUp === true };
        parts.push(rows);
        return;
      }
    }
    if (isBisecting && !only) {
      const middle = Math.ceil(rows.length / 2);
      parts.unshift(rows.slice(0, middle), rows.slice(middle));
      return;
    }
    // Each failure may have come after the row was stored.
    const reason = isCrash(error) ? `${error.message} It may be imported all the same.` : error.message;
    const reasons = reasonsIn(rows, error);
    for (const [place, row] of rows.entries()) row.fate = reasons[place] ?? reason;
  };

  /** Whether the service takes the witness; `undefined` while there is none. */
  const takesWitness = async (): Promise<boolean | undefined> => {
    while (probing !== undefined) await probing;
    const probe = async () => {
      await Promise.allSettled(requests);
      throwIfStopped();
      if (witness === undefined) return undefined;
      const { error } = await resultOf(send([witness.row]), signal);
      return !hasFailed(error) || isRefusalOfKnown(error);
    };
    const answer = probe().finally(() => {
      probing = undefined;
    });
    probing = Promise.allSettled([answer]);
    return answer;
  };

  /**
   * Sends rows, and with `bisect` again without those that the service names, which are at fault if it accepts the others. Gives
   * the error about what is left.
   *
   * @param before the places that it named before; where the same ones come again, they mean something else
   */
  const attempt = async (rows: Rows, before = ''): Promise<ExamServiceError | null> => {
    const error = rows.length === 0 ? null : await request(rows);
    if (error === null || !isBisecting) return error;
    const reasons = reasonsIn(rows, error);
    const places = Object.keys(reasons).join();
    if (places === '' || places === before) return error;
    const rest = rows.filter((_, place) => reasons[place] === undefined);
    const left = await attempt(rest, places);
    if (left === null) for (const [place, row] of rows.entries()) row.fate = reasons[place] ?? row.fate;
    return left;
  };

  const request = async (rows: Rows): Promise<ExamServiceError | null> => {
    while (probing !== undefined) await probing;
    throwIfStopped();
    const posted = post(rows);
    requests.add(posted);
    return posted.finally(() => requests.delete(posted));
  };

  /** Makes one request, and notes what came of it before it is over. Gives the error, or `null` when the rows were accepted. */
  const post = async (rows: Rows): Promise<ExamServiceError | null> => {
    const added = rows.filter(({ wasSent }) => !wasSent);
    for (const row of added) row.wasSent = true;
    sender.sent += added.length;
    const { error, value } = await resultOf(send(rows.map(({ row }) => row)), signal);
    if (!hasFailed(error)) {
      witness = rows.at(-1);
      isDoubtful = false;
      // An answer that cannot be read says as much as none.
      const acknowledgement = value ?? { message: null, data: null, body: null };
      const accepted = { from: rows[0]?.index ?? 0, to: (witness?.index ?? 0) + 1, acknowledgement };
      for (const row of rows) row.fate = accepted;
      return null;
    }
    if (error.outcome !== 'not_sent') return error;
    sender.sent -= added.length;
    throw error;
  };

  return sender;
}

/** `participants.3.email`, or `participants.3` for a row as a whole. */
const rowField = /^participants\.(\d+)(?:\.(.+))?$/;

/** What a refusal says of rows, by their places. Nothing where it names one that was not sent: its numbers then mean something else. */
function reasonsIn(rows: Rows, error: ExamServiceError): Readonly<Record<number, string>> {
  const reasons: Record<number, string> = {};
  if (!hasStatus(error, 422)) return reasons;
  for (const [field, messages] of Object.entries(error.fieldErrors)) {
    const [, digits, column] = rowField.exec(field) ?? [];
    if (digits === undefined) continue;
    const place = Number(digits);
    if (place >= rows.length) return {};
    const text = messages.join(' ').replaceAll(`participants.${digits}.`, '');
    const reason = column === undefined ? text : `${column}: ${text}`;
    reasons[place] = place in reasons ? `${reasons[place]} ${reason}` : reason;
  }
  return reasons;
}
