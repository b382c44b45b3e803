interface Following {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

/** Who follows a signal, by signal. */
const followings = new WeakMap<AbortSignal, Following>();

/**
 * Calls `callback` when `signal` aborts, until the function that it returns is called. A signal gets one listener, however
 * many calls share it: Node warns of a leak when there are more than ten.
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

/** Signals of ours by those of a polyfill or another realm, which the platform does not take for signals. */
const adopted = new WeakMap<AbortSignal, AbortSignal>();

/** A signal that the platform knows as one, and that aborts with `signal`. What is no signal is given back. */
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
 * Does `work` until `parent` aborts or `milliseconds` have passed. Then the signal that `work` was given aborts, and
 * the promise rejects at once, with the reason of `parent` or the one that `onTimeout` makes; late results are ignored.
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
      // The signal of a polyfill may know no reason; the controller then makes one.
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

/** Does `work`, but rejects with the reason of `signal` as soon as that aborts. */
export function unlessAborted<T>(
  signal: AbortSignal | undefined,
  work: (signal?: AbortSignal) => Promise<T>,
): Promise<T> {
  return signal === undefined ? work() : withDeadline(signal, false, () => {}, work);
}

/** Waits; an abort of `signal` ends the wait at once, with the signal's reason. */
export async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await unlessAborted(signal, () => timeout).finally(() => clearTimeout(timer));
}
