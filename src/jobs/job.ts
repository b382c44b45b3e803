// What the bulk jobs share: which requests run beside each other, which row a server error is due to, and how a job stops.

import { ConfigurationError, type ExamServiceError, isVerdict, type Verdict } from '../core/errors/base.ts';
import { messageOf } from '../util/errors.ts';
import { hiding, JobError } from './job-error.ts';

/** After a server error for this many single rows in a row, the job takes it for an outage and stops. */
const MOST_IN_A_ROW = 5;

/** The verdict of what is no error of a request. */
const unsent: Verdict = { outcome: 'not_sent', retryable: false };

/**
 * One run of a bulk job. A row on which the service fails with a server error is set aside, sent once more alone after another request
 * was accepted, and rejected only if it fails again. One failure proves nothing: in an outage every row fails.
 */
export class Job {
  readonly concurrency: number;
  readonly signal: AbortSignal | undefined;
  /** Aborts with the first reason to stop: nothing more begins, and what is under way ends by itself. */
  readonly stopping = new AbortController();
  readonly #name: 'importAll' | 'assignAll';
  readonly #running = new Set<Promise<unknown>>();
  #alone: Promise<unknown> | undefined;
  readonly #aside = new Map<number, { readonly error: ExamServiceError; readonly since: number }>();
  readonly #waiting = new Set<() => void>();
  #accepted = 0;
  #inARow = 0;

  /** @throws {ConfigurationError} for a job that could never have so many requests in flight */
  constructor(
    name: 'importAll' | 'assignAll',
    maxConcurrency: number,
    concurrency: number,
    signal: AbortSignal | undefined,
  ) {
    if (concurrency > maxConcurrency) {
      throw new ConfigurationError(
        `\`concurrency\` is ${concurrency}, above \`maxConcurrency\` of the client (${maxConcurrency}): raise that or lower this.`,
      );
    }
    this.#name = name;
    this.concurrency = concurrency;
    this.signal = signal;
  }

  /**
   * Sends a request for what begins at `index`. After a server error while others run, which may have caused it, sends it once more
   * alone.
   */
  async send<Result>(
    index: number,
    request: () => Promise<Result>,
    isServerError: (result: Result) => boolean,
  ): Promise<Result> {
    if (this.#aside.has(index)) return this.#sendAlone(request);
    while (this.#alone !== undefined) await this.#alone;
    const running = request();
    this.#running.add(running);
    const result = await running.finally(() => this.#running.delete(running));
    return this.concurrency > 1 && isServerError(result) ? this.#sendAlone(request) : result;
  }

  /** Waits for those that run, and lets no other begin until this one has ended. */
  async #sendAlone<Result>(request: () => Promise<Result>): Promise<Result> {
    while (this.#alone !== undefined) await this.#alone;
    const running = Promise.allSettled([...this.#running]).then(request);
    this.#alone = Promise.allSettled([running]).then(() => {
      this.#alone = undefined;
    });
    return running;
  }

  /** A request was accepted, so the service is up. */
  accepted(): void {
    this.#accepted += 1;
    this.#inARow = 0;
    for (const resume of this.#waiting) resume();
    this.#waiting.clear();
  }

  /** A request got a response other than a server error, and was not accepted. */
  responded(): void {
    this.#inARow = 0;
  }

  /** @throws {JobError} when too many have failed in a row */
  setAside(index: number, error: ExamServiceError): void {
    this.#aside.set(index, { error, since: this.#accepted });
    this.#inARow += 1;
    if (this.#inARow >= MOST_IN_A_ROW) throw this.#fault();
  }

  /** Whether this row alone got a server error before. */
  isAside(index: number): boolean {
    return this.#aside.has(index);
  }

  /** Calls `resume` when another request was accepted since the row was set aside. */
  otherAccepted(index: number, resume: () => void): void {
    if (this.#accepted > Number(this.#aside.get(index)?.since)) resume();
    else this.#waiting.add(resume);
  }

  settled(index: number): void {
    this.#aside.delete(index);
  }

  /** Stops a job in which everything waits for another request to be accepted, and no other is left. */
  stopIfStuck(): void {
    if (this.#waiting.size > 0) this.stopping.abort(this.#fault());
  }

  /**
   * Calls a function of the caller, and awaits it. After an abort the job has ended, so nothing more is called or counted.
   *
   * @param row what its error must not quote
   * @throws {JobError} what it throws
   */
  async call(name: string, callback: () => unknown, row?: unknown): Promise<void> {
    if (this.signal?.aborted) throw this.signal.reason;
    try {
      await callback();
    } catch (cause) {
      throw new JobError(`\`${name}\` failed: ${hiding(row)(messageOf(cause))}`, { cause });
    }
    if (this.signal?.aborted) throw this.signal.reason;
  }

  /** Why the job stops: the first one set aside may be at fault, or the service is down. */
  #fault(): JobError {
    const index = Math.min(...this.#aside.keys());
    const cause = this.#aside.get(index)?.error;
    const message =
      `row ${index}: the service failed on it and has accepted nothing since: ${cause?.message} ` +
      'If only this row fails again, leave it out.';
    const outcome = cause?.outcome ?? 'unknown';
    return new JobError(message, { cause, outcome, retryable: true, past: { from: index, to: index + 1 } });
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
    const fault = cause instanceof JobError ? cause : undefined;
    const { outcome, retryable } = fault ?? (isVerdict(cause, this.signal) ? cause : unsent);
    const reason = messageOf(cause)
      .replace(/^\w+\.(?=importAll|assignAll)\w+: /, '')
      .replace(new RegExp(`(^|; )row ${resumeFrom}:? `, 'g'), '$1')
      .replace(/[.\s]*$/, '');
    const past = fault?.past?.from === resumeFrom ? `, or past it with \`resumeFrom: ${fault.past.to}\`` : '';
    const message =
      `${this.#name} stopped at row ${resumeFrom}: ${reason} (${done}). ` +
      `Resume with \`resumeFrom: ${resumeFrom}\`${past} (rows count from 0).`;
    const verdict = { outcome: mayBeDone ? 'unknown' : outcome, retryable } as const;
    return [message, verdict, { cause: fault === undefined ? cause : fault.cause }];
  }
}
