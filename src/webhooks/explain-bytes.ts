// Conversions of bytes with which `explainWebhookFailure` undoes common mistakes.

import { chunksOf } from '../util/read-stream.ts';

/** Joins two pieces. */
export function join(start: ArrayLike<number>, end: ArrayLike<number>): Uint8Array {
  const bytes = new Uint8Array(start.length + end.length);
  bytes.set(start);
  bytes.set(end, start.length);
  return bytes;
}

/** Whether a body starts like gzip. */
export function isGzip(body: Uint8Array): boolean {
  return body[0] === 0x1f && body[1] === 0x8b;
}

/** Many times the longest delivery: anything larger is an attack, not a mistake. In bytes. */
const LONGEST_DECOMPRESSED = 4 * 1_048_576;

/** The decompressed bytes; undefined when damaged or too many. */
export async function gunzip(body: Uint8Array): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    const stream = new Blob([body as BlobPart]).stream().pipeThrough(new DecompressionStream('gzip'));
    for await (const chunk of chunksOf(stream)) {
      length += chunk.length;
      if (length > LONGEST_DECOMPRESSED) return undefined;
      chunks.push(chunk);
    }
  } catch {
    // Cut off or damaged.
    return undefined;
  }
  return new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer());
}

/** The bytes of base64 or base64url; undefined when `text` is neither. */
export function fromBase64(text: string): Uint8Array | undefined {
  try {
    return fromBinary(atob(text.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    return undefined;
  }
}

/** The bytes of a string whose UTF-8 was read as Latin-1; undefined if it holds no UTF-8 sequence read that way. */
export function fromLatin1(text: string): Uint8Array | undefined {
  return /[\xC2-\xF4][\x80-\xBF]/.test(text) ? fromBinary(text) : undefined;
}

/** Takes each character for a byte. */
function fromBinary(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
}

const digits = '0123456789abcdef';

/**
 * `text` with non-ASCII characters as `\uXXXX`. Written directly as bytes, since a long text may consist of nothing
 * else.
 */
export function escapeUnicode(text: string): Uint8Array {
  let beyond = 0;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7f) beyond++;
  const bytes = new Uint8Array(text.length + 5 * beyond);
  const hex = encode(digits);
  let length = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit <= 0x7f) {
      bytes[length++] = unit;
      continue;
    }
    bytes[length++] = 0x5c;
    bytes[length++] = 0x75;
    for (let shift = 12; shift >= 0; shift -= 4) bytes[length++] = hex[(unit >> shift) & 15] ?? 0;
  }
  return bytes;
}

export function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
