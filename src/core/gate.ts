// The gate of a client: the one place that says "go". A request may leave when there is room (`maxConcurrency`), when the
// limit of the service allows it, and while its call has time left; whoever may not waits in line, or is told why. A
// request that was refused keeps its place at the head of the line.

import { LONGEST_TIMER_MS } from '../util/numbers.ts';
import { type Ending, Limit } from './limit.ts';
import { onAbort } from './time.ts';

/** A request that wants to leave. */
export interface Turn {
  /** Whether it has left before; it then keeps its place at the head. */
  readonly isReturning: boolean;
  /** When its call has to have ended, by the clock of `performance.now()`. */
  readonly endsAt: number;
  /** Milliseconds that must be left after waiting: what is sent with less is cut off, and its outcome is unknown. */
  readonly leastLeft: number;
  /** How many refusals in a row it accepts. */
  readonly maxRefusals: number;
  readonly signal: AbortSignal | undefined;
  /** The error when there is no time left, or none after the `pause`, in milliseconds. */
  readonly late: (pause: number) => Error;
  /** The error when the limit is not lifting; `last` is the one of the last probe. */
  readonly refused: (last: Error) => Error;
}

/** A request that has left. */
export interface Pass {
  readonly turn: Turn;
  /** The time between two pauses in which it left. */
  readonly period: number;
}

/** A request in line. It is settled with its pass, or with what makes its error. */
interface Waiter {
  readonly turn: Turn;
  readonly settle: (outcome: Pass | (() => unknown)) => void;
}

/** The gates that have somebody in line, by limit: what one learns concerns all. */
const waiting = new WeakMap<Limit, Set<Gate>>();

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

  /**
   * Resolves when the request may leave; pass what it resolves with to `leave` when it has ended.
   *
   * @throws what `turn` makes for a request that cannot leave in time, or the reason of its signal
   */
  async enter(turn: Turn): Promise<Pass> {
    if (turn.signal?.aborted) throw turn.signal.reason;
    // A call that finds nobody before it finds out anew.
    if (!turn.isReturning && !waiting.get(this.#limit)?.size) this.#limit.forget();
    if (this.#isLate(turn)) throw turn.late(this.pauseLeft);
    if (this.#isEmpty && this.#blockedFor() === 0) return this.#admit(turn);
    try {
      return await this.#wait(turn);
    } catch (explain) {
      // Made here and not in a timer, so that its stack names the caller.
      throw (explain as () => unknown)();
    }
  }

  /** Says how a request has ended; returns whether it may enter again after a refusal. */
  leave({ turn, period }: Pass, ending: Ending): boolean {
    this.#inFlight -= 1;
    const limit = this.#limit;
    if (limit.end(period, ending)) this.#onPause(limit.pauseLeft);
    // This one was refused itself, whatever was answered since.
    const mayReturn = Math.max(1, limit.refusals) <= turn.maxRefusals;
    // Those that let somebody leave last come last.
    const gates = new Set([...(waiting.get(limit) ?? []), this]);
    if (typeof ending === 'object') for (const gate of gates) gate.#refuse(ending.error);
    for (const gate of gates) gate.#advance();
    return mayReturn;
  }

  get #isEmpty(): boolean {
    return this.#returning.size + this.#queue.size === 0;
  }

  #admit(turn: Turn): Pass {
    this.#inFlight += 1;
    return { turn, period: this.#limit.leave() };
  }

  #isLate({ endsAt, leastLeft }: Turn): boolean {
    return this.pauseLeft > 0 && performance.now() + this.pauseLeft >= endsAt - leastLeft;
  }

  /** Milliseconds until the next request may leave: 0 for now, `Infinity` until another has ended. */
  #blockedFor(): number {
    return this.#inFlight < this.#room ? this.#limit.blockedFor : Number.POSITIVE_INFINITY;
  }

  /** After a refusal: tells those who have no time for the pause, and those for whom the limit is not lifting. */
  #refuse(error: Error): void {
    for (const { turn, settle } of this.#waiters()) {
      // Whoever was not refused itself still tries once.
      if (this.#limit.refusals > Math.max(1, turn.maxRefusals)) settle(() => turn.refused(error));
      else if (this.#isLate(turn)) settle(() => turn.late(this.pauseLeft));
    }
  }

  #wait(turn: Turn): Promise<Pass> {
    return new Promise((resolve, reject) => {
      const line = turn.isReturning ? this.#returning : this.#queue;
      const settle: Waiter['settle'] = (outcome) => {
        line.delete(waiter);
        clearTimeout(timer);
        unfollow?.();
        if (this.#isEmpty) waiting.get(this.#limit)?.delete(this);
        if (typeof outcome === 'function') reject(outcome);
        else resolve(outcome);
      };
      const waiter: Waiter = { turn, settle };
      const left = turn.endsAt - performance.now();
      const isLimited = left <= LONGEST_TIMER_MS;
      const timer = isLimited ? setTimeout(() => settle(() => turn.late(0)), left) : undefined;
      const unfollow = turn.signal && onAbort(turn.signal, () => settle(() => turn.signal?.reason));
      line.add(waiter);
      const gates = waiting.get(this.#limit) ?? new Set();
      waiting.set(this.#limit, gates.add(this));
      this.#advance();
    });
  }

  /** Lets all leave who may, and comes back when the next one may. */
  #advance(): void {
    clearTimeout(this.#timer);
    for (const { turn, settle } of this.#waiters()) {
      const blocked = this.#blockedFor();
      if (turn.endsAt - performance.now() < turn.leastLeft) settle(() => turn.late(0));
      else if (blocked === 0) {
        settle(this.#admit(turn));
        this.#goLast();
      } else {
        // The end of a pause says nothing about answers that are late.
        const next = this.pauseLeft > 0 ? () => this.#advance() : () => this.#relax();
        if (blocked < Number.POSITIVE_INFINITY)
          this.#timer = setTimeout(next, Math.min(blocked, LONGEST_TIMER_MS));
        return;
      }
    }
  }

  /** Behind the other gates under the same limit, whose requests have waited longer for a turn. */
  #goLast(): void {
    const gates = waiting.get(this.#limit);
    if (gates?.delete(this)) gates.add(this);
  }

  #relax(): void {
    this.#limit.relax();
    this.#advance();
  }

  *#waiters(): Generator<Waiter> {
    yield* this.#returning;
    yield* this.#queue;
  }
}
