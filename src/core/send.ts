// The second step of a call: sends its request, again where that is allowed, until there is an answer. This loop alone
// decides about attempts; the gate decides when they leave, and the wire how.

import {
  hasStatus,
  isApiError,
  isTooLarge,
  isTooSlow,
  isTransient,
  RateLimitError,
} from './errors/api-error.ts';
import { ConfigurationError, type ExamServiceError, isVerdict } from './errors/base.ts';
import { ConnectionError, TimeoutError } from './errors/request-error.ts';
import type { Ending, Gate } from './gate.ts';
import type { Notify } from './notify.ts';
import type { Settings } from './options/settings.ts';
import type { Plan } from './plan.ts';
import { Progress } from './progress.ts';
import { failureOf } from './response/failure.ts';
import { type ResponseMeta, readMeta } from './response/meta.ts';
import type { Answer } from './response/read.ts';
import { backoff, timeUp, wait, withDeadline, withJitter } from './time.ts';
import type { Received, Wire } from './wire.ts';

/** What the calls of a client are sent with. */
export interface Sender {
  readonly settings: Settings;
  readonly wire: Wire;
  readonly gate: Gate;
  readonly notify: Notify;
  /** Keys sent lately, to be redacted wherever they are echoed. */
  readonly usedKeys: Set<string>;
}

/** Reads an answer into the value that the caller gets; a list sends further calls. */
export type Reader<T> = (answer: Answer, sender: Sender) => Promise<T>;

/** Is told how a call has ended, before its promise settles. */
export interface Settle {
  readonly fulfil: (data: unknown) => void;
  readonly fail: (reason: unknown) => void;
}

/** The data of an answer, and its metadata on demand, because most callers want the data alone. */
export interface Answered<T> {
  readonly data: T;
  readonly readMeta: () => ResponseMeta;
}

/** Why a page that was fetched ahead is aborted: the iteration has ended, and nobody needs it. */
export const notNeeded = Symbol('not needed');

/** A call that was made; `refusal` if it was not accepted. */
export class Call<T> {
  readonly #progress: Progress;
  readonly #sender: Sender;
  readonly #reader: Reader<T>;
  #refusal: { readonly error: unknown } | undefined;

  constructor(plan: Plan, sender: Sender, reader: Reader<T>, refusal?: { readonly error: unknown }) {
    const { notify, usedKeys } = sender;
    this.#progress = new Progress(plan, usedKeys);
    this.#sender = sender;
    this.#reader = reader;
    this.#refusal = refusal;
    void notify.onStart?.(this.#progress, { baseUrl: plan.baseUrl });
  }

  /** Sends the call, reads its answer and announces its end. */
  async read(settle?: Settle): Promise<Answered<T>> {
    const progress = this.#progress;
    const { notify } = this.#sender;
    try {
      const { response, body } = await this.#send(false);
      const { status, statusText, headers } = response;
      const answer = { request: progress, notify, status, statusText, headers, body: body ?? '' };
      const data = await this.#reader(answer, this.#sender);
      notify.onEnd?.(progress, successOf(progress));
      settle?.fulfil(data);
      return { data, readMeta: () => readMeta(progress, response) };
    } catch (error) {
      notify.onEnd?.(progress, endOf(progress, error));
      settle?.fail(error);
      throw error;
    }
  }

  /** Sends the call and announces its end when the response has come. */
  async raw(): Promise<Response> {
    const progress = this.#progress;
    const { notify } = this.#sender;
    try {
      const { response } = await this.#send(true);
      notify.onEnd?.(progress, successOf(progress));
      return response;
    } catch (error) {
      notify.onEnd?.(progress, endOf(progress, error));
      throw error;
    }
  }

  /** Fails the call before anything is sent. */
  refuse(error: Error): Promise<never> {
    this.#refusal = { error };
    return this.read() as Promise<never>;
  }

  /** Sends the request until it is answered; `isRaw` leaves the body of a success unread, for the caller. */
  async #send(isRaw: boolean): Promise<Received> {
    if (this.#refusal !== undefined) throw this.#refusal.error;
    const progress = this.#progress;
    const { settings, wire, gate, notify } = this.#sender;
    const { signal, timeout, totalTimeout } = progress.plan.rules;
    for (;;) {
      const arrivedAt = performance.now();
      const period = await gate.enter(progress);
      if (typeof period === 'function') throw period();
      const leftAt = performance.now();
      progress.begin(leftAt - arrivedAt);
      // The shorter of the times for the attempt and for the call.
      const left = progress.endsAt - leftAt;
      const own = timeout || Number.POSITIVE_INFINITY;
      let ending: Ending = 'lost';
      let mayReturn = false;
      let failure: unknown;
      let told: ExamServiceError | undefined;
      try {
        const received = await withDeadline(signal, Math.min(own, left), (attempt) =>
          // The deadline ends with the attempt; a body that is read later follows the caller's own signal.
          wire(progress, isRaw && signal ? AbortSignal.any([attempt, signal]) : attempt, isRaw),
        );
        ending = 'answered';
        if (received.body !== null) return received;
        told = await failureOf(progress, settings, received, leftAt + Math.min(own, left));
        if (isGone(progress, told)) return received;
        // A refusal that is waited for is no failed attempt; one for longer than `maxRetryAfter` is.
        if (told instanceof RateLimitError)
          ending = Number(told.retryAfterMs) > settings.maxRetryAfter ? 'lost' : told;
      } catch (error) {
        failure = error;
        // Of errors of the package, only this one is of the call: those of another may come from a custom `fetch`.
        if (error instanceof ConfigurationError) told = error;
        if (error === timeUp)
          told =
            own <= left
              ? new TimeoutError(progress, 'attempt', own)
              : new TimeoutError(progress, 'total', Number(totalTimeout));
        if (progress.status !== null) ending = 'answered';
      } finally {
        mayReturn = gate.leave(progress, period, ending);
      }
      if (signal?.aborted) throw signal.reason;
      const error = told ?? new ConnectionError(progress, failure);
      progress.fail(error);
      const isWaitedFor = typeof ending === 'object';
      const { pauseLeft } = gate;
      const delayMs = isWaitedFor ? mayReturn && Math.ceil(pauseLeft) : planRetry(progress, settings, error);
      // Do not begin a wait that the call has no time for: the failure says more than a timeout.
      const comesUntil = performance.now() + Math.max(Number(delayMs), pauseLeft);
      if (delayMs === false || comesUntil >= progress.endsAt - progress.leastLeft) throw error;
      notify.onRetry?.(progress, { attempt: progress.attempts, error, delayMs });
      if (!isWaitedFor) await wait(delayMs, signal);
    }
  }
}

/** What hooks are told of the end of a call. */
function successOf({ attempts, status, age }: Progress) {
  return {
    outcome: 'success',
    error: null,
    retryable: false,
    attempts,
    status,
    durationMs: age,
  } as const;
}

function endOf(progress: Progress, error: unknown) {
  const told = successOf(progress);
  if (error === notNeeded) return { ...told, outcome: 'cancelled' } as const;
  const { outcome, retryable } = isVerdict(error, progress.plan.rules.signal) ? error : progress.verdict;
  return { ...told, outcome, error, retryable };
}

/** Whether a DELETE finds nothing after one whose answer was lost. */
function isGone({ operation, before }: Progress, failure: unknown): boolean {
  return operation.method === 'DELETE' && before === 'unknown' && hasStatus(failure, 404);
}

/** The wait before the next attempt in milliseconds; `false` for no further attempt. */
function planRetry(
  progress: Progress,
  { maxRetryAfter }: Settings,
  failure: ExamServiceError,
): number | false {
  const { operation, plan } = progress;
  progress.failures += 1;
  const isRepeated = failure.retryable && isTransient(failure);
  if (!isRepeated || progress.failures > plan.rules.maxRetries) return false;
  if (operation.isDivisible === true && (isTooLarge(failure) || isTooSlow(failure))) return false;
  const retryAfterMs = isApiError(failure) ? (failure.retryAfterMs ?? 0) : 0;
  return retryAfterMs > maxRetryAfter
    ? false
    : Math.round(Math.max(withJitter(retryAfterMs), backoff(progress.failures)));
}
