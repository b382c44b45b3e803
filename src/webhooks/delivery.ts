// The forms in which a delivery can be passed to the package.

import { tagOf } from '../util/json.ts';
import type { WebhookVerificationError } from './verification-error.ts';

/** A delivery as most frameworks provide it: the body before any parser touched it, and the headers. */
export interface WebhookParts {
  /** The body as received. A string is taken as its UTF-8 bytes. */
  readonly body: string | Uint8Array | ArrayBuffer;
  /** Web headers, or a record with names in any case. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Input of a verification: a web `Request` with an unread body, or its parts. */
export type WebhookInput = Request | WebhookParts;

/** Reads a body within its limits. A refusal is returned, not thrown. */
export type BodyReader = (limits: {
  readonly maxBodyBytes: number;
  readonly readTimeoutMs: number;
}) => Promise<Uint8Array | WebhookVerificationError>;

/** The same before it is known whether the body is raw, or with a Node body that is still to be read. */
export type Delivery =
  | Request
  | { readonly body: unknown; readonly headers: WebhookParts['headers'] }
  | { readonly read: BodyReader; readonly headers: WebhookParts['headers'] };

const SIGNATURE_HEADER = 'x-cbt-signature';

/** The value of a header, by default `X-Cbt-Signature`; several are joined as HTTP joins them. Nullish when absent. */
export function headerOf(
  headers: WebhookParts['headers'] | undefined,
  wanted = SIGNATURE_HEADER,
): string | null | undefined {
  if (typeof headers?.get === 'function') return headers.get(wanted);
  const record = (headers ?? {}) as Readonly<Record<string, unknown>>;
  let joined: string | undefined;
  // Own properties only, so that nothing inherited counts as a header.
  for (const name of Object.keys(record)) {
    if (name.length === wanted.length && name.toLowerCase() === wanted) {
      const value = record[name] ?? [];
      if (Array.isArray(value) && value.length === 0) continue;
      joined = joined === undefined ? String(value) : `${joined},${value}`;
    }
  }
  return joined;
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
