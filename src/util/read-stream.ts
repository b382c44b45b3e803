// Reads bodies, whether they are web streams or Node streams.

/** A body as a web stream, or as the Node stream that node-fetch returns. */
export type ByteStream = ReadableStream<Uint8Array> | (AsyncIterable<Uint8Array> & { destroy?(): void });

/** The chunks of a body, until `signal` aborts. Ending the iteration early frees the connection. */
export async function* chunksOf(
  stream: ByteStream,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  // Not every browser can iterate over a web stream.
  if (!('getReader' in stream)) {
    signal?.addEventListener('abort', () => stream.destroy?.());
    return yield* stream;
  }
  const reader = stream.getReader();
  // It does not matter whether the rest could be cancelled.
  const cancel = () => void reader.cancel().catch(() => {});
  signal?.addEventListener('abort', cancel);
  let isOver = false;
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) yield step.value;
    isOver = true;
  } finally {
    signal?.removeEventListener('abort', cancel);
    // A browser takes the cancelling of a body that has arrived for an aborted request.
    if (!isOver) cancel();
  }
}

/** Frees the connection of an unread body. */
export function discard(stream: ByteStream): void {
  if ('getReader' in stream) stream.cancel().catch(() => {});
  else stream.destroy?.();
}
