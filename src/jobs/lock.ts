/** Runs requests beside each other, or one alone: a readers-writer lock. */
export class Lock {
  readonly #running = new Set<Promise<unknown>>();
  #alone: Promise<unknown> | undefined;

  async shared<T>(work: () => Promise<T>): Promise<T> {
    while (this.#alone !== undefined) await this.#alone;
    const running = work();
    this.#running.add(running);
    return running.finally(() => this.#running.delete(running));
  }

  /** Waits for those that run, and lets no other begin until `work` has ended. */
  async exclusive<T>(work: () => Promise<T>): Promise<T> {
    while (this.#alone !== undefined) await this.#alone;
    const running = Promise.allSettled([...this.#running]).then(work);
    this.#alone = Promise.allSettled([running]).then(() => {
      this.#alone = undefined;
    });
    return running;
  }
}
