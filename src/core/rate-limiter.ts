// Decides when requests are sent, for all clients of one address and key: adaptive concurrency, as in TCP (AIMD), and one
// shared pause.
//
// - First come, first served. A request is sent when no pause is on, fewer than `limit` are in flight of those sent since
//   the last pause began, and fewer than `maxConcurrency` of its client.
// - A 429 begins a pause and sets `limit` to 1. Each accepted request widens it again: by 1 up to half of what was in flight,
//   by 1/`limit` from there on. What the service says is left caps it; each accepted request that says nothing widens the cap by 1.
// - A rejected call keeps its place. It fails when the limit does not lift: after `maxRetries + 1` rejections in a row, with
//   nothing accepted and nothing else in flight in between. Then waiting calls that have no `maxRetries` left fail with it. Without
//   retries, a rejection shows as much only where nothing else was in flight and the service did not say how long to wait.
// - A slot is a lease, since a worker may kill a request silently.

import { isWorker } from '../util/platform.ts';
import type { RateLimitError } from './errors/api-error.ts';
import { Queue, type Queued } from './queue.ts';
import { withJitter } from './retry.ts';
import { onAbort, startTimer, wait } from './time.ts';

/** The requests in flight of a client, and of the clients that share its `maxConcurrency`. */
export class Concurrency {
  readonly max: number;
  inFlight = 0;
  readonly queue = new Queue<PendingRequest>();

  constructor(max: number) {
    this.max = max;
  }
}

/** A call at the rate limiter, for all of its attempts. */
export interface Ticket {
  readonly concurrency: Concurrency;
  readonly maxRetries: number;
  /** The longest pause to wait for, in milliseconds. */
  readonly maxRetryAfter: number;
  /** When the call ends, by the clock of `performance.now()`. */
  readonly endsAt: number;
  /** Time limit of an attempt, in milliseconds. */
  readonly timeout: number | false;
  readonly signal: AbortSignal | undefined;
  /** The call's place in the queue. */
  readonly place: number;
  /** Rejections that nothing else in flight explains, before the call was made: they do not count against it. */
  readonly unexplainedBefore: number;
}

/** Why a request may not be sent: its signal aborted, `totalTimeout` is too short, or the limit does not lift in time. */
export type Denial = 'aborted' | 'deadline' | 'limited';

/** A 429, as far as it is known: its body may still be arriving. */
export type LimitRejection = Pick<
  RateLimitError,
  'status' | 'headers' | 'body' | 'serviceMessage' | 'fieldErrors' | 'origin'
>;

interface PendingRequest extends Queued {
  readonly ticket: Ticket;
  readonly decide: (decision: Permit | Denial) => void;
}

/** The slot of a request. */
export class Permit {
  readonly ticket: Ticket;
  /** The number of pauses before it was sent. */
  readonly epoch: number;
  readonly expiresAt: number;
  /** Whether it got a 429, whether another attempt may follow, and whether the limit does not lift for others either. */
  isRejected = false;
  mayRetry = true;
  provesLimitStays = false;

  constructor(ticket: Ticket, epoch: number) {
    this.ticket = ticket;
    this.epoch = epoch;
    this.expiresAt = performance.now() + (ticket.timeout || LONGEST_LEASE_MS);
  }
}

const NOBODY = { place: 0, maxRetries: 0 };

/** How long a slot is held at most by an attempt without `timeout`. */
const LONGEST_LEASE_MS = 5 * 60_000;
const LONGEST_PAUSE_MS = 60 * 60_000;
/** The pause after a 429 that does not say how long to wait; doubled with each rejection in a row. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_GUESS_MS = 8_000;
/** The range of the polling in workers. */
const FIRST_POLL_MS = 50;
const LONGEST_POLL_MS = 500;

export class RateLimiter {
  /** Limit of requests in flight; unbounded before the first 429. */
  #limit = Number.POSITIVE_INFINITY;
  /** Below it, the limit grows by 1 with each accepted request. */
  #threshold = Number.POSITIVE_INFINITY;
  /** Remaining requests, as the service last reported. */
  #remaining = Number.POSITIVE_INFINITY;
  /** When the service accepts requests again, and when they are sent: later by a jitter, so that clients do not retry together. */
  #liftsAt = 0;
  #pausedUntil = 0;
  /** Counts the pauses: a request sent before one says little about the time after it. */
  #epoch = 0;
  /** Requests in flight that were sent since the last pause began. */
  #inFlightThisEpoch = 0;
  readonly #inFlight = new Set<Permit>();
  /** Since a request was accepted last. */
  #pausesInARow = 0;
  /** Rejections that nothing else in flight explains, and how many there were when a request was accepted last. */
  #unexplained = 0;
  #unexplainedAtLastAccept = 0;
  #tickets = 0;
  /** The calls up to this place that have no more `maxRetries` fail: the limit did not lift for one of them. */
  #failed = NOBODY;
  #rejection: LimitRejection | undefined;
  /** The clients that have calls in their queue. */
  readonly #waiting = new Set<Concurrency>();
  /** Of the waiting calls. Without these two fields, a 429 would look at each of them: 0.6 s where 50,000 wait. */
  #earliestEnd = Number.POSITIVE_INFINITY;
  #shortestRetryAfter = Number.POSITIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Milliseconds until the pause is over. */
  get pauseLeft(): number {
    return Math.max(0, this.#pausedUntil - performance.now());
  }

  /** The last 429, for calls that fail with it without having been sent. */
  get rejection(): LimitRejection | undefined {
    return this.#rejection;
  }

  /** Registers a call and assigns its place in the queue. */
  join(call: Omit<Ticket, 'place' | 'unexplainedBefore'>): Ticket {
    this.#tickets += 1;
    return { ...call, place: this.#tickets, unexplainedBefore: this.#unexplained };
  }

  /** Resolves when the request may be sent, or with the reason why not. Pass the permit to `release` when the request has ended. */
  acquire(ticket: Ticket): Permit | Denial | Promise<Permit | Denial> {
    const denial = this.denialOf(ticket);
    if (denial !== undefined) return denial;
    if (this.#waiting.size === 0 && this.#hasRoom(ticket.concurrency)) return this.#permit(ticket);
    return isWorker() ? this.#poll(ticket) : this.#enqueue(ticket);
  }

  /** Why a call may not wait any longer, if so. */
  denialOf({ signal, place, maxRetries, maxRetryAfter, endsAt }: Ticket): Denial | undefined {
    if (signal?.aborted) return 'aborted';
    const hasFailed = place <= this.#failed.place && maxRetries <= this.#failed.maxRetries;
    const isTooLong = this.#liftsAt - performance.now() > maxRetryAfter;
    if (hasFailed || isTooLong) return 'limited';
    return Math.max(this.#pausedUntil, performance.now()) >= endsAt ? 'deadline' : undefined;
  }

  /**
   * The headers of a response have arrived; `shown` gives those that the errors of other calls may hold. Returns the length of the
   * pause that they start, if any.
   */
  onResponse(
    permit: Permit,
    status: number,
    shown: () => Headers,
    retryAfterMs: number | null,
    remaining: number | null,
  ): number | undefined {
    const isAccepted = status !== 429 && status < 500;
    if (remaining !== null) this.#remaining = Math.max(1, remaining);
    // A route without a limit says nothing, and so widens the cap.
    else if (isAccepted) this.#remaining += 1;
    let pauseMs: number | undefined;
    if (status === 429) {
      const unread = { body: '', serviceMessage: null, fieldErrors: {}, origin: 'service' } as const;
      this.#rejection = { status, headers: shown(), ...unread };
      pauseMs = this.#pause(permit, retryAfterMs);
    } else if (isAccepted) this.#accept();
    // Does not wait for the end of the body, which may be slow: the pause may be longer now, or there may be room.
    this.#advance();
    return pauseMs;
  }

  /** The request has ended, with a `rejection` if it was one. */
  release(permit: Permit, rejection?: RateLimitError): void {
    this.#free(permit);
    const isFailing = rejection !== undefined && permit.provesLimitStays;
    if (rejection !== undefined) this.#rejection = rejection;
    if (isFailing) this.#failed = { place: this.#tickets, maxRetries: permit.ticket.maxRetries };
    if (permit.isRejected) this.#dismiss(isFailing);
    this.#advance();
  }

  #accept(): void {
    this.#failed = NOBODY;
    this.#pausesInARow = 0;
    this.#unexplainedAtLastAccept = this.#unexplained;
    // Unbounded stays unbounded.
    this.#limit += this.#limit < this.#threshold ? 1 : 1 / this.#limit;
  }

  #pause(permit: Permit, retryAfterMs: number | null): number | undefined {
    const isFirst = permit.epoch === this.#epoch;
    if (isFirst) {
      this.#pausesInARow += 1;
      if (this.#inFlight.size > 1) this.#unexplainedAtLastAccept = this.#unexplained;
      else this.#unexplained += 1;
      // One request alone says nothing about how many may be in flight.
      if (this.#limit > 1) this.#threshold = this.#inFlightThisEpoch / 2;
      this.#limit = 1;
      this.#epoch += 1;
      this.#inFlightThisEpoch = 0;
    }
    const { maxRetries, unexplainedBefore } = permit.ticket;
    const unexplainedInARow = this.#unexplained - Math.max(unexplainedBefore, this.#unexplainedAtLastAccept);
    const isAlone = isFirst && this.#inFlight.size === 1;
    permit.isRejected = true;
    permit.mayRetry = Math.max(1, unexplainedInARow) <= maxRetries;
    permit.provesLimitStays = !permit.mayRetry && (maxRetries > 0 || (isAlone && !retryAfterMs));
    const guess = Math.min(LONGEST_GUESS_MS, FIRST_PAUSE_MS * 2 ** (this.#pausesInARow - 1));
    const asked = Math.min(retryAfterMs || guess, LONGEST_PAUSE_MS);
    const paused = retryAfterMs ? withJitter(asked) : asked + (Math.random() * asked) / 4;
    this.#liftsAt = Math.max(this.#liftsAt, performance.now() + asked);
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + paused);
    return isFirst ? this.pauseLeft : undefined;
  }

  #hasRoom({ inFlight, max }: Concurrency): boolean {
    return this.pauseLeft === 0 && this.#inFlightThisEpoch < this.#window && inFlight < max;
  }

  get #window(): number {
    return Math.floor(Math.min(this.#limit, this.#remaining));
  }

  #permit(ticket: Ticket): Permit {
    // A finished pause stays finished, even if tests set the clock back.
    this.#pausedUntil = this.#liftsAt = 0;
    const permit = new Permit(ticket, this.#epoch);
    this.#inFlight.add(permit);
    this.#inFlightThisEpoch += 1;
    ticket.concurrency.inFlight += 1;
    return permit;
  }

  #free(permit: Permit): void {
    // Its lease may have ended before.
    if (!this.#inFlight.delete(permit)) return;
    permit.ticket.concurrency.inFlight -= 1;
    if (permit.epoch === this.#epoch) this.#inFlightThisEpoch -= 1;
  }

  #enqueue(ticket: Ticket): Promise<Permit | Denial> {
    const { concurrency, signal, endsAt } = ticket;
    return new Promise((resolve) => {
      const decide: PendingRequest['decide'] = (decision) => {
        clearTimeout(timer);
        unfollow?.();
        concurrency.queue.delete(pending);
        if (concurrency.queue.size === 0) this.#waiting.delete(concurrency);
        if (this.#waiting.size === 0) this.#stopWaiting();
        resolve(decision);
      };
      const pending: PendingRequest = { ticket, place: ticket.place, decide };
      const timer = startTimer(endsAt - performance.now(), () => decide('deadline'));
      const unfollow = signal && onAbort(signal, () => decide('aborted'));
      concurrency.queue.insert(pending);
      this.#waiting.add(concurrency);
      this.#expect(ticket);
      this.#advance();
    });
  }

  /** In a worker, resolving the promise of another request ends that request: each call asks by its own timer. */
  async #poll(ticket: Ticket): Promise<Permit | Denial> {
    for (let delay = FIRST_POLL_MS; ; delay = Math.min(2 * delay, LONGEST_POLL_MS)) {
      // With full jitter: those that began together would ask together.
      const asksIn = Math.min(Math.random() * delay, ticket.endsAt - performance.now());
      await wait(asksIn, ticket.signal).catch(() => {});
      this.#endLeases();
      const denial = this.denialOf(ticket);
      if (denial !== undefined) return denial;
      if (this.#hasRoom(ticket.concurrency)) return this.#permit(ticket);
    }
  }

  /** Sends every request that may be sent, and sets a timer for the next. */
  #advance(): void {
    while (this.#waiting.size > 0) {
      const { pauseLeft } = this;
      if (pauseLeft > 0) {
        clearTimeout(this.#timer);
        // The timer decides: tests may fake timers without the clock.
        this.#timer = setTimeout(() => this.#resume(true), pauseLeft);
        return;
      }
      const pending = this.#inFlightThisEpoch < this.#window ? this.#next() : undefined;
      if (pending === undefined) {
        this.#timer ??= startTimer(this.#leaseLeft(), () => this.#resume(false));
        return;
      }
      pending.decide(this.#permit(pending.ticket));
    }
  }

  #resume(isPauseOver: boolean): void {
    this.#timer = undefined;
    if (isPauseOver) this.#pausedUntil = 0;
    this.#endLeases();
    this.#advance();
  }

  /** The first in line whose client has a free slot. */
  #next(): PendingRequest | undefined {
    let next: PendingRequest | undefined;
    for (const { queue, inFlight, max } of this.#waiting) {
      const { first } = queue;
      if (first === undefined || inFlight >= max) continue;
      if (next === undefined || first.place < next.place) next = first;
    }
    return next;
  }

  /** Ends the wait of calls for which the pause is too long, or the limit does not lift. */
  #dismiss(isFailing: boolean): void {
    const isTooLong = this.#liftsAt - performance.now() > this.#shortestRetryAfter;
    if (!isFailing && !isTooLong && this.#pausedUntil < this.#earliestEnd) return;
    this.#earliestEnd = this.#shortestRetryAfter = Number.POSITIVE_INFINITY;
    for (const { queue } of this.#waiting) {
      for (const { ticket, decide } of queue) {
        const denial = this.denialOf(ticket);
        if (denial === undefined) this.#expect(ticket);
        else decide(denial);
      }
    }
  }

  #expect({ endsAt, maxRetryAfter }: Ticket): void {
    this.#earliestEnd = Math.min(this.#earliestEnd, endsAt);
    this.#shortestRetryAfter = Math.min(this.#shortestRetryAfter, maxRetryAfter);
  }

  #stopWaiting(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#earliestEnd = this.#shortestRetryAfter = Number.POSITIVE_INFINITY;
  }

  #leaseLeft(): number {
    let first = Number.POSITIVE_INFINITY;
    for (const { expiresAt } of this.#inFlight) first = Math.min(first, expiresAt);
    return first - performance.now();
  }

  #endLeases(): void {
    for (const permit of this.#inFlight) if (permit.expiresAt <= performance.now()) this.#free(permit);
  }
}
