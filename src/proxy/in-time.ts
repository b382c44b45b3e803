/**
 * Runs `work` until the page gives the request up or time is up, even if `work` ignores its signal. Late results are
 * ignored.
 */
export async function inTime<T>(
  request: Request,
  milliseconds: number,
  onLate: () => unknown,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = AbortSignal.timeout(milliseconds);
  const signal = AbortSignal.any([request.signal, late]);
  const ended = new Promise<never>((_, reject) => {
    signal.onabort = () => reject(signal.reason);
  });
  return Promise.race([work(signal), ended]).catch((error) => {
    throw late.aborted ? onLate() : error;
  });
}
