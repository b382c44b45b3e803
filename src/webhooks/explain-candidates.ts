import { escapeSlashes } from '../util/php-json.ts';
import { chunksOf } from '../util/read-stream.ts';

/** A value to try, and what would have to be different for it to be the one in use. */
export interface Candidate<Value> {
  readonly value: Value;
  /** Reads after "it would be right if"; undefined for the value as it is. */
  readonly change: string | undefined;
}

type Changed<Value> = readonly [change: string, value: Value | undefined];

const RESERIALIZED = 'the body were as it was sent, not parsed and serialised again';

/**
 * The body as it is, then after every common mistake that frameworks, editors and proxies may have made of it. Mistakes that
 * would have left no trace in this body are passed over. A parsed body, given as its JSON, is tried only as it may have been
 * sent.
 */
export async function* bodyCandidates(body: Uint8Array | string): AsyncGenerator<Candidate<Uint8Array>> {
  const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  const bytes = typeof body === 'string' ? encode(body) : body;
  yield { value: bytes, change: typeof body === 'string' ? RESERIALIZED : undefined };
  for (const [change, value] of changedTexts(text)) {
    if (value !== undefined && value !== text) yield { value: encode(value), change };
  }
  if (isGzip(bytes)) yield* bytesOnly('the body were decompressed from gzip', await gunzip(bytes));
  yield* bytesOnly('the body were decoded from base64', fromBase64(text));
  yield* bytesOnly('the body had not been decoded as Latin-1', fromLatin1(text));
  for (const value of serializations(text)) yield { value, change: RESERIALIZED };
}

function* changedTexts(text: string): Generator<Changed<string>> {
  yield ['the body had no newline at its end', text.replace(/\r?\n$/, '')];
  yield ['the body had a newline at its end', `${text}\n`];
  yield ['the body had LF in place of CRLF', text.replaceAll('\r\n', '\n')];
  yield ['the body had CRLF in place of LF', text.replace(/\r?\n/g, '\r\n')];
  yield ['the body had no byte order mark', text.replace(/^\uFEFF/, '')];
  yield ['the body had its byte order mark', `\uFEFF${text}`];
  yield ['the body had no whitespace around it', text.trim()];
  if (text.startsWith('"')) yield ['the body were not wrapped in a JSON string', asString(parse(text))];
}

function* bytesOnly(change: string, value: Uint8Array | undefined): Generator<Candidate<Uint8Array>> {
  if (value) yield { value, change };
}

/** The same JSON without spaces, as JavaScript and as PHP may have written it: what differs is what is escaped. */
function* serializations(text: string): Generator<Uint8Array> {
  const value = parse(text);
  if (value === undefined) return;
  const json = JSON.stringify(value);
  const slashed = escapeSlashes(json);
  const texts = slashed === json ? [json] : [slashed, json];
  for (const one of texts) {
    const plain = encode(one);
    // As many bytes as characters: there is nothing beyond ASCII to escape.
    if (plain.length > one.length) yield escapeUnicode(one);
    yield plain;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function isGzip(body: Uint8Array): boolean {
  return body[0] === 0x1f && body[1] === 0x8b;
}

/** Many times the longest delivery: what grows beyond it is an attack, not a mistake. In bytes. */
const LONGEST_DECOMPRESSED = 4 * 1_048_576;

async function gunzip(body: Uint8Array): Promise<Uint8Array | undefined> {
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

function fromBase64(text: string): Uint8Array | undefined {
  return /^[\w+/-]+={0,2}\s*$/.test(text) ? decodeBase64(text) : undefined;
}

/** The bytes of base64 or base64url; undefined when `text` is neither. */
export function decodeBase64(text: string): Uint8Array | undefined {
  try {
    return fromBinary(atob(text.replaceAll('-', '+').replaceAll('_', '/')));
  } catch {
    return undefined;
  }
}

/** The bytes of a text whose UTF-8 was read as Latin-1; undefined when no byte beyond ASCII could have been. */
function fromLatin1(text: string): Uint8Array | undefined {
  return /[\x80-\xFF]/.test(text) && !/[^\0-\xFF]/.test(text) ? fromBinary(text) : undefined;
}

function fromBinary(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
}

const digits = '0123456789abcdef';

/** `text` with what is beyond ASCII as `\uXXXX`. Written as bytes at once, as a long text may consist of nothing else. */
function escapeUnicode(text: string): Uint8Array {
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

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
