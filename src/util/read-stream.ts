/** A body as a web stream, or as the Node stream that node-fetch gives. */
export type ByteStream = ReadableStream<Uint8Array> | (AsyncIterable<Uint8Array> & { destroy?(): void });

/** The chunks of a body. Ending the iteration early frees the connection. */
export async function* chunksOf(stream: ByteStream): AsyncGenerator<Uint8Array, void, undefined> {
  // Not every browser can iterate over a web stream.
  if (!('getReader' in stream)) return yield* stream;
  const reader = stream.getReader();
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) yield step.value;
  } finally {
    // Whether the rest could be cancelled makes no difference to anybody.
    reader.cancel().catch(() => {});
  }
}

/** Frees the connection of a body that is not read. */
export function discard(stream: ByteStream): void {
  if ('getReader' in stream) stream.cancel().catch(() => {});
  else stream.destroy?.();
}
