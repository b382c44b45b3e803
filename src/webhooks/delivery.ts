import { WebhookVerificationError } from './verification-error.ts';

/** A delivery as most frameworks give it: the body before any parser touched it, and the headers. */
export interface WebhookParts {
  /** The body as received. A string stands for its UTF-8 bytes. */
  readonly body: string | Uint8Array | ArrayBuffer;
  /** Web headers, or a record with names in any case. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** What a verification takes: a web `Request` whose body was not read yet, or its parts. */
export type WebhookInput = Request | WebhookParts;

const SIGNATURE_HEADER = 'x-cbt-signature';

/** The value of `X-Cbt-Signature`, several joined as HTTP joins them; undefined when there is none. */
export function signatureOf(headers: WebhookParts['headers'] | undefined): string | undefined {
  if (typeof headers?.get === 'function') return headers.get(SIGNATURE_HEADER) ?? undefined;
  const record = (headers ?? {}) as Readonly<Record<string, unknown>>;
  let joined: string | undefined;
  // Own names only, so that nothing inherited passes for a header.
  for (const name of Object.keys(record)) {
    if (name.length !== SIGNATURE_HEADER.length || name.toLowerCase() !== SIGNATURE_HEADER) continue;
    const value = record[name];
    if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) continue;
    joined = joined === undefined ? String(value) : `${joined},${value}`;
  }
  return joined;
}

/** The bytes that a raw body stands for; undefined for a parsed body, or none at all. */
export function bytesOf(body: unknown): Uint8Array | undefined {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  return body instanceof Uint8Array ? body : undefined;
}

/** The body reached the verifier parsed, or was read before; the message names the fix of each framework. */
export function bodyNotRaw(): WebhookVerificationError {
  return new WebhookVerificationError(
    'body_not_raw',
    "The raw body is needed: express.raw(), Next.js bodyParser: false, Fastify parseAs: 'buffer', Lambda base64 decoded.",
  );
}
