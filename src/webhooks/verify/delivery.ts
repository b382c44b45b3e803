// The forms in which a delivery can be passed to the package, and how its header and body are read.

import { withTimeout } from '../../core/time.ts';
import type { BodyReader, Delivery } from '../../node/incoming.ts';
import { bytesOf } from '../../util/bytes.ts';
import type { SignatureSettings } from './signature-options.ts';
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

/** Many times the size of any documented event. */
const DEFAULT_MAX_BODY_BYTES = 1_048_576;

/** The value of a header, by default `X-Cbt-Signature`; several are joined as HTTP joins them. Nullish when absent. */
export function headerOf(
  headers: WebhookParts['headers'] | undefined,
  wanted = 'x-cbt-signature',
): string | null | undefined {
  if (typeof headers?.get === 'function') return headers.get(wanted);
  // Own properties only, so that nothing inherited counts as a header.
  const values = Object.entries(headers ?? {}).flatMap(([name, value]) =>
    name.toLowerCase() === wanted ? (value ?? []) : [],
  );
  return values.length > 0 ? values.join() : undefined;
}

/** Returns the body of a delivery, reading it if necessary. A rejection is returned, not thrown. */
export async function readBody(
  { headers, body, bodyUsed }: Delivery,
  { maxBodyBytes, readTimeout }: Pick<SignatureSettings, 'maxBodyBytes' | 'readTimeout'>,
): Promise<Uint8Array | WebhookVerificationError> {
  if (bodyUsed === undefined) {
    const bytes = bytesOf(body);
    if (!bytes) return notRaw();
    // A copy: the owner of the buffer may change it between the check of the signature and the reading of the event.
    return maxBodyBytes && bytes.length > maxBodyBytes ? tooLarge(maxBodyBytes) : new Uint8Array(bytes);
  }
  if (body === null && !bodyUsed) return new Uint8Array();
  const stream = body as ReadableStream<unknown> | undefined;
  // Already read, or the request of another library, whose body cannot be read as a stream.
  if (bodyUsed || !stream?.getReader || stream.locked) return notRaw('read before');
  const mostBytes = maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES;
  if (Number(headerOf(headers, 'content-length')) > mostBytes) return tooLarge(mostBytes);
  const reader = stream.getReader();
  const reading = readChunks(reader, mostBytes);
  const late = () =>
    new WebhookVerificationError('body_timeout', `The body took longer than ${readTimeout} ms.`);
  try {
    // After the time limit, waits one more turn of the event loop: what arrived while the loop was blocked is not late.
    return await withTimeout(readTimeout, reading, () => withTimeout(0, reading, late));
  } catch (cause) {
    return new WebhookVerificationError('body_incomplete', 'The body broke off.', undefined, { cause });
  } finally {
    // Frees the connection of a body that was not read to its end. Those of other libraries may give no promise, or throw.
    void (async () => reader.cancel())().catch(() => {});
  }
}

/** The whole body that a reader gives; it rejects where that breaks off. */
async function readChunks(reader: BodyReader, limit: number): Promise<Uint8Array | WebhookVerificationError> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    // A stream with an encoding yields strings, which are no longer the signed bytes.
    if (!ArrayBuffer.isView(value)) return notRaw('decoded');
    chunks.push(value as Uint8Array);
    length += value.byteLength;
    if (length > limit) return tooLarge(limit);
  }
  const body = new Uint8Array(length);
  for (const chunk of chunks.reverse()) {
    length -= chunk.byteLength;
    body.set(chunk, length);
  }
  return body;
}

function tooLarge(mostBytes: number): WebhookVerificationError {
  return new WebhookVerificationError('body_too_large', `The body is longer than ${mostBytes} bytes.`);
}

/** The rejection of a body whose bytes are lost. */
export function notRaw(what = 'parsed'): WebhookVerificationError {
  const message = `The body was ${what}. Pass the raw bytes: express.raw({ type: '*/*' }) before express.json(), rawBody: true in NestJS.`;
  return new WebhookVerificationError('body_not_raw', message);
}
