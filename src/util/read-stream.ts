// Reads bodies, whether they are web streams, Node streams or only texts.

/** What has a body, such as the response of `fetch`. */
interface WithBody {
  readonly body?: unknown;
  text(): Promise<string>;
}

/** A body as a web stream, or as the Node stream that node-fetch returns. Polyfills and mocks may know neither. */
type ByteStream = Partial<ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>>;

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
  const stream = Object(holder.body) as ByteStream;
  // Not every browser can iterate over a web stream.
  const reader = stream.getReader?.();
  const iterator = reader ? undefined : stream[Symbol.asyncIterator]?.();
  const next = reader ? () => reader.read() : iterator && (() => iterator.next());
  if (next === undefined) {
    const text = await holder.text();
    read.text = text.slice(0, limit);
    return text.length <= limit;
  }
  const decoder = new TextDecoder();
  const free = () => {
    discard(reader ?? stream);
    iterator?.return?.().catch(() => {});
  };
  signal?.addEventListener('abort', free);
  let left = limit;
  let isOver = false;
  try {
    for (;;) {
      const step = await next();
      if (step.done) break;
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
