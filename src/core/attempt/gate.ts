import { onAbort, wait } from './deadline.ts';

/** Limits the requests of a client under way at once. */
export class Gate {
  /** Those who wait for room, the first being the next. */
  readonly #queue = new Set<() => void>();
  #room: number;

  constructor(room: number) {
    this.#room = room;
  }

  /** Comes when there is room for an attempt, which `leave` gives back; rejects for those who gave up meanwhile. */
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

/** Holds back all requests of a client while the service asks for it. */
export class Pause {
  #until = 0;

  /** Holds every attempt back for so many milliseconds. */
  begin(milliseconds: number): void {
    this.#until = Math.max(this.#until, performance.now() + milliseconds);
  }

  /** How long every attempt is held back from now on, in milliseconds. */
  get left(): number {
    return Math.max(0, this.#until - performance.now());
  }

  /** Comes when no pause is left; an abort of `signal` ends the wait at once, with the signal's reason. */
  async over(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    // Looked at again after every wait, because the pause may have been extended meanwhile.
    for (let waitedUntil = 0; waitedUntil < this.#until; ) {
      waitedUntil = this.#until;
      if (this.left > 0) await wait(this.left, signal);
    }
  }
}
