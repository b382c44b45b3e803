// The gate of a client: the one place that says "go". A request may leave when there is room (`maxConcurrency`), when the
// limit of the service allows it, and while its call has time left; whoever may not waits in line, or is told why. A
// request that was refused keeps its place at the head of the line.
//
// The limit is what the answers of the service show of it, shared by all clients of one key. It costs waits, not calls:
//
// - Before any refusal, a burst leaves in step with its answers, so that a limit is not met by a thousand requests at once.
// - A refusal (429) makes everybody wait as long as the service asks.
// - After the pause one request goes as a probe, and each answer lets more go, as many as went through between the last two
//   refusals. From there on they go one by one, so that the limit is found again by a single refusal.
// - When probes are refused again and again and nothing else gets through, the limit is not lifting.

import { LONGEST_TIMER_MS } from '../util/numbers.ts';
import type { RateLimitError } from './errors/api-error.ts';
import type { Progress } from './progress.ts';
import { backoff, onAbort, startTimer, withJitter } from './time.ts';

/** How a request ended: the service answered, it refused it for a time, or it did not answer. */
export type Ending = 'answered' | 'lost' | RateLimitError;

/** The period in which a request leaves; or, if it may not, what makes the reason, where its stack gets to the caller. */
export type Admission = number | (() => unknown);

/** A request in line. */
interface Waiter {
  readonly call: Progress;
  readonly settle: (outcome: Admission) => void;
}

/** Lets the requests of a client leave. */
export class Gate {
  readonly #limit: Limit;
  readonly #room: number;
  /** Called when a pause begins, with its length in milliseconds. */
  readonly #onPause: (milliseconds: number) => void;
  readonly #returning = new Set<Waiter>();
  readonly #queue = new Set<Waiter>();
  #inFlight = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(room: number, onPause: (milliseconds: number) => void, limit = new Limit()) {
    this.#room = room;
    this.#onPause = onPause;
    this.#limit = limit;
  }

  /** The gate of a client with the same key: this one if it has as much room, otherwise one under the same limit. */
  withRoom(room: number, onPause: (milliseconds: number) => void): Gate {
    return room === this.#room ? this : new Gate(room, onPause, this.#limit);
  }

  /** Milliseconds until the pause is over. */
  get pauseLeft(): number {
    return this.#limit.pauseLeft;
  }

  /** Gives the period in which a request of the call leaves, at once or later: pass that to `leave` when it has ended. */
  enter(call: Progress): Admission | Promise<Admission> {
    const limit = this.#limit;
    const { signal } = call.plan.rules;
    // A request that has left before keeps its place at the head of the line.
    const isReturning = call.attempts > 0;
    if (signal?.aborted) return () => signal.reason;
    // A call that finds nobody before it finds out anew.
    if (!isReturning && limit.gates.size === 0) limit.forget();
    if (limit.blockedFor === 0 && this.#inFlight < this.#room && !limit.gates.has(this)) {
      this.#inFlight += 1;
      return limit.leave();
    }
    if (this.#isLate(call)) return () => call.late(limit.pauseLeft);
    return this.#wait(call, isReturning ? this.#returning : this.#queue);
  }

  /** Says how a request has ended; returns whether it may enter again after a refusal. */
  leave(call: Progress, period: number, ending: Ending): boolean {
    const limit = this.#limit;
    this.#inFlight -= 1;
    if (limit.end(period, ending)) this.#onPause(limit.pauseLeft);
    // This one was refused itself, whatever was answered since.
    const mayReturn = Math.max(1, limit.refusals) <= call.plan.rules.maxRetries;
    const gates = [...limit.gates];
    if (typeof ending === 'object') for (const gate of gates) gate.#refuse(ending);
    for (const gate of gates) gate.#advance();
    return mayReturn;
  }

  /** Whether too little time is left, or will be after the pause. */
  #isLate({ endsAt, leastLeft }: Progress): boolean {
    return performance.now() + this.pauseLeft > endsAt - leastLeft;
  }

  /** After a refusal: tells those who have no time for the pause, and those for whom the limit is not lifting. */
  #refuse(error: RateLimitError): void {
    for (const { call, settle } of this.#waiters()) {
      // Whoever was not refused itself still tries once.
      if (this.#limit.refusals > Math.max(1, call.plan.rules.maxRetries)) settle(() => call.refused(error));
      else if (this.#isLate(call)) settle(() => call.late(this.pauseLeft));
    }
  }

  #wait(call: Progress, line: Set<Waiter>): Promise<Admission> {
    return new Promise((resolve) => {
      const settle: Waiter['settle'] = (outcome) => {
        line.delete(waiter);
        clearTimeout(timer);
        unfollow?.();
        if (this.#returning.size + this.#queue.size === 0) {
          this.#limit.gates.delete(this);
          clearTimeout(this.#timer);
        }
        resolve(outcome);
      };
      const waiter: Waiter = { call, settle };
      const timer = startTimer(call.endsAt - performance.now(), () => settle(() => call.late(0)));
      const { signal } = call.plan.rules;
      const unfollow = signal && onAbort(signal, () => settle(() => signal.reason));
      line.add(waiter);
      this.#limit.gates.add(this);
      this.#advance();
    });
  }

  /** Lets all leave who may, and comes back when the next one may. */
  #advance(): void {
    const limit = this.#limit;
    clearTimeout(this.#timer);
    for (const { call, settle } of this.#waiters()) {
      if (this.#isLate(call)) settle(() => call.late(this.pauseLeft));
      else if (this.#inFlight >= this.#room) return;
      else if (limit.blockedFor > 0) {
        // The end of a pause says nothing about answers that are late.
        const next = limit.pauseLeft > 0 ? () => limit.resume() : () => limit.relax();
        const advance = () => {
          next();
          this.#advance();
        };
        this.#timer = setTimeout(advance, Math.min(limit.blockedFor, LONGEST_TIMER_MS));
        return;
      } else {
        this.#inFlight += 1;
        settle(limit.leave());
        // Behind the other gates under the same limit, whose requests have waited longer for a turn.
        if (limit.gates.delete(this)) limit.gates.add(this);
      }
    }
  }

  *#waiters(): Generator<Waiter> {
    yield* this.#returning;
    yield* this.#queue;
  }
}

/** Requests that leave at first without an answer: many are too few for a limit, and too many for a burst. */
const FIRST_BURST = 20;
/** How much an answer widens the window: two answers let three more go. */
const GROWTH = 0.5;
/** How long to wait for an answer before more leave without one: a slow service must not hold up all calls. */
const PATIENCE_MS = 100;

/** Learns from how requests end when the next ones may leave. */
class Limit {
  /** The gates that have somebody in line; those that let somebody leave last come last. */
  readonly gates = new Set<Gate>();
  /** Probes refused in a row. */
  refusals = 0;
  /** Of those that left since the last pause: an older one that hangs must not keep back the probe. */
  #inFlight = 0;
  /** How many may be in flight beyond what the answers show, since they take long. */
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
    return Math.max(0, this.#pausedUntil - performance.now());
  }

  /** Milliseconds until the next request may leave; 0 for now. */
  get blockedFor(): number {
    const window = this.#left < this.#allowance ? this.#burst + GROWTH * this.#passed : 1;
    return this.pauseLeft || (this.#inFlight < window + this.#slack ? 0 : PATIENCE_MS);
  }

  /** A request leaves; returns the period in which it does. */
  leave(): number {
    this.#inFlight += 1;
    this.#left += 1;
    // A pause that is over stays so, also where tests put another clock into the place of this one.
    this.#pausedUntil = 0;
    return this.#period;
  }

  /** The request that left in `period` has ended; returns whether a pause begins with it. */
  end(period: number, ending: Ending): boolean {
    const isCurrent = period === this.#period;
    if (isCurrent) this.#inFlight -= 1;
    if (typeof ending === 'object') return this.#pause(isCurrent, ending);
    if (ending === 'lost') return false;
    this.#slack = 0;
    // Whichever period it left in: something got through.
    this.refusals = 0;
    if (!isCurrent) {
      this.#allowance += 1;
      return false;
    }
    this.#passed += 1;
    // Far more than before got through: the limit has gone.
    if (this.#passed >= 2 * this.#allowance) this.#allowance = Number.POSITIVE_INFINITY;
    return false;
  }

  /** Nobody is in line: unless a probe is under way, the refusals are those of calls that have ended. */
  forget(): void {
    if (this.#inFlight === 0) this.refusals = 0;
  }

  /** The pause is over, whatever another clock says: timers decide, of which tests may replace those and no clock. */
  resume(): void {
    this.#pausedUntil = 0;
  }

  /** No answer has come for a while. */
  relax(): void {
    this.#slack += this.#burst;
  }

  /** How many leave without an answer. After a refusal a probe is one request, however long it takes. */
  get #burst(): number {
    return this.#period === 0 ? FIRST_BURST : 1;
  }

  #pause(isFirst: boolean, { retryAfterMs }: RateLimitError): boolean {
    let wait = retryAfterMs ?? 0;
    if (isFirst) {
      this.refusals += 1;
      if (this.#passed > 0) this.#allowance = this.#passed;
      this.#period += 1;
      this.#inFlight = 0;
      this.#left = 0;
      this.#passed = 0;
      this.#slack = 0;
      // A service that says "now", or that refuses again after the wait that it asked for, means later.
      const least = wait === 0 || this.refusals > 1 ? backoff(this.refusals) : 0;
      wait = Math.max(withJitter(wait), least);
    }
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + wait);
    return isFirst;
  }
}
