import { chunksOf } from '../util/read-stream.ts';
import { WebhookVerificationError } from './verification-error.ts';

/**
 * Reads the body of a request, stopping at the chunk that exceeds `limit` bytes: that refusal is returned. There is no body
 * when something read it before; rejects only when the stream fails.
 */
export async function readBody(
  request: Request,
  limit: number,
): Promise<Uint8Array | WebhookVerificationError | undefined> {
  if (request.bodyUsed || request.body?.locked) return undefined;
  const tooLarge = () =>
    new WebhookVerificationError('body_too_large', `The body is longer than ${limit} bytes.`);
  if (Number(request.headers.get('content-length')) > limit) return tooLarge();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ? chunksOf(request.body) : []) {
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
