/** Something other than a request that stops an import. The message says where it came from, and nothing of a row. */
export class ImportFault extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
  }
}

/**
 * Calls a function of the caller and waits for it. An import that was aborted has ended, so nothing is told after that.
 *
 * @throws {ImportFault} when the function fails
 */
export async function tell<Value>(
  name: string,
  listener: ((value: Value) => unknown) | undefined,
  value: Value,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (listener === undefined) return;
  throwIfAborted(signal);
  try {
    await listener(value);
  } catch (cause) {
    throw new ImportFault(`\`${name}\` failed.`, cause);
  }
}

/** By hand, because the signal of a polyfill may not know the method of this name. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw signal.reason;
}
