// Time limits and aborting: runs work that ends when a signal aborts or time is up.

interface Following {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

/** The callbacks of each signal. */
const followings = new WeakMap<AbortSignal, Following>();

/**
 * Calls `callback` when `signal` aborts, until you call the function it returns. Each signal gets one listener, however
 * many calls share it: Node warns of a leak above ten.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const { callbacks, listener } = followings.get(signal) ?? follow(signal);
  callbacks.add(callback);
  return () => {
    callbacks.delete(callback);
    if (callbacks.size > 0) return;
    signal.removeEventListener('abort', listener);
    followings.delete(signal);
  };
}

function follow(signal: AbortSignal): Following {
  const callbacks = new Set<() => void>();
  const listener = () => {
    for (const callback of callbacks) callback();
  };
  const following = { callbacks, listener };
  followings.set(signal, following);
  signal.addEventListener('abort', listener);
  return following;
}

/** Native signals by the foreign ones they follow: signals of a polyfill or another realm, which the platform rejects. */
const adopted = new WeakMap<AbortSignal, AbortSignal>();

/** A native signal that aborts with `given`. Anything that is not a signal is returned as is. */
export function adopt(given: unknown): unknown {
  const signal = given as AbortSignal | null | undefined;
  if (given instanceof AbortSignal || typeof signal?.addEventListener !== 'function') return given;
  const known = adopted.get(signal);
  if (known !== undefined) return known;
  const controller = new AbortController();
  if (signal.aborted) controller.abort(signal.reason);
  else signal.addEventListener('abort', () => controller.abort(signal.reason));
  adopted.set(signal, controller.signal);
  return controller.signal;
}

/**
 * Runs `work` until `parent` aborts or `milliseconds` have passed. Then the signal passed to `work` aborts, and the
 * promise rejects at once, with the reason of `parent` or the one that `onTimeout` makes. Late results are ignored.
 */
export async function withDeadline<T>(
  parent: AbortSignal | undefined,
  milliseconds: number | false,
  onTimeout: () => unknown,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const { signal } = controller;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let unfollow: (() => void) | undefined;
  const ended = new Promise<never>((_, reject) => {
    const end = (reason: unknown) => {
      controller.abort(reason);
      // A polyfill's signal may have no reason; the controller then makes one.
      reject(signal.reason);
    };
    if (parent?.aborted) return end(parent.reason);
    unfollow = parent && onAbort(parent, () => end(parent.reason));
    if (milliseconds !== false) timer = setTimeout(() => end(onTimeout()), milliseconds);
  });
  try {
    return await (signal.aborted ? ended : Promise.race([work(signal), ended]));
  } finally {
    clearTimeout(timer);
    unfollow?.();
  }
}

/** Runs `work`, but rejects with the reason of `signal` as soon as it aborts. */
export function unlessAborted<T>(
  signal: AbortSignal | undefined,
  work: (signal?: AbortSignal) => Promise<T>,
): Promise<T> {
  return signal === undefined ? work() : withDeadline(signal, false, () => {}, work);
}

/** Waits; aborting `signal` ends the wait at once, with the signal's reason. */
export async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await unlessAborted(signal, () => timeout).finally(() => clearTimeout(timer));
}
