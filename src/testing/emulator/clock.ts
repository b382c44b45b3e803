import { isObject } from '../../util/json.ts';

/** The emulator's only source of time: what it stamps records with and what its waits are measured by. */
export interface EmulatorClock {
  /** The present, in milliseconds since the epoch. */
  now(): number;
  /**
   * Runs `task` once, `delay` milliseconds from now; at once where `delay` is 0.
   *
   * @param background Whether a process with nothing else to do may end before. Default `false`.
   * @returns a function that cancels the task if it has not begun.
   */
  schedule(delay: number, task: () => Promise<void>, background?: boolean): () => void;
}

/** A clock that stands still until it is told to move. */
export interface ManualClock extends EmulatorClock {
  /**
   * Moves the clock forward by `ms`, running on the way everything that falls due, in order of time and one
   * after the other, each at its own moment. Resolves when all of it is done, deliveries and their answers
   * included.
   */
  advance(ms: number): Promise<void>;
}

/** Real time. */
export function createSystemClock(): EmulatorClock {
  return {
    now: () => Date.now(),
    schedule(delay, task, background = false) {
      if (delay <= 0) {
        void task();
        return () => {};
      }
      const timer: unknown = setTimeout(() => void task(), delay);
      if (background) unref(timer);
      return () => clearTimeout(timer as number);
    },
  };
}

/** Node gives a timer object, browsers and workers a number, which never holds a process open. */
function unref(timer: unknown): void {
  if (isObject(timer) && typeof timer['unref'] === 'function') timer['unref']();
}

/**
 * A clock for tests: retries, timestamps and delays follow it, so that no test waits in real time.
 *
 * @param start The first moment it shows, in milliseconds since the epoch. Default: 1 March 2025, 01:00 UTC.
 */
export function createManualClock(start: number = Date.UTC(2025, 2, 1, 1)): ManualClock {
  let now = start;
  let waiting: { at: number; task: () => Promise<void> }[] = [];
  const running = new Set<Promise<void>>();

  function run(task: () => Promise<void>): void {
    const done = task().finally(() => running.delete(done));
    running.add(done);
  }

  async function finishRunning(): Promise<void> {
    while (running.size > 0) await Promise.all(running);
  }

  function nextDueBy(end: number): { at: number; task: () => Promise<void> } | undefined {
    return waiting.reduce<(typeof waiting)[number] | undefined>(
      (first, entry) => (entry.at <= end && (first === undefined || entry.at < first.at) ? entry : first),
      undefined,
    );
  }

  return {
    now: () => now,
    schedule(delay, task) {
      if (delay <= 0) {
        run(task);
        return () => {};
      }
      const entry = { at: now + delay, task };
      waiting.push(entry);
      return () => {
        waiting = waiting.filter((other) => other !== entry);
      };
    },
    async advance(ms) {
      if (!(ms >= 0)) throw new RangeError(`A clock moves forward only: advance(${ms}) is refused.`);
      const end = now + ms;
      await finishRunning();
      for (let entry = nextDueBy(end); entry !== undefined; entry = nextDueBy(end)) {
        const due = entry;
        waiting = waiting.filter((other) => other !== due);
        now = due.at;
        run(due.task);
        await finishRunning();
      }
      now = end;
    },
  };
}
