import { onAbort } from './deadline.ts';

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

  /** Aborted waiters are removed, so that they can be collected. */
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
