// Reads bodies, whether they are web streams or Node streams.

/** A body as a web stream, or as the Node stream that node-fetch returns. */
export type ByteStream = ReadableStream<Uint8Array> | (AsyncIterable<Uint8Array> & { destroy?(): void });

/** What has a body, such as the response of `fetch`. */
interface WithBody {
  readonly body?: unknown;
  text(): Promise<string>;
}

/**
 * Reads at most `limit` bytes of a body into `read`, piece by piece: what has come is there if the rest does not. Returns
 * whether that was all of it. Where it was not, and when `signal` aborts, the connection is freed.
 */
export async function readText(
  holder: WithBody,
  limit: number,
  read: { text: string },
  signal?: AbortSignal,
): Promise<boolean> {
  const stream = holder.body as ByteStream;
  // Polyfills and mocks may know no streams.
  if (!('getReader' in Object(stream) || Symbol.asyncIterator in Object(stream))) {
    const text = await holder.text();
    read.text = text.slice(0, limit);
    return text.length <= limit;
  }
  const decoder = new TextDecoder();
  // Not every browser can iterate over a web stream.
  const reader = 'getReader' in stream ? stream.getReader() : null;
  const iterator = reader === null ? (stream as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]() : null;
  const free = () => {
    discard(reader ?? stream);
    iterator?.return?.().catch(() => {});
  };
  signal?.addEventListener('abort', free);
  let left = limit;
  let isOver = false;
  try {
    for (;;) {
      const step = reader === null ? await iterator?.next() : await reader.read();
      if (step === undefined || step.done === true) break;
      read.text += decoder.decode(step.value.subarray(0, left), { stream: true });
      left -= step.value.byteLength;
      if (left < 0) return false;
    }
    isOver = true;
    read.text += decoder.decode();
    return true;
  } finally {
    signal?.removeEventListener('abort', free);
    // A browser takes the cancelling of a body that has arrived for an aborted request.
    if (!isOver) free();
  }
}

/** Frees the connection of an unread body; it does not matter whether the rest could be cancelled. */
export function discard(body: { cancel?(): Promise<void>; destroy?(): void }): void {
  body.cancel?.().catch(() => {});
  body.destroy?.();
}
