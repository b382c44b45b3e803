import { afterEach, beforeEach, vi } from 'vitest';

/**
 * Puts the tests of a file on a clock that they move themselves. Sockets keep real time, but the platform's
 * fetch sets timers of its own, so only tests with a fetch of their own can count what is left.
 */
export function startFakeTime(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
}
