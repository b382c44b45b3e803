import { wait } from './time.ts';

/** What all attempts of a client pass: so many at once, and none while the service has asked for a pause. */
export class Gate {
  readonly #longestPause: number;
  /** Those who wait for room, the first being the next. */
  readonly #queue = new Set<() => void>();
  #room: number;
  #closedUntil = 0;

  constructor(room: number, longestPause: number) {
    this.#room = room;
    this.#longestPause = longestPause;
  }

  /** Holds back every attempt for so many milliseconds, unless that is longer than anybody is to wait. */
  pause(milliseconds: number | null): void {
    if (milliseconds === null || milliseconds > this.#longestPause) return;
    this.#closedUntil = Math.max(this.#closedUntil, Date.now() + milliseconds);
  }

  /** Makes an attempt when there is room for it; none is made for those who gave up meanwhile. */
  async pass<T>(signal: AbortSignal | undefined, attempt: () => Promise<T>): Promise<T> {
    if (this.#room > 0) this.#room -= 1;
    else await this.#turn(signal);
    try {
      // Looked at again after every wait, because the pause may have been extended meanwhile.
      for (;;) {
        signal?.throwIfAborted();
        const left = this.#closedUntil - Date.now();
        if (left <= 0) return await attempt();
        await wait(left, signal);
      }
    } finally {
      this.#leave();
    }
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      this.#queue.add(resolve);
      // Who gives up is forgotten, with all that the call holds. The signal lives no longer than the call.
      signal?.addEventListener('abort', () => this.#queue.delete(resolve));
    });
  }

  #leave(): void {
    const [next] = this.#queue;
    if (next === undefined) this.#room += 1;
    else this.#queue.delete(next);
    next?.();
  }
}
