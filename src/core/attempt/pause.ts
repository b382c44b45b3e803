import { wait } from './deadline.ts';

/** Holds back all requests of a client while the service asks for it. */
export class Pause {
  #until = 0;

  /** Holds every attempt back for so many milliseconds. */
  begin(milliseconds: number): void {
    this.#until = Math.max(this.#until, performance.now() + milliseconds);
  }

  /** Comes when no pause is left; an abort of `signal` ends the wait at once, with the signal's reason. */
  async over(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    // Looked at again after every wait, because the pause may have been extended meanwhile.
    for (let waitedUntil = 0; waitedUntil < this.#until; ) {
      waitedUntil = this.#until;
      const left = waitedUntil - performance.now();
      if (left > 0) await wait(left, signal);
    }
  }
}
