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
