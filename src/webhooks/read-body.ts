// Reads the body of a delivery, within limits of size and time.

import { LONGEST_TIMER_MS } from '../util/numbers.ts';
import { type ByteStream, chunksOf } from '../util/read-stream.ts';
import { bytesOf, type Delivery } from './delivery.ts';
import type { Settings } from './settings.ts';
import { WebhookVerificationError } from './verification-error.ts';

/** Many times the size of any documented event. */
const DEFAULT_MAX_BODY_BYTES = 1_048_576;

/** How much of a body to read, and for how long. */
export interface Limits {
  readonly maxBodyBytes: number;
  readonly readTimeoutMs: number;
}

/**
 * Returns the body of a delivery, reading it if necessary. Reading stops at the chunk that exceeds the size limit and
 * when time is up. A refusal is returned, not thrown.
 */
export async function readBody(
  input: Delivery,
  { maxBodyBytes, readTimeoutMs }: Settings,
): Promise<Uint8Array | WebhookVerificationError> {
  const limits = { maxBodyBytes: maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES, readTimeoutMs };
  if ('read' in input) return input.read(limits);
  if (!('arrayBuffer' in input)) {
    const bytes = bytesOf(input.body);
    if (!bytes) return notRaw();
    return bytes.length > (maxBodyBytes ?? Infinity) ? tooLarge(maxBodyBytes) : bytes;
  }
  const { body, bodyUsed, headers } = input;
  if (body === null && !bodyUsed) return new Uint8Array();
  // Already read, or the request of another library, whose body cannot be read as a stream.
  if (bodyUsed || !isStream(body) || body.locked) return notRaw();
  if (Number(headers.get('content-length')) > limits.maxBodyBytes) return tooLarge(limits.maxBodyBytes);
  return readStream(body, limits);
}

async function readStream(
  stream: ByteStream,
  { maxBodyBytes, readTimeoutMs }: Limits,
): Promise<Uint8Array | WebhookVerificationError> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), Math.min(readTimeoutMs, LONGEST_TIMER_MS));
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    // Leaving the loop cancels the stream.
    for await (const chunk of chunksOf(stream, late.signal)) {
      // A stream with an encoding yields strings, which are no longer the signed bytes.
      if (!ArrayBuffer.isView(chunk)) return notRaw();
      length += chunk.length;
      if (length > maxBodyBytes) return tooLarge(maxBodyBytes);
      chunks.push(chunk);
    }
  } catch (cause) {
    if (late.signal.aborted) return tooSlow(readTimeoutMs);
    return incomplete(cause);
  } finally {
    clearTimeout(timer);
  }
  return late.signal.aborted ? tooSlow(readTimeoutMs) : join(chunks, length);
}

function isStream(body: unknown): body is ByteStream & { readonly locked?: boolean } {
  return typeof body === 'object' && body !== null && ('getReader' in body || Symbol.asyncIterator in body);
}

export function tooLarge(maxBodyBytes: number | undefined): WebhookVerificationError {
  return new WebhookVerificationError('body_too_large', `The body is longer than ${maxBodyBytes} bytes.`);
}

export function tooSlow(readTimeoutMs: number): WebhookVerificationError {
  const message = `The body took longer than ${readTimeoutMs} ms to arrive.`;
  return new WebhookVerificationError('body_timeout', message);
}

export function incomplete(cause: unknown): WebhookVerificationError {
  return new WebhookVerificationError('body_incomplete', 'The body broke off.', undefined, { cause });
}

export function notRaw(): WebhookVerificationError {
  return new WebhookVerificationError(
    'body_not_raw',
    "The body must be raw: express.raw(), Next.js bodyParser: false, Fastify parseAs: 'buffer', Lambda base64 decoded, no setEncoding(); a Node request needs toNodeListener().",
  );
}

export function join(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const body = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.length;
  }
  return body;
}
