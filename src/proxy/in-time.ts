/**
 * Runs `work` until the page gives the request up or time is up, even if `work` ignores its signal: then it rejects with
 * the reason of that signal. Late results are ignored.
 */
export function inTime<T>(
  request: Request,
  milliseconds: number,
  onLate: () => unknown,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  // Not `AbortSignal.timeout`, whose timer stays when the work is done, and holds a process of Deno.
  const timer = setTimeout(() => late.abort(onLate()), milliseconds);
  const signal = AbortSignal.any([request.signal, late.signal]);
  const ended = new Promise<never>((_, reject) => {
    signal.onabort = () => reject(signal.reason);
  });
  return Promise.race([work(signal), ended]).finally(() => clearTimeout(timer));
}
