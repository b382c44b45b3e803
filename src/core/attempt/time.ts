/** The longest delay that a timer can hold (2^31 - 1 milliseconds, about 24 days); more would fire at once. */
export const longestDelay = 2 ** 31 - 1;

/**
 * Does `work` until `parent` aborts or `milliseconds` have passed. Then the signal that `work` was given aborts, and
 * the promise rejects at once, with the reason of `parent` or the one that `onTimeout` makes; what `work` comes to
 * after that counts for nothing. Work that nothing can end is given no signal, since one that never aborts costs as much.
 */
export function withDeadline<T>(
  parent: AbortSignal | undefined,
  work: (signal: AbortSignal | undefined) => Promise<T>,
  milliseconds: number | false = false,
  onTimeout: () => unknown = () => {},
): Promise<T> {
  if (parent === undefined && milliseconds === false) return work(undefined);
  return new Promise((resolve, reject) => {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const release = () => {
      clearTimeout(timer);
      parent?.removeEventListener('abort', follow);
    };
    const end = (reason: unknown) => {
      release();
      controller.abort(reason);
      // The signal of a polyfill may know no reason; the controller then makes one.
      reject(controller.signal.reason);
    };
    const follow = () => end(parent?.reason);
    if (parent?.aborted) return follow();
    parent?.addEventListener('abort', follow);
    if (milliseconds !== false) timer = setTimeout(() => end(onTimeout()), milliseconds);
    work(controller.signal).finally(release).then(resolve, reject);
  });
}

/** Waits; an abort of `signal` ends the wait at once, with the signal's reason. */
export async function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await withDeadline(signal, () => timeout).finally(() => clearTimeout(timer));
}
