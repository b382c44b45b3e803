// What the bulk jobs share: which requests run beside each other, which row a server error is due to, when the service is down, and how
// a job stops.

import { isApiError } from '../core/errors/api-error.ts';
import { ConfigurationError, reasons, type Verdict } from '../core/errors/base.ts';
import { type AnyCallError, isVerdict } from '../core/errors/call-error.ts';
import { jobTable } from '../core/options/call-options.ts';
import type { JobOptions } from '../core/options/client-options.ts';
import { messageOf } from '../util/errors.ts';
import { evidenceOf, isDown, isFailing } from './evidence.ts';
import { hiding, JobError } from './job-error.ts';
import { Outage, type WriteLine } from './outage.ts';

/** After a server error for this many single rows in a row, the service is down. */
const MOST_IN_A_ROW = 5;
/** How often the same request is sent in an outage before another one is. */
const MOST_TRIES = 5;

/**
 * What to do about a request that failed.
 *
 * - `reject`: its rows are settled
 * - `halve`: they are sent again in smaller parts
 * - `blame`: its only row is settled if it fails again
 * - `wait`: the service may be down
 * - `stop`: the job stops
 */
export type Action = 'reject' | 'halve' | 'blame' | 'wait' | 'stop';

/** Why a request failed, and what to do about it. */
export interface RequestFailure {
  readonly error: AnyCallError;
  readonly action: Action;
  /** Why the job stops, if it does. */
  readonly stop: unknown;
}

/** Makes a request; gives `null` where it was accepted. */
type Send = () => Promise<RequestFailure | null>;

/** A request that failed, and is sent again later. */
interface Suspect extends RequestFailure {
  /** How many requests were accepted before it failed. */
  readonly since: number;
}

/** What a job is. */
interface JobSettings extends JobOptions {
  readonly name: 'importAll' | 'assignAll';
  readonly concurrency: number;
  readonly maxOutage: number;
  /** How many items may wait in an outage; further ones are not begun. */
  readonly mostWaiting: number;
}

/** What a job knows of its client. */
export interface JobClient {
  readonly maxConcurrency: number;
  readonly write: WriteLine;
}

/**
 * One run of a bulk job. A row on which the service fails with a server error is a suspect: it is sent once more alone after another
 * request was accepted, and is at fault only if it fails again. One failure proves nothing: in an outage every row fails.
 *
 * In an outage one request at a time is sent, after a wait, and no row is at fault. After one, a row is only at fault if the request
 * right before it was accepted: a service that comes back may be up for a moment.
 */
export class Job {
  readonly signal: AbortSignal | undefined;
  /** The options for each call. */
  readonly callOptions: JobOptions;
  /** Aborts with the first reason to stop: nothing more begins, and requests in flight finish on their own. */
  readonly stopping = new AbortController();
  readonly outage: Outage;
  readonly #settings: JobSettings;
  readonly #running = new Set<Promise<unknown>>();
  #exclusive: Promise<unknown> | undefined;
  /** By the index of the first row. */
  readonly #suspects = new Map<number, Suspect>();
  readonly #waiting = new Set<() => void>();
  #accepted = 0;
  #wasAccepted = false;
  #inARow = 0;

  /** @throws {ConfigurationError} for a job that could never have so many requests in flight */
  constructor(settings: JobSettings, { maxConcurrency, write }: JobClient) {
    const { name, concurrency, signal, maxOutage } = settings;
    if (concurrency > maxConcurrency) {
      throw new ConfigurationError(
        `\`concurrency\` is ${concurrency}, above \`maxConcurrency\` of the client (${maxConcurrency}): raise that or lower this.`,
      );
    }
    this.#settings = settings;
    this.signal = signal;
    const options = Object.keys(jobTable).map((option) => [option, Reflect.get(settings, option)]);
    this.callOptions = Object.fromEntries(options);
    this.outage = new Outage(maxOutage, (level, message) => write(level, `${name}: ${message}`));
  }

  /** Whether another item may begin beside so many that are under way, and so many that wait. */
  hasRoom(underWay: number, waiting: number): boolean {
    const { concurrency, mostWaiting } = this.#settings;
    return this.outage.isOn ? underWay === 0 && waiting < mostWaiting : underWay < concurrency;
  }

  /**
   * Sends a request. After a server error beside others, which may have caused it, sends it once more alone; in an outage, several
   * times.
   *
   * @param index the first of its rows
   * @returns the failure of its rows, `null` where they were accepted; `undefined` where they are to be sent again when they are due
   * @throws why the job stops
   */
  async send(index: number, send: Send): Promise<RequestFailure | null | undefined> {
    while (this.#exclusive !== undefined) await this.#exclusive;
    if (!this.outage.isOn && this.#settings.concurrency > 1 && !this.#suspects.has(index)) {
      const running = this.#attempt(send);
      this.#running.add(running);
      const failure = await running.finally(() => this.#running.delete(running));
      if (failure === null) return null;
      const isServerError = evidenceOf(failure.error) === 'server error';
      if (!isSuspect(failure) && !isServerError) return failure;
      if (!isFailing(failure.error)) this.#suspect(index, failure);
    }
    return this.#sendAlone(index, send);
  }

  /** Sends a request when those in flight have ended, and lets no other begin meanwhile. */
  async #sendAlone(index: number, send: Send): Promise<RequestFailure | null | undefined> {
    while (this.#exclusive !== undefined) await this.#exclusive;
    const sending = Promise.allSettled([...this.#running]).then(() => this.#persist(index, send));
    this.#exclusive = Promise.allSettled([sending]).then(() => {
      this.#exclusive = undefined;
    });
    return sending;
  }

  async #persist(index: number, send: Send): Promise<RequestFailure | null | undefined> {
    if (!this.outage.isOn && !this.#isDue(index)) return undefined;
    for (let tries = 1; ; tries += 1) {
      await this.outage.wait(this.stopping.signal);
      const mayBlame = this.#mayBlame(index);
      const failure = await this.#attempt(send);
      const isAtFault = mayBlame && failure !== null && isFailing(failure.error);
      if (isAtFault && failure.action === 'wait') throw failure.stop;
      if (failure === null || isAtFault || !isSuspect(failure)) {
        this.#suspects.delete(index);
        return failure;
      }
      this.#suspect(index, failure);
      if (!this.outage.isOn || tries === MOST_TRIES) return undefined;
    }
  }

  /** Makes a request, and notes how it ended. */
  async #attempt(send: Send): Promise<RequestFailure | null> {
    this.#throwIfAborted();
    this.stopping.signal.throwIfAborted();
    const failure = await send();
    this.#wasAccepted = failure === null;
    if (failure?.action === 'stop') throw failure.stop;
    if (failure !== null && (failure.action === 'wait' || isFailing(failure.error))) return failure;
    this.#inARow = 0;
    if (failure === null) this.#accepted += 1;
    else if (!this.outage.isOn) return failure;
    this.outage.responded();
    for (const resume of this.#waiting) resume();
    this.#waiting.clear();
    return failure;
  }

  /** @throws why the job stops, where the service is down and the job does not wait */
  #suspect(index: number, failure: RequestFailure): void {
    this.#suspects.set(index, { ...failure, since: this.#accepted });
    if (failure.action === 'blame') this.#inARow += 1;
    else this.outage.begin(failure.stop);
    if (this.#inARow >= MOST_IN_A_ROW) this.outage.begin(this.#fault());
  }

  /** Calls `resume` when a request that is sent later is due. */
  whenDue(index: number, resume: () => void): void {
    if (!this.outage.isOn && this.#isDue(index)) resume();
    else this.#waiting.add(resume);
  }

  #isDue(index: number): boolean {
    return this.#suspects.get(index)?.action !== 'blame' || this.#mayBlame(index);
  }

  /** Whether rows are at fault that fail now: they failed alone before, and the service has accepted others since. */
  #mayBlame(index: number): boolean {
    const { isOn, hasBegun } = this.outage;
    const before = this.#suspects.get(index);
    const failed = before !== undefined && isFailing(before.error) && this.#accepted > before.since;
    return failed && !isOn && (!hasBegun || this.#wasAccepted);
  }

  /** Where everything waits, sends what has waited longest: the service is down, or these rows are at fault. */
  sendIfAllWait(): void {
    const [resume] = this.#waiting;
    if (resume === undefined || this.stopping.signal.aborted) return;
    try {
      if (!this.outage.isOn) this.outage.begin(this.#fault());
    } catch (cause) {
      this.stopping.abort(cause);
      return;
    }
    this.#waiting.delete(resume);
    resume();
  }

  /**
   * Calls a function of the caller, and awaits it. After an abort the job has ended, so nothing more is called or counted.
   *
   * @param row what its error must not quote
   * @throws {JobError} what it throws
   */
  async call(name: string, callback: () => unknown, row?: unknown): Promise<void> {
    this.#throwIfAborted();
    try {
      await callback();
    } catch (cause) {
      throw new JobError(`\`${name}\` failed: ${hiding(row)(messageOf(cause))}`, { cause });
    }
    this.#throwIfAborted();
  }

  #throwIfAborted(): void {
    if (this.signal?.aborted) throw this.signal.reason;
  }

  /** Whether an error about every request may pass by itself. */
  isDown(error: AnyCallError): boolean {
    return isDown(error, this.#accepted > 0);
  }

  /** What an error says. Once a request was accepted, the base URL is right. */
  describe(error: unknown): string {
    return this.#accepted > 0 ? (reasons.get(Object(error)) ?? messageOf(error)) : messageOf(error);
  }

  /** Why the job stops where single rows fail: the first one may be at fault, or the service is down. */
  #fault(): JobError {
    const rows = [...this.#suspects].filter(([, { action }]) => action === 'blame');
    const [row, { error }] = rows.reduce((first, other) => (other[0] < first[0] ? other : first));
    const said = 'the service failed on it and has accepted nothing since: ';
    return this.stopAt(error, row, 'If only this row fails again, leave it out.', said);
  }

  /**
   * Why the job stops for an error, with the way past a single row: not after a 503, which is about the service.
   *
   * @param row the only row of the request
   */
  stopAt(cause: AnyCallError, row?: number, advice = '', said = ''): JobError {
    const is503 = isApiError(cause) && cause.status === 503;
    const message = `${said}${this.describe(cause)} ${is503 ? '' : advice}`.trimEnd();
    const past = is503 || row === undefined ? undefined : row + 1;
    const retryable = isFailing(cause) || this.isDown(cause);
    return new JobError(message, { outcome: cause.outcome, retryable, cause, row, past });
  }

  /**
   * The parts of the error of a job that stopped. Its message says why and what to do, then the counts, then where to resume.
   *
   * @param mayBeDone whether something that is not reported may have taken effect
   */
  stoppedBy(
    cause: unknown,
    done: string,
    resumeFrom: number,
    mayBeDone: boolean,
  ): [message: string, verdict: Verdict, options: { readonly cause: unknown }] {
    const { name } = this.#settings;
    const fault = this.#faultOf(cause);
    const { row = resumeFrom, past } = fault;
    const verdict = { outcome: mayBeDone ? 'unknown' : fault.outcome, retryable: fault.retryable } as const;
    const options = { cause: fault.cause };
    const reason = `${fault.message.replace(/[.\s]*$/, '')} (${done}).`;
    if (fault.isOtherSource) return [`${name} stopped: ${reason}`, verdict, options];
    const isHere = row === resumeFrom;
    const where = isHere ? '' : `row ${row}: `;
    const orPast = isHere && past !== undefined ? `, or past it with \`resumeFrom: ${past}\`` : '';
    const message =
      `${name} stopped at row ${resumeFrom}: ${where}${reason} ` +
      `Resume with \`resumeFrom: ${resumeFrom}\`${orPast} (rows count from 0).`;
    return [message, verdict, options];
  }

  #faultOf(cause: unknown): JobError {
    if (cause instanceof JobError) return cause;
    return isVerdict(cause, this.signal) ? this.stopAt(cause) : new JobError(this.describe(cause), { cause });
  }
}

/** Whether a request that failed so is sent again as it is. */
function isSuspect({ action }: RequestFailure): boolean {
  return action === 'blame' || action === 'wait';
}
