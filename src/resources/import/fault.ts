/** Something other than a request stopped the import. The message says what, and nothing about a row. */
export class ImportFault extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
  }
}

/**
 * Calls a caller's function and awaits it. After an abort the import has ended, so nothing more is reported.
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

/** Written out, because a polyfill's signal may lack the method of this name. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw signal.reason;
}
