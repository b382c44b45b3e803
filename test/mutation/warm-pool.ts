// A Vitest pool that keeps its thread from run to run, because starting one takes longer than most runs.

import { type PoolOptions, type PoolWorker, ThreadsPoolWorker, type WorkerRequest } from 'vitest/node';

/** What a change makes wait for ever may still be at work in a thread whose run took so long. */
const LONGEST_RUN_MS = 4_000;
/** What tests leave behind where a change makes them fail is carried no further than this. */
const MOST_RUNS = 50;

type Listener = readonly [event: string, callback: (message: unknown) => void];

/** Keeps its thread, with all modules loaded, from run to run: to start one takes longer than most runs. */
class WarmWorker implements PoolWorker {
  readonly name = 'warm';
  readonly #inner: ThreadsPoolWorker;
  readonly #listeners: Listener[] = [];
  #runs = 0;
  #startedAt = 0;
  #isKept = false;

  constructor(options: PoolOptions) {
    this.#inner = new ThreadsPoolWorker(options);
  }

  on(event: string, callback: Listener[1]): void {
    this.#listeners.push([event, callback]);
    this.#inner.on(event, callback);
  }

  off(event: string, callback: Listener[1]): void {
    this.#inner.off(event, callback);
  }

  async start(): Promise<void> {
    if (!this.#isKept) await this.#inner.start();
    this.#isKept = false;
    this.#runs += 1;
    this.#startedAt = performance.now();
  }

  send(message: WorkerRequest): void {
    // A thread ends its run by itself when a test fails. Told so again, it could end the next run before it has begun.
    if ('m' in message && message.m === 'onCancel') return;
    const tookMs = performance.now() - this.#startedAt;
    this.#isKept = message.type === 'stop' && this.#runs < MOST_RUNS && tookMs < LONGEST_RUN_MS;
    if (this.#isKept) {
      const stopped = { type: 'stopped', __vitest_worker_response__: true };
      const callbacks = this.#listeners.filter(([event]) => event === 'message');
      for (const [, callback] of callbacks) queueMicrotask(() => callback(stopped));
    } else {
      this.#inner.send(message);
    }
  }

  async stop(): Promise<void> {
    for (const [event, callback] of this.#listeners.splice(0)) this.#inner.off(event, callback);
    if (!this.#isKept) await this.close();
  }

  async close(): Promise<void> {
    this.#isKept = false;
    this.#runs = 0;
    await this.#inner.stop();
  }

  deserialize(data: unknown): unknown {
    return this.#inner.deserialize(data);
  }
}

let warm: WarmWorker | undefined;

/** A pool of one thread, which lives as long as the process. */
export const warmPool = {
  name: 'warm',
  createPoolWorker: (options: PoolOptions): PoolWorker => (warm ??= new WarmWorker(options)),
  close: () => warm?.close(),
};
