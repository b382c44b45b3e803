// Bytes of bodies, of any realm.

import { tagOf } from './json.ts';

export function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** The bytes of a raw body; undefined for a parsed or missing one. */
export function bytesOf(body: unknown): Uint8Array | undefined {
  if (typeof body === 'string') return encode(body);
  if (tagOf(body) === 'ArrayBuffer') return new Uint8Array(body as ArrayBuffer);
  // Such as a Buffer, also of another realm, as under Jest.
  return tagOf(body) === 'Uint8Array' ? (body as Uint8Array) : undefined;
}
