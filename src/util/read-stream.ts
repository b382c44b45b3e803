// Reads bodies, whether they are web streams, Node streams or only texts.

/** What has a body, such as the response of `fetch`. */
interface WithBody {
  readonly body?: unknown;
  text(): Promise<string>;
}

/** A body as a web stream, or as the Node stream that node-fetch returns. Polyfills and mocks may know neither. */
type ByteStream = Partial<ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>>;

/**
 * Reads at most `limit` bytes of a body into `read`, piece by piece, so that what arrived is kept if the rest does not. Returns
 * whether that was the whole body. If not, or when `signal` aborts, the connection is freed.
 */
export async function readText(
  holder: WithBody,
  limit: number,
  read: { text: string },
  signal?: AbortSignal,
): Promise<boolean> {
  const decoder = new TextDecoder();
  const add = (piece: Uint8Array) => {
    read.text += decoder.decode(piece, { stream: true });
  };
  const isWhole = await readPieces(holder, limit, add, signal);
  if (isWhole) read.text += decoder.decode();
  return isWhole;
}

/** Reads a body of at most `limit` bytes; `null` for a longer one. When `signal` aborts, the connection is freed. */
export async function readBytes(
  holder: WithBody,
  limit: number,
  signal?: AbortSignal,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const pieces: Uint8Array[] = [];
  if (!(await readPieces(holder, limit, (piece) => pieces.push(piece), signal))) return null;
  const bytes = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

async function readPieces(
  holder: WithBody,
  limit: number,
  add: (piece: Uint8Array) => void,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const stream = Object(holder.body) as ByteStream;
  // Not every browser can iterate over a web stream.
  const reader = stream.getReader?.();
  const iterator = reader ? undefined : stream[Symbol.asyncIterator]?.();
  const next = reader ? () => reader.read() : iterator && (() => iterator.next());
  if (next === undefined) {
    const bytes = new TextEncoder().encode(await holder.text());
    add(bytes.subarray(0, limit));
    return bytes.length <= limit;
  }
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
      add(step.value.subarray(0, left));
      left -= step.value.byteLength;
      if (left < 0) return false;
    }
    isOver = true;
    return true;
  } finally {
    signal?.removeEventListener('abort', free);
    // A browser reports a request as aborted if its body is cancelled after it has arrived.
    if (!isOver) free();
  }
}

/** Frees the connection of an unread body; it does not matter whether the rest could be cancelled. */
export function discard(body: { cancel?(): Promise<void>; destroy?(): void }): void {
  body.cancel?.().catch(() => {});
  body.destroy?.();
}
