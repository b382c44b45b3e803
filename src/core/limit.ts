// What the answers of the service say about its limit, shared by all clients of one key. A limit costs waits, not calls:
//
// - Before any refusal, a burst leaves in step with its answers, so that a limit is not met by a thousand requests at once.
// - A refusal (429) makes everybody wait as long as the service asks.
// - After the pause one request goes as a probe, and each answer lets more go, as many as went through between the last two
//   refusals. From there on they go one by one, so that the limit is found again by a single refusal.
// - When probes are refused again and again and nothing else gets through, the limit is not lifting.

import { backoff, withJitter } from './time.ts';

/** A request that was refused for a time. */
export interface Refusal {
  /** How long the service asks to wait, in milliseconds; `null` when it does not say. */
  readonly waitMs: number | null;
  readonly error: Error;
}

/** How a request ended: the service answered, it refused it for a time, or it did not answer. */
export type Ending = 'answered' | 'lost' | Refusal;

/** Requests that leave at first without an answer: many are too few for a limit, and too many for a burst. */
const FIRST_BURST = 20;
/** How much an answer widens the window: two answers let three more go. */
const GROWTH = 0.5;
/** How long to wait for an answer before more leave without one: a slow service must not hold up all calls. */
const PATIENCE_MS = 100;

/** Learns from how requests end when the next ones may leave. */
export class Limit {
  /** Probes refused in a row. */
  refusals = 0;
  /** Of those that left since the last pause: an older one that hangs must not keep back the probe. */
  #inFlight = 0;
  /** How many may be in flight as far as the answers show. */
  #window = FIRST_BURST;
  /** How many may be in flight beyond that, since answers take long. */
  #slack = 0;
  #pausedUntil = 0;
  /** Counts the pauses; a request that left before one says nothing about the time after it. */
  #period = 0;
  /** Requests that have left, and that were answered, since the last pause. */
  #left = 0;
  #passed = 0;
  /** How many the service answered between the last two pauses. */
  #allowance = Number.POSITIVE_INFINITY;

  /** Milliseconds until the pause is over. */
  get pauseLeft(): number {
    const left = this.#pausedUntil - performance.now();
    // Sums of times are not exact, and no timer waits for the rest.
    return left > 1e-3 ? left : 0;
  }

  /** Milliseconds until the next request may leave; 0 for now. */
  get blockedFor(): number {
    if (this.pauseLeft > 0) return this.pauseLeft;
    const window = this.#left < this.#allowance ? this.#window : 1;
    return this.#inFlight < window + this.#slack ? 0 : PATIENCE_MS;
  }

  /** A request leaves; returns the period in which it does. */
  leave(): number {
    this.#inFlight += 1;
    this.#left += 1;
    return this.#period;
  }

  /** The request that left in `period` has ended; returns whether a pause begins with it. */
  end(period: number, ending: Ending): boolean {
    if (period === this.#period) this.#inFlight -= 1;
    if (typeof ending === 'object') return this.#pause(period, ending);
    if (ending === 'answered') this.#open(period);
    return false;
  }

  /** Nobody is in line: unless a probe is under way, the refusals are those of calls that have ended. */
  forget(): void {
    if (this.#inFlight === 0) this.refusals = 0;
  }

  /** No answer has come for a while. */
  relax(): void {
    const isWaiting = this.pauseLeft === 0 && this.#inFlight > 0;
    // After a refusal a probe is one request, however long it takes.
    if (isWaiting) this.#slack += this.#period === 0 ? FIRST_BURST : 1;
  }

  #open(period: number): void {
    this.#slack = 0;
    if (period !== this.#period) {
      this.#allowance += 1;
      return;
    }
    this.#passed += 1;
    this.#window += GROWTH;
    this.refusals = 0;
    // Far more than before got through: the limit has gone.
    if (this.#passed >= 2 * this.#allowance) this.#allowance = Number.POSITIVE_INFINITY;
  }

  #pause(period: number, { waitMs }: Refusal): boolean {
    const isFirst = period === this.#period;
    let wait = waitMs ?? 0;
    if (isFirst) {
      this.refusals += 1;
      if (this.#passed > 0) this.#allowance = this.#passed;
      this.#period += 1;
      this.#inFlight = 0;
      this.#left = 0;
      this.#passed = 0;
      this.#window = 1;
      this.#slack = 0;
      // A service that says "now", or that refuses again after the wait that it asked for, means later.
      const least = wait === 0 || this.refusals > 1 ? backoff(this.refusals) : 0;
      wait = Math.max(withJitter(wait), least);
    }
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + wait);
    return isFirst;
  }
}
