// The forms in which a delivery can be passed to the package, and how its header and body are read.

import { within } from '../../core/time.ts';
import { tagOf } from '../../util/json.ts';
import type { Settings } from './settings.ts';
import { WebhookVerificationError } from './verification-error.ts';

/** A delivery as most frameworks provide it: the body before any parser touched it, and the headers. */
export interface WebhookParts {
  /** The body as received. A string is taken as its UTF-8 bytes. */
  readonly body: string | Uint8Array | ArrayBuffer;
  /** Web headers, or a record with names in any case. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Input of a verification: a web `Request` with an unread body, or its parts. */
export type WebhookInput = Request | WebhookParts;

/** A body, or why it is refused: a refusal is returned, not thrown. */
export type BodyReading = Promise<Uint8Array | WebhookVerificationError>;

/** The same before it is known whether the body is raw, or with a Node body that is still to be read. */
export interface Delivery {
  readonly headers: WebhookParts['headers'];
  readonly body?: unknown;
  readonly bodyUsed?: boolean;
  /** A web request has it. */
  readonly arrayBuffer?: () => Promise<ArrayBuffer>;
  /** A Node request has it. */
  readonly read?: (mostBytes: number, readTimeoutMs: number) => BodyReading;
}

/** Many times the size of any documented event. */
const DEFAULT_MAX_BODY_BYTES = 1_048_576;

/** The value of a header, by default `X-Cbt-Signature`; several are joined as HTTP joins them. Nullish when absent. */
export function headerOf(
  headers: WebhookParts['headers'] | undefined,
  wanted = 'x-cbt-signature',
): string | null | undefined {
  if (typeof headers?.get === 'function') return headers.get(wanted);
  const values: unknown[] = [];
  // Own properties only, so that nothing inherited counts as a header.
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (name.toLowerCase() === wanted) values.push(...[value ?? []].flat());
  }
  return values.length > 0 ? values.join() : undefined;
}

/** Returns the body of a delivery, reading it if necessary. */
export async function readBody(
  input: Delivery,
  { maxBodyBytes, readTimeoutMs }: Pick<Settings, 'maxBodyBytes' | 'readTimeoutMs'>,
): BodyReading {
  const { body, bodyUsed, headers, read } = input;
  if (!read && !input.arrayBuffer) {
    const bytes = bytesOf(body);
    if (!bytes) return notRaw();
    return maxBodyBytes && bytes.length > maxBodyBytes ? tooLarge(maxBodyBytes) : bytes;
  }
  if (!read && body === null && !bodyUsed) return new Uint8Array();
  const stream = body as ReadableStream<unknown> | undefined;
  // Already read, or the request of another library, whose body cannot be read as a stream.
  if (!read && (bodyUsed || !stream?.getReader || stream.locked)) return notRaw();
  const mostBytes = maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES;
  if (Number(headerOf(headers, 'content-length')) > mostBytes) return tooLarge(mostBytes);
  if (read) return read(mostBytes, readTimeoutMs);
  const reader = (stream as ReadableStream<unknown>).getReader();
  try {
    return await inTime(readTimeoutMs, readChunks(reader, mostBytes));
  } finally {
    // Frees the connection of a body that was not read to its end. Those of other libraries may give no promise, or throw.
    void (async () => reader.cancel())().catch(() => {});
  }
}

/** The body that a reader gives; it rejects where that breaks off. */
export async function readChunks(
  reader: ReadableStreamDefaultReader<unknown>,
  mostBytes: number,
): BodyReading {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return chunks.length === 1 ? (chunks[0] as Uint8Array) : join(chunks, length);
    if (!ArrayBuffer.isView(value)) return notRaw();
    chunks.push(value as Uint8Array);
    length += value.byteLength;
    if (length > mostBytes) return tooLarge(mostBytes);
  }
}

/** Waits for a body; at last for one more turn of the event loop: what arrived while it was blocked is not late. */
export function inTime(milliseconds: number, reading: BodyReading): BodyReading {
  const late = () => {
    const message = `The body took longer than ${milliseconds} ms to arrive.`;
    return new WebhookVerificationError('body_timeout', message);
  };
  return within(milliseconds, reading, () => within(0, reading, late)).catch(
    (cause) => new WebhookVerificationError('body_incomplete', 'The body broke off.', undefined, { cause }),
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

export function tooLarge(mostBytes: number): WebhookVerificationError {
  return new WebhookVerificationError('body_too_large', `The body is longer than ${mostBytes} bytes.`);
}

export function notRaw(): WebhookVerificationError {
  const message =
    "The body must be raw: express.raw(), bodyParser: false, parseAs: 'buffer', base64 decoded, no setEncoding(), toNodeListener().";
  return new WebhookVerificationError('body_not_raw', message);
}

/** The bytes of a raw body; undefined for a parsed or missing one. */
export function bytesOf(body: unknown): Uint8Array | undefined {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (tagOf(body) === 'ArrayBuffer') return new Uint8Array(body as ArrayBuffer);
  return isBytes(body) ? body : undefined;
}

/** Whether `value` is a Uint8Array, such as a Buffer, also of another realm, as under Jest. */
export function isBytes(value: unknown): value is Uint8Array {
  return tagOf(value) === 'Uint8Array';
}
