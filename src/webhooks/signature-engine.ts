import type { SignatureHeader } from './signature-header.ts';

/** The cryptography of one runtime. It answers at once where the runtime allows it, elsewhere with a promise. */
export interface SignatureEngine {
  /** Whether a signature in `header` is the HMAC-SHA256 of `<timestamp>.<body>` under one of `secrets`. */
  matches(header: SignatureHeader, body: Uint8Array, secrets: readonly string[]): boolean | Promise<boolean>;
}

/** Compares two signatures, looking at every character so that the time tells nothing about where they differ. */
export function equalInConstantTime(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let index = 0; index < a.length; index++) difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return difference === 0;
}
