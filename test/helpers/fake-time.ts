import { beforeEach, vi } from 'vitest';

/**
 * Puts the tests of a file on a clock that they move themselves. Sockets keep real time, but the platform's
 * fetch sets timers of its own, so only tests with a fetch of their own can count what is left.
 */
export function startFakeTime(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  });
}

/**
 * Lets every wait of the tests of a file pass as soon as nothing else is to be done: for a service without a socket, whose responses no
 * timer can overtake.
 */
export function skipWaits(): void {
  startFakeTime();
  beforeEach(() => void vi.setTimerTickMode('nextTimerAsync'));
}
