// The bodies that may have been signed, for `explainWebhookFailure`: as received, and with mistakes undone.

import { escapeSlashes, escapeUnicode } from '../../util/php-json.ts';
import { encode } from '../verify/crypto.ts';
import { readBody } from '../verify/delivery.ts';

/** A value to try, and what would have to be different for it to be the one in use. */
export interface Candidate<Value> {
  readonly value: Value;
  /** Completes "it would be right if"; undefined for the unchanged value. */
  readonly change: string | undefined;
}

const RESERIALIZED = 'the body were as it was sent, not parsed and serialised again';
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const NEWLINE = 0x0a;

/**
 * The body as is, then with every common mistake of frameworks, editors and proxies undone. Mistakes that would have
 * left no trace in this body are skipped. A parsed body, passed as its JSON, is tried only in the forms in which it may
 * have been sent.
 */
export async function* bodyCandidates(body: Uint8Array | string): AsyncGenerator<Candidate<Uint8Array>> {
  const isParsed = typeof body === 'string';
  const bytes = isParsed ? encode(body) : body;
  const text = isParsed ? body : new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  yield { value: bytes, change: isParsed ? RESERIALIZED : undefined };
  if (!isParsed) yield* reframings(bytes);
  for (const [change, value] of [
    ['the body had LF in place of CRLF', withNewlines(text, '\n')],
    ['the body had CRLF in place of LF', withNewlines(text, '\r\n')],
    ['the body were decompressed from gzip', isGzip(bytes) ? await gunzip(bytes) : undefined],
    ['the body were decoded from base64', fromBase64(text)],
    ['the body had not been decoded as Latin-1', fromLatin1(text)],
    ['the body were not wrapped in a JSON string', unwrapped(text)],
  ] as const) {
    if (value) yield { value, change };
  }
  for (const value of serializations(text)) yield { value, change: RESERIALIZED };
}

/** Something may have been added around the body or removed from it. */
function* reframings(bytes: Uint8Array): Generator<Candidate<Uint8Array>> {
  if (bytes.at(-1) === NEWLINE) {
    const end = bytes.at(-2) === 0x0d ? -2 : -1;
    yield { value: bytes.subarray(0, end), change: 'the body had no newline at its end' };
  }
  yield { value: new Uint8Array([...bytes, NEWLINE]), change: 'the body had a newline at its end' };
  const hasMark = BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte);
  yield hasMark
    ? { value: bytes.subarray(BYTE_ORDER_MARK.length), change: 'the body had no byte order mark' }
    : { value: new Uint8Array([...BYTE_ORDER_MARK, ...bytes]), change: 'the body had its byte order mark' };
  let [start, end] = [0, bytes.length];
  while (isWhitespace(bytes[start])) start++;
  while (isWhitespace(bytes[end - 1])) end--;
  if (end - start < bytes.length) {
    yield { value: bytes.subarray(start, end), change: 'the body had no whitespace around it' };
  }
}

function isWhitespace(byte = 0): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

function withNewlines(text: string, newline: string): Uint8Array | undefined {
  return text.includes('\n') ? encode(text.replace(/\r?\n/g, newline)) : undefined;
}

function unwrapped(text: string): Uint8Array | undefined {
  const value = text.startsWith('"') ? parse(text) : undefined;
  return typeof value === 'string' ? encode(value) : undefined;
}

/** The same JSON without spaces, as JavaScript or PHP may have written it: they differ in what they escape. */
function* serializations(text: string): Generator<Uint8Array> {
  const json = toJson(parse(text));
  if (json === undefined) return;
  const slashed = escapeSlashes(json);
  const texts = slashed === json ? [json] : [slashed, json];
  for (const one of texts) {
    const plain = encode(one);
    // As many bytes as characters: there is nothing non-ASCII to escape.
    if (plain.length > one.length) yield encode(escapeUnicode(one));
    yield plain;
  }
}

/** Undefined for a value that JSON cannot hold, or that is nested too deeply to be written, as only an attacker's is. */
export function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a body starts like gzip. */
export function isGzip(body: Uint8Array): boolean {
  return body[0] === 0x1f && body[1] === 0x8b;
}

/** Many times the longest delivery: anything larger is an attack, not a mistake. In bytes. */
const LONGEST_DECOMPRESSED = 4 * 1_048_576;

/** The decompressed bytes; undefined when cut off, damaged or too many. */
async function gunzip(body: Uint8Array): Promise<Uint8Array | undefined> {
  const stream = new Blob([body as BlobPart]).stream().pipeThrough(new DecompressionStream('gzip'));
  const request = { headers: {}, body: stream, bodyUsed: false };
  const read = await readBody(request, { maxBodyBytes: LONGEST_DECOMPRESSED, readTimeoutMs: 10_000 });
  return 'code' in read ? undefined : read;
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
function fromLatin1(text: string): Uint8Array | undefined {
  return /[\xC2-\xF4][\x80-\xBF]/.test(text) ? fromBinary(text) : undefined;
}

/** Takes each character for a byte. */
function fromBinary(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
}
