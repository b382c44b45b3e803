import { bodyNotRaw } from './delivery.ts';
import { WebhookVerificationError } from './verification-error.ts';

/**
 * Reads the body of a request, stopping at the chunk that exceeds `limit` bytes. A refusal (`body_not_raw` when something
 * read it before, `body_too_large`) is returned; rejects only when the stream fails.
 */
export async function readBody(
  request: Request,
  limit: number,
): Promise<Uint8Array | WebhookVerificationError> {
  if (request.bodyUsed || request.body?.locked) return bodyNotRaw();
  const tooLarge = () =>
    new WebhookVerificationError('body_too_large', `The body is longer than ${limit} bytes.`);
  if (Number(request.headers.get('content-length')) > limit) return tooLarge();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    // Leaving the loop cancels the stream.
    if (length > limit) return tooLarge();
    chunks.push(chunk);
  }
  return join(chunks, length);
}

function join(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const body = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.length;
  }
  return body;
}
