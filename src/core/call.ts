// A call: its attempts, what they have done, and what errors and hooks say of it. The loop in `send` alone decides about
// attempts; the rate limiter decides when they leave, and the wire how.

import { captureStack } from '../util/errors.ts';
import type { Issue } from '../util/standard-schema.ts';
import { hasStatus, RateLimitError } from './errors/api-error.ts';
import { ConfigurationError } from './errors/base.ts';
import { type AnyCallError, isVerdict } from './errors/call-error.ts';
import { CallHistory } from './errors/call-history.ts';
import { connectionFailure } from './errors/connection-failure.ts';
import { ConnectionError, TimeoutError, toVerdict } from './errors/request-error.ts';
import type { Emitter } from './hook-emitter.ts';
import type { CallEvent, OnEndEvent, RequestEvent } from './hooks.ts';
import { readRemaining, readRetryAfter } from './limit-headers.ts';
import type { Operation } from './operation.ts';
import type { Settings } from './options/client-settings.ts';
import type { CallFacts, Plan } from './plan.ts';
import type { Concurrency, Denial, LimitRejection, Permit, RateLimiter, Ticket } from './rate-limiter.ts';
import { createRedact, longKeys, type Redact, redactHeaders, secretsIn, withoutKeys } from './redact.ts';
import { createApiError } from './response/api-error.ts';
import { failureOf } from './response/failure.ts';
import { nextDelay } from './retry.ts';
import { prefetchCancelled, timeUp, wait, withDeadline } from './time.ts';
import type { Exchange, RawResponse, Wire } from './wire.ts';

/** What the calls of a client share. */
export interface ClientContext {
  readonly settings: Settings;
  readonly emit: Emitter;
  readonly wire: Wire;
  readonly limiter: RateLimiter;
  readonly concurrency: Concurrency;
}

/** One call, from its plan to the last byte of its response. */
export class Call implements CallFacts, Exchange {
  readonly plan: Plan;
  readonly operation: Operation;
  /** When `totalTimeout` ends the call, by the clock of `performance.now()`. */
  readonly endsAt: number;
  readonly history: CallHistory;
  /** Requests sent, or begun. */
  attempts = 0;
  /** HTTP status of the last attempt; `null` when it got no response. */
  status: number | null = null;
  /** Whether the last attempt was sent. */
  isSent = false;
  /** How long the last attempt waited for a slot, in milliseconds. */
  queuedMs = 0;
  readonly #context: ClientContext;
  readonly #startedAt = performance.now();
  readonly #ticket: Ticket;
  readonly #keys = new Set<string>();
  #permit: Permit | undefined;
  /** Failed attempts, without those that the rate limiter repeats. */
  #failures = 0;
  #sentAt = 0;
  #hasEnded = false;
  #callId: string | undefined;
  #redact: Redact | undefined;

  constructor(plan: Plan, context: ClientContext) {
    const { operation, rules } = plan;
    const { settings, limiter, concurrency, emit } = context;
    this.plan = plan;
    this.operation = operation;
    this.history = new CallHistory(operation.followsOutcome, operation.method === 'GET');
    this.endsAt = this.#startedAt + (rules.totalTimeout || Number.POSITIVE_INFINITY);
    this.#context = context;
    const { maxRetryAfter, apiKey } = settings;
    this.#ticket = limiter.join({ ...rules, concurrency, maxRetryAfter, endsAt: this.endsAt });
    if (typeof apiKey === 'string') this.#keys.add(apiKey);
    emit.onStart?.({ ...this.event, baseUrl: plan.baseUrl });
  }

  /** Sends the request, with retries, and reads the body of the response. */
  async send(): Promise<RawResponse> {
    const { settings, wire, limiter, emit } = this.#context;
    const { signal, timeout, totalTimeout } = this.plan.rules;
    for (;;) {
      const queuedAt = performance.now();
      const permit = await limiter.acquire(this.#ticket);
      if (typeof permit === 'string') throw this.#denied(permit);
      const startedAt = performance.now();
      this.#permit = permit;
      this.queuedMs = startedAt - queuedAt;
      this.attempts += 1;
      this.status = null;
      this.isSent = false;
      const ownTime = timeout || Number.POSITIVE_INFINITY;
      const timeLeft = Math.min(ownTime, this.endsAt - startedAt);
      let failure: AnyCallError | undefined;
      let cause: unknown;
      try {
        const raw = await withDeadline(signal, timeLeft, (attempt) => wire(this, attempt));
        if (raw.body !== null) return raw;
        failure = await failureOf(this, settings, raw, startedAt + timeLeft);
        if (this.#isGone(failure)) return raw;
      } catch (error) {
        cause = error;
        // A custom `fetch` may throw errors of other calls. That nothing was sent is not true of this one.
        if (error instanceof ConfigurationError && (!this.isSent || error.outcome !== 'not_sent')) {
          captureStack(error);
          failure = error;
        }
        if (error === timeUp && ownTime <= timeLeft) failure = new TimeoutError(this, 'attempt', ownTime);
        if (error === timeUp) failure ??= new TimeoutError(this, 'total', Number(totalTimeout));
      } finally {
        limiter.release(permit, failure instanceof RateLimitError ? failure : undefined);
      }
      if (signal?.aborted) throw signal.reason;
      failure ??= new ConnectionError(this, ...connectionFailure(this, cause));
      this.history.failed(failure.outcome);
      const isLimited = failure instanceof RateLimitError;
      const delayMs = isLimited ? this.#pauseLeft(permit) : this.#delayAfter(failure);
      // Fail now if the wait would exceed the deadline: this error says more than a timeout.
      const sendsAt = performance.now() + Math.max(Number(delayMs), limiter.pauseLeft);
      if (delayMs === false || sendsAt >= this.endsAt) throw failure;
      emit.onRetry?.({ ...this.requestEvent, error: failure, delayMs });
      if (!isLimited) await wait(delayMs, signal);
    }
  }

  /** The request is sent now. */
  onSend(): void {
    this.isSent = true;
    this.history.sent();
    this.#sentAt = performance.now();
  }

  /** The headers of a response have arrived, but not its body. */
  onResponse(response: Response): void {
    const { status, headers } = response;
    const { limiter, emit } = this.#context;
    this.status = status;
    const shown = () => redactHeaders(headers, this.redact);
    if (this.#permit !== undefined) {
      const retryAfterMs = readRetryAfter(status, headers);
      const pauseMs = limiter.onResponse(this.#permit, status, shown, retryAfterMs, readRemaining(headers));
      if (pauseMs !== undefined)
        emit.log('info', `Rate limited (429): requests of this client wait for ${Math.round(pauseMs)} ms.`);
    }
    const durationMs = performance.now() - this.#sentAt;
    emit.onResponse?.({ ...this.requestEvent, status, headers: shown(), durationMs });
    if (headers.has('deprecation') || headers.has('sunset')) {
      const [deprecation = null, sunset = null, link = null] = ['deprecation', 'sunset', 'link'].map((name) =>
        shown().get(name),
      );
      emit.onDeprecation?.({ ...this.event, deprecation, sunset, link });
    }
  }

  /** A further call of the same client. */
  withPlan(plan: Plan): Call {
    return new Call(plan, this.#context);
  }

  /** Calls `onSchemaDrift`. */
  reportDrift(issues: readonly Issue[]): void {
    this.#context.emit.onSchemaDrift?.({ ...this.event, issues });
  }

  /** Calls `onEnd`: after the last byte, or after parsing if the data was requested by then. */
  end(failure?: { readonly error: unknown }): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const { attempts, status } = this;
    const durationMs = performance.now() - this.#startedAt;
    this.#context.emit.onEnd?.({ ...this.event, ...this.#ending(failure), attempts, status, durationMs });
  }

  /** The fields of every hook event. */
  get event(): CallEvent {
    // Not a UUID: a page served over http cannot create one.
    this.#callId ??= crypto.getRandomValues(new Uint32Array(4)).join('-');
    const { id, method, path } = this.operation;
    return { callId: this.#callId, operation: id, method, route: this.redact(path) };
  }

  /** A key may stand in the path of a custom request. */
  get path(): string {
    return this.redact(this.plan.path);
  }

  /** Removes the keys and passwords of this call from text. */
  get redact(): Redact {
    this.#redact ??= createRedact(() => [
      ...longKeys(this.#keys),
      ...secretsIn(this.plan.body, this.operation.secretFields ?? []),
    ]);
    return this.#redact;
  }

  /** A body as the service sent it, without the keys of this call. */
  withoutKeys(body: string, isTruncated = false): string {
    return withoutKeys(body, this.#keys, isTruncated);
  }

  /** A key is about to be sent. */
  addKey(key: string): void {
    if (this.#keys.has(key)) return;
    this.#keys.add(key);
    this.#redact = undefined;
  }

  /** The error of a call that may not be sent, or not again. */
  #denied(denial: Denial): unknown {
    const { rejection } = this.#context.limiter;
    if (denial === 'aborted') return this.plan.rules.signal?.reason;
    return denial === 'limited' && rejection ? this.#limited(rejection) : this.#pastDeadline();
  }

  /** The 429 of another call, as the error of this one. */
  #limited({ status, headers, body, serviceMessage, fieldErrors, origin }: LimitRejection): AnyCallError {
    const response = { request: this, status, statusText: '', headers, body };
    return createApiError(response, { origin, page: 'a page', message: serviceMessage, fieldErrors });
  }

  /** Time is up in the queue, or will be before a pause is over. It ends between two attempts, so what the last one did is known. */
  #pastDeadline(): AnyCallError {
    const { pauseLeft } = this.#context.limiter;
    const total = Number(this.plan.rules.totalTimeout);
    const reason =
      pauseLeft > 0
        ? `was not sent: the service asks to wait for ${Math.ceil(pauseLeft)} ms, longer than \`totalTimeout\` (${total} ms) allows.`
        : `was not sent: it waited in the queue for its \`totalTimeout\` of ${total} ms. Raise it, or \`maxConcurrency\`.`;
    const { outcome } = toVerdict(this);
    return new TimeoutError(this, 'total', total, this.attempts === 0 ? reason : undefined, outcome);
  }

  /** The wait after a 429, in milliseconds; `false` if the call may not wait for it. */
  #pauseLeft({ mayRetry }: Permit): number | false {
    const { limiter } = this.#context;
    return mayRetry && limiter.denialOf(this.#ticket) === undefined && Math.ceil(limiter.pauseLeft);
  }

  /** The wait before the next attempt in milliseconds; `false` for no further attempt. */
  #delayAfter(failure: AnyCallError): number | false {
    this.#failures += 1;
    const { maxRetryAfter } = this.#context.settings;
    const { maxRetries } = this.plan.rules;
    const isDivisible = this.operation.isDivisible === true;
    return nextDelay(failure, this.#failures, { maxRetries, maxRetryAfter, isDivisible });
  }

  /** Whether a DELETE gets a 404 after an attempt whose response was lost. */
  #isGone(failure: unknown): boolean {
    return this.operation.method === 'DELETE' && this.history.mayHaveActed && hasStatus(failure, 404);
  }

  /** The fields of the events about the current attempt. */
  get requestEvent(): RequestEvent {
    return { ...this.event, url: this.redact(this.plan.url), attempt: this.attempts };
  }

  #ending(failure?: { readonly error: unknown }): Pick<OnEndEvent, 'outcome' | 'error' | 'retryable'> {
    if (failure === undefined) return { outcome: 'success', error: null, retryable: false };
    const { error } = failure;
    if (error === prefetchCancelled) return { outcome: 'cancelled', error: null, retryable: false };
    const { outcome, retryable } = isVerdict(error, this.plan.rules.signal) ? error : toVerdict(this);
    return { outcome, error, retryable };
  }
}
