// Holds requests back: limits how many run at once and pauses all after a 429.

import { onAbort, wait } from './deadline.ts';

/** Limits how many requests of a client run at once. */
export class Gate {
  /** Waiting attempts, next one first. */
  readonly #queue = new Set<() => void>();
  #room: number;

  constructor(room: number) {
    this.#room = room;
  }

  /** Resolves when there is room for an attempt, until `leave` is called; rejects when `signal` aborts first. */
  async enter(signal: AbortSignal | undefined): Promise<void> {
    if (this.#room > 0) this.#room -= 1;
    else await this.#turn(signal);
  }

  /** Makes room for the next attempt. */
  leave(): void {
    const [next] = this.#queue;
    if (next === undefined) this.#room += 1;
    else next();
  }

  /** Aborted waiters are removed, so that they can be collected. The signal is that of one call and ends with it. */
  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const enter = () => {
        this.#queue.delete(enter);
        resolve();
      };
      this.#queue.add(enter);
      if (signal === undefined) return;
      onAbort(signal, () => {
        this.#queue.delete(enter);
        reject(signal.reason);
      });
    });
  }
}

/** Pauses all requests of a client while the service asks for it. */
export class Pause {
  #until = 0;

  /** Pauses every attempt for this many milliseconds. */
  begin(milliseconds: number): void {
    this.#until = Math.max(this.#until, performance.now() + milliseconds);
  }

  /** Milliseconds until attempts may continue. */
  get left(): number {
    return Math.max(0, this.#until - performance.now());
  }

  /** Resolves when the pause is over; aborting `signal` ends the wait at once, with the signal's reason. */
  async over(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    // Checked again after every wait, because the pause may have been extended.
    for (let waitedUntil = 0; waitedUntil < this.#until; ) {
      waitedUntil = this.#until;
      if (this.left > 0) await wait(this.left, signal);
    }
  }
}
