import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { vi } from 'vitest';

/** Longer than any response takes. */
const LONG_MS = 30_000;

/**
 * Nobody waits for a pause of a minute: timers that long run at once, and the clocks move on by as much. Shorter ones keep
 * real time, as sockets do.
 */
export function skipLongWaits(): { readonly skippedMs: number } & Disposable {
  let skippedMs = 0;
  const { setTimeout: real } = globalThis;
  const timers = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
    callback: (...args: unknown[]) => void,
    delay = 0,
    ...args: unknown[]
  ) => {
    if (delay <= LONG_MS) return real(callback, delay, ...args);
    return real(() => {
      skippedMs += delay;
      callback(...args);
    }, 0);
  }) as typeof setTimeout);
  const clocks = [Date, performance].map((clock) => {
    const now = clock.now.bind(clock);
    return vi.spyOn(clock, 'now').mockImplementation(() => now() + skippedMs);
  });
  return {
    get skippedMs() {
      return skippedMs;
    },
    [Symbol.dispose]() {
      for (const spy of [timers, ...clocks]) spy.mockRestore();
    },
  };
}

/** Longer than anything between two servers of one process takes. */
const LONGEST_POLL_MS = 500;

/** The command polls for what has not come, in pauses that double: here they take a tenth of their time. */
export function shortenPolls(): Disposable {
  const { setTimeout: real } = timers;
  const wait = vi
    .spyOn(timers, 'setTimeout')
    .mockImplementation((delay = 0, value, options) =>
      real(Math.min(delay / 10, LONGEST_POLL_MS), value, options),
    );
  syncBuiltinESMExports();
  return {
    [Symbol.dispose]() {
      wait.mockRestore();
      syncBuiltinESMExports();
    },
  };
}
