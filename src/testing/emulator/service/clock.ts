// The clocks of the emulator: one that follows real time, and one that stands still for tests.

import { isObject } from '../../../util/json.ts';
import { LONGEST_TIMER_MS } from '../../../util/numbers.ts';
import { readTime } from '../../schema/read-time.ts';

/** The emulator's only source of time, for timestamps and waits alike. */
export interface EmulatorClock {
  /** The current time, in milliseconds since the epoch. */
  now(): number;
  /**
   * Runs `task` once, after `delay` milliseconds; immediately if `delay` is 0.
   *
   * @param background Whether a process with nothing else to do may exit before. Default `false`.
   * @returns a function that cancels the task if it has not started.
   */
  schedule(delay: number, task: () => Promise<void>, background?: boolean): () => void;
}

/**
 * A clock that you can move. `createManualClock` returns one that stands still otherwise; an emulator's default clock
 * follows real time.
 */
export interface ManualClock extends EmulatorClock {
  /**
   * Moves the clock forward by `ms` and runs everything that becomes due, in order of time and one at a time, each at
   * its own moment. Resolves when all of it is done, including deliveries and their responses.
   */
  advance(ms: number): Promise<void>;
}

/** Whether a clock, such as one of the user's own, can be moved. */
export function isMovable(clock: EmulatorClock): clock is ManualClock {
  return 'advance' in clock && typeof clock.advance === 'function';
}

/** Real time, plus the amount it was moved forward. */
export function createSystemClock(): ManualClock {
  return new MovableClock(
    () => Date.now(),
    (delay, begin, background) => {
      let timer: unknown;
      const arm = (left: number) => {
        const wait = Math.min(left, LONGEST_TIMER_MS);
        timer = setTimeout(() => (left > wait ? arm(left - wait) : begin()), wait);
        if (background) unref(timer);
      };
      arm(delay);
      return () => clearTimeout(timer as number);
    },
  );
}

/** Node returns a timer object, browsers and workers a number, which never keeps a process alive. */
function unref(timer: unknown): void {
  if (isObject(timer) && typeof timer['unref'] === 'function') timer['unref']();
}

/**
 * A clock for tests: retries, timestamps and delays follow it, so no test waits in real time.
 *
 * @param start Its initial time: a `Date`, ISO 8601 with a UTC offset, or milliseconds since the epoch. Default: 1 March 2025, 01:00 UTC.
 * @throws {RangeError} when `start` is no time
 */
export function createManualClock(start: Date | string | number = '2025-03-01T01:00:00Z'): ManualClock {
  const present = readTime(typeof start === 'number' ? new Date(start) : start, 'start');
  return new MovableClock(
    () => present,
    () => () => {},
  );
}

/** The last day that ISO 8601 writes with four digits for the year, in every zone. */
const LATEST = Date.UTC(9999, 11, 30);

interface Waiting {
  readonly at: number;
  readonly task: () => Promise<void>;
  readonly background: boolean;
  /** Cancels its timer. */
  disarm: () => void;
}

/** Calls a function when this much time has passed by itself; returns a function that cancels it. */
type SetTimer = (delay: number, begin: () => void, background: boolean) => () => void;

class MovableClock implements ManualClock {
  readonly #present: () => number;
  readonly #setTimer: SetTimer;
  #ahead = 0;
  #waiting: Waiting[] = [];
  readonly #running = new Set<Promise<void>>();

  constructor(present: () => number, setTimer: SetTimer) {
    this.#present = present;
    this.#setTimer = setTimer;
  }

  /** A function of its own: it is passed on as the `now` of a receiver. */
  readonly now = () => this.#present() + this.#ahead;

  schedule(delay: number, task: () => Promise<void>, background = false): () => void {
    if (delay <= 0) {
      this.#run(task);
      return () => {};
    }
    const entry: Waiting = { at: this.now() + delay, task, background, disarm: () => {} };
    this.#arm(entry);
    this.#waiting.push(entry);
    return () => this.#drop(entry);
  }

  async advance(ms: number): Promise<void> {
    if (!(ms >= 0)) throw new RangeError(`A clock only moves forward: advance(${ms}) is not possible.`);
    const end = this.now() + ms;
    if (end > LATEST) throw new RangeError('A clock goes up to the year 9999, as its times are written.');
    await this.#finishRunning();
    for (let entry = this.#nextDueBy(end); entry !== undefined; entry = this.#nextDueBy(end)) {
      this.#moveTo(entry.at);
      this.#begin(entry);
      await this.#finishRunning();
    }
    this.#moveTo(end);
    for (const entry of this.#waiting) this.#arm(entry);
  }

  #arm(entry: Waiting): void {
    entry.disarm();
    // On a busy machine it may be due already: Node warns of a negative delay.
    const delay = Math.max(0, entry.at - this.now());
    entry.disarm = this.#setTimer(delay, () => this.#begin(entry), entry.background);
  }

  #drop(entry: Waiting): void {
    entry.disarm();
    this.#waiting = this.#waiting.filter((other) => other !== entry);
  }

  #begin(entry: Waiting): void {
    this.#drop(entry);
    this.#run(entry.task);
  }

  #run(task: () => Promise<void>): void {
    const done = task().finally(() => this.#running.delete(done));
    this.#running.add(done);
  }

  async #finishRunning(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  #moveTo(moment: number): void {
    this.#ahead += Math.max(0, moment - this.now());
  }

  #nextDueBy(end: number): Waiting | undefined {
    return this.#waiting.reduce<Waiting | undefined>(
      (first, entry) => (entry.at <= end && (first === undefined || entry.at < first.at) ? entry : first),
      undefined,
    );
  }
}
