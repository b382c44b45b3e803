import { onAbort, wait } from './deadline.ts';

/** Limits the requests of a client under way at once, and holds all of them back while the service asks for a pause. */
export class Gate {
  /** Those who wait for room, the first being the next. */
  readonly #queue = new Set<() => void>();
  #room: number;
  #closedUntil = 0;

  constructor(room: number) {
    this.#room = room;
  }

  /** Holds back every attempt for so many milliseconds. */
  pause(milliseconds: number): void {
    this.#closedUntil = Math.max(this.#closedUntil, performance.now() + milliseconds);
  }

  /** Comes when there is room for an attempt, which `leave` gives back; rejects for those who gave up meanwhile. */
  async enter(signal: AbortSignal | undefined): Promise<void> {
    if (this.#room > 0) this.#room -= 1;
    else await this.#turn(signal);
    try {
      signal?.throwIfAborted();
      // Looked at again after every wait, because the pause may have been extended meanwhile.
      for (let waitedUntil = 0; waitedUntil < this.#closedUntil; ) {
        waitedUntil = this.#closedUntil;
        const left = waitedUntil - performance.now();
        if (left > 0) await wait(left, signal);
      }
    } catch (error) {
      this.leave();
      throw error;
    }
  }

  /** Makes room for the next attempt. */
  leave(): void {
    const [next] = this.#queue;
    if (next === undefined) this.#room += 1;
    else next();
  }

  /** Remove aborted waiters so that they can be collected. */
  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const unfollow =
        signal &&
        onAbort(signal, () => {
          this.#queue.delete(enter);
          reject(signal.reason);
        });
      const enter = () => {
        this.#queue.delete(enter);
        unfollow?.();
        resolve();
      };
      this.#queue.add(enter);
    });
  }
}
