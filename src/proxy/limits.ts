// Limits of size and time, for bodies and for work that may hang.

/** Reads a body as text; `null` if it is longer than `maxBytes`, as soon as that is known. */
export async function readText(body: unknown, maxBytes: number): Promise<string | null> {
  const decoder = new TextDecoder();
  let length = 0;
  let text = '';
  // Leaving the loop cancels the stream. A custom fetch may give a stream of Node.
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > maxBytes) return null;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/**
 * Runs `work` until the page aborts its request or time is up, even if `work` ignores its signal: then it rejects with
 * the reason of that signal. Late results are ignored, and nothing is begun for a page that has gone.
 */
export async function withTimeout<T>(
  request: Request,
  milliseconds: number,
  onLate: () => unknown,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal: given } = request;
  if (given?.aborted) throw given.reason;
  const controller = new AbortController();
  const { signal } = controller;
  // Not `AbortSignal.timeout`, whose timer stays when the work is done, and holds a process of Deno.
  const timer = setTimeout(() => controller.abort(onLate()), milliseconds);
  const ended = new Promise<never>((_, reject) => {
    signal.onabort = () => reject(signal.reason);
  });
  // Not `AbortSignal.any`: on some platforms a request has no signal, or one that is not the runtime's own.
  given?.addEventListener('abort', () => controller.abort(given.reason));
  return Promise.race([work(signal), ended]).finally(() => clearTimeout(timer));
}
