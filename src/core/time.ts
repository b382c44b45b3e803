// Time limits and aborting: runs work that ends when a signal aborts or time is up.

import { LONGEST_TIMER_MS } from '../util/numbers.ts';

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

/** A native signal that aborts with `signal`. */
export function adopt(signal: AbortSignal): AbortSignal {
  if ((signal as unknown) instanceof AbortSignal) return signal;
  const known = adopted.get(signal);
  if (known !== undefined) return known;
  const controller = new AbortController();
  if (signal.aborted) controller.abort(signal.reason);
  else signal.addEventListener('abort', () => controller.abort(signal.reason));
  adopted.set(signal, controller.signal);
  return controller.signal;
}

/** Whether a value is a promise, also of a library or another realm. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof Object(value).then === 'function';
}

/** The reason for aborting a prefetched page: the iteration ended before it needed the page. */
export const prefetchCancelled = Symbol('prefetch cancelled');

type Timer = ReturnType<typeof setTimeout> | undefined;

/** Calls `callback` when `milliseconds` have passed; never, if that is longer than a timer can wait. */
export function startTimer(milliseconds: number, callback: () => void): Timer {
  // Time may have run out already; Node warns of negative timers.
  return milliseconds <= LONGEST_TIMER_MS ? setTimeout(callback, Math.max(0, milliseconds)) : undefined;
}

/** What a promise rejects with when its time is up. The error is created where the caller gets it, so that its stack shows the call. */
export const timeUp = Symbol('time is up');

/**
 * Runs `work` until `parent` aborts or `milliseconds` have passed. Then the signal passed to `work` aborts, and the
 * promise rejects immediately, with the reason of `parent` or with `timeUp`. Late results are ignored.
 */
export async function withDeadline<T>(
  parent: AbortSignal | undefined,
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (parent?.aborted) throw parent.reason;
  const controller = new AbortController();
  let timer: Timer;
  let unfollow: (() => void) | undefined;
  const ended = new Promise<T>((resolve, reject) => {
    unfollow =
      parent &&
      onAbort(parent, () => {
        controller.abort(parent.reason);
        // A polyfill's signal may have no reason; the controller then makes one.
        reject(controller.signal.reason);
      });
    timer = startTimer(milliseconds, () => {
      controller.abort();
      reject(timeUp);
    });
    work(controller.signal).then(resolve, reject);
  });
  try {
    return await ended;
  } finally {
    clearTimeout(timer);
    unfollow?.();
  }
}

/** For `catch` behind `withDeadline`: throws what `late` makes if time is up, and any other reason as it is. */
export function whenLate(late: () => unknown): (reason: unknown) => never {
  return (reason) => {
    throw reason === timeUp ? late() : reason;
  };
}

/**
 * Waits at most `milliseconds` for a promise, then returns what `onLate` returns, or throws what it throws. Late results are
 * ignored.
 */
export async function withTimeout<T, Late>(
  milliseconds: number | false,
  promise: Promise<T>,
  onLate: () => Late | PromiseLike<Late>,
): Promise<T | Late> {
  if (milliseconds === false) return promise;
  let timer: Timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, Math.min(milliseconds, LONGEST_TIMER_MS));
  });
  try {
    return await Promise.race([promise, late.then(onLate)]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits; aborting `signal` ends the wait immediately, with the signal's reason. */
export async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  await withDeadline(signal, milliseconds, () => new Promise(() => {})).catch((reason) => {
    if (reason !== timeUp) throw reason;
  });
}
