// The bodies that may have been signed, for `explainWebhookFailure`: as received, and with mistakes undone.

import { attempt } from '../../util/attempt.ts';
import { escapeSlashes, escapeUnicode } from '../../util/php-json.ts';
import { encode } from '../verify/crypto.ts';
import { readBody } from '../verify/delivery.ts';

/** A value to try, and what would have to be different for it to be the one in use: each completes "it would be right if". */
export interface Candidate<Value> {
  readonly value: Value;
  readonly changes: readonly string[];
}

const reserialized = ['the body were as it was sent, not parsed and serialised again'];

/**
 * The body as is, then with every common mistake of frameworks, editors and proxies undone. Mistakes that would have
 * left no trace in this body are skipped. A parsed body, passed as its JSON, is tried only in the forms in which it may
 * have been sent.
 */
export async function* bodyCandidates(body: Uint8Array | string): AsyncGenerator<Candidate<Uint8Array>> {
  const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  if (typeof body === 'object') {
    yield { value: body, changes: [] };
    yield* corrected(body, text);
  }
  for (const value of serializations(text)) yield { value: encode(value), changes: reserialized };
}

/** What stood around the body, or how it was encoded, may have changed. */
async function* corrected(bytes: Uint8Array, text: string): AsyncGenerator<Candidate<Uint8Array>> {
  const bare = text.replace(/^\uFEFF/, '');
  const mark = bare === text ? 'the body had its byte order mark' : 'the body had no byte order mark';
  // Only if it holds UTF-8 that was read as Latin-1.
  const isLatin = /[\xC2-\xF4][\x80-\xBF]/.test(text);
  for (const [change, value] of [
    ['the body had a newline at its end', `${text}\n`],
    [mark, bare === text ? `\uFEFF${text}` : bare],
    ['the body had no newline or space around it', text.trim()],
    ['the body had LF in place of CRLF', text.replace(/\r\n/g, '\n')],
    ['the body had CRLF in place of LF', text.replace(/\r?\n/g, '\r\n')],
    ['the body were not wrapped in a JSON string', parse(text.startsWith('"') ? text : '')],
    ['the body were decompressed from gzip', isGzip(bytes) ? await gunzip(bytes) : undefined],
    ['the body were decoded from base64', fromBase64(text)],
    ['the body had not been decoded as Latin-1', isLatin ? fromBinary(text) : undefined],
  ] as const) {
    if (value instanceof Uint8Array) yield { value, changes: [change] };
    else if (typeof value === 'string' && value !== text) yield { value: encode(value), changes: [change] };
  }
}

/** The same JSON without spaces, as JavaScript or PHP may have written it: they differ in what they escape. */
function serializations(text: string): Iterable<string> {
  const json = toJson(parse(text));
  if (json === undefined) return [];
  const slashed = escapeSlashes(json);
  return new Set([escapeUnicode(slashed), slashed, escapeUnicode(json), json]);
}

/** Undefined for a value that JSON cannot hold, or that is nested too deeply to be written, as only an attacker's is. */
export function toJson(value: unknown): string | undefined {
  return attempt(() => JSON.stringify(value));
}

function parse(text: string): unknown {
  return attempt(() => JSON.parse(text));
}

export function isGzip(body: Uint8Array | string): boolean {
  return body[0] === 0x1f && body[1] === 0x8b;
}

/** Many times the longest delivery: anything larger is an attack, not a mistake. In bytes. */
const LONGEST_DECOMPRESSED = 4 * 1_048_576;

/** The decompressed bytes; undefined when cut off, damaged or too many. */
async function gunzip(body: Uint8Array): Promise<Uint8Array | undefined> {
  const stream = new Blob([body as BlobPart]).stream().pipeThrough(new DecompressionStream('gzip'));
  const request = { headers: {}, body: stream, bodyUsed: false };
  const read = await readBody(request, { maxBodyBytes: LONGEST_DECOMPRESSED, readTimeout: 10_000 });
  return 'code' in read ? undefined : read;
}

/** The bytes of base64 or base64url; undefined when `text` is neither. */
export function fromBase64(text: string): Uint8Array | undefined {
  return attempt(() => fromBinary(atob(text.replaceAll('-', '+').replaceAll('_', '/'))));
}

/** Takes each character for a byte. */
function fromBinary(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
