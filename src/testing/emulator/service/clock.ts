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
  return createClock(
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
  return createClock(
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

/** @param arm Calls a function when this much time has passed by itself; returns a function that cancels it. */
function createClock(
  present: () => number,
  arm: (delay: number, begin: () => void, background: boolean) => () => void,
): ManualClock {
  let ahead = 0;
  let waiting: Waiting[] = [];
  const running = new Set<Promise<void>>();
  const now = () => present() + ahead;

  function run(task: () => Promise<void>): void {
    const done = task().finally(() => running.delete(done));
    running.add(done);
  }

  async function finishRunning(): Promise<void> {
    while (running.size > 0) await Promise.all(running);
  }

  function setTimer(entry: Waiting): void {
    entry.disarm();
    entry.disarm = arm(entry.at - now(), () => begin(entry), entry.background);
  }

  function drop(entry: Waiting): void {
    entry.disarm();
    waiting = waiting.filter((other) => other !== entry);
  }

  function begin(entry: Waiting): void {
    drop(entry);
    run(entry.task);
  }

  function moveTo(moment: number): void {
    ahead += Math.max(0, moment - now());
  }

  function nextDueBy(end: number): Waiting | undefined {
    return waiting.reduce<Waiting | undefined>(
      (first, entry) => (entry.at <= end && (first === undefined || entry.at < first.at) ? entry : first),
      undefined,
    );
  }

  return {
    now,
    schedule(delay, task, background = false) {
      if (delay <= 0) {
        run(task);
        return () => {};
      }
      const entry: Waiting = { at: now() + delay, task, background, disarm: () => {} };
      setTimer(entry);
      waiting.push(entry);
      return () => drop(entry);
    },
    async advance(ms) {
      if (!(ms >= 0)) throw new RangeError(`A clock only moves forward: advance(${ms}) is not possible.`);
      const end = now() + ms;
      if (end > LATEST) throw new RangeError('A clock goes up to the year 9999, as its times are written.');
      await finishRunning();
      for (let entry = nextDueBy(end); entry !== undefined; entry = nextDueBy(end)) {
        moveTo(entry.at);
        begin(entry);
        await finishRunning();
      }
      moveTo(end);
      for (const entry of waiting) setTimer(entry);
    },
  };
}
