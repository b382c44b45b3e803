/** The longest delay that a timer can hold (2^31 - 1 milliseconds, about 24 days); more would fire at once. */
export const longestDelay = 2 ** 31 - 1;

/**
 * A signal that aborts with `parent`, or after `milliseconds` with the reason that `onTimeout` makes.
 * `release` must be called at the end: it stops the timer and leaves no listener on `parent`.
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #parent: AbortSignal | undefined;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(parent: AbortSignal | undefined, milliseconds: number | false, onTimeout: () => unknown) {
    this.#parent = parent;
    if (parent?.aborted) this.#follow();
    else parent?.addEventListener('abort', this.#follow, { once: true });
    if (milliseconds !== false) {
      this.#timer = setTimeout(() => this.#controller.abort(onTimeout()), milliseconds);
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  release(): void {
    clearTimeout(this.#timer);
    this.#parent?.removeEventListener('abort', this.#follow);
  }

  readonly #follow = () => this.#controller.abort(this.#parent?.reason);
}

/**
 * Settles like `work`, unless `signal` aborts first: then it rejects at once with the signal's reason. Only for
 * the signal of a `Deadline`, which does not outlive the call: the listener stays on it.
 */
export function raceSignal<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject);
  });
}

/** Waits; an abort of `signal` ends the wait at once, with the signal's reason. */
export async function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await raceSignal(
      signal,
      new Promise<void>((resolve) => {
        timer = setTimeout(resolve, milliseconds);
      }),
    );
  } finally {
    clearTimeout(timer);
  }
}
