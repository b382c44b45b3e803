// Reads a signature header leniently, to explain what is wrong with it.

import { toHex } from '../../util/hex.ts';
import { fromBase64 } from './bodies.ts';

/** A signature found in a header, in any notation. */
export interface ShownSignature {
  /** In lowercase hexadecimal. */
  readonly hex: string;
  readonly hash: 'SHA-256' | 'SHA-512';
  /** What would have to be different for it, and the timestamp beside it, to be as documented. */
  readonly changes: readonly string[];
}

/** The contents of a header that may be malformed. */
export interface ShownHeader {
  readonly t: string;
  /** `t` in seconds, whichever unit it is in. */
  readonly seconds: number;
  readonly signatures: readonly ShownSignature[];
}

/** From 32 bytes in base64 to 64 bytes in hexadecimal. */
const tokenPattern = /[\w+/-]{43,128}={0,2}/g;
const hashes = { 32: 'SHA-256', 64: 'SHA-512' } as const;
const MILLISECONDS_DIGITS = 13;

/** Finds a timestamp and signatures, whatever surrounds them. */
export function readLeniently(header: string): ShownHeader | undefined {
  const t = /\bt=\s*"?(\d+)/i.exec(header)?.[1] ?? '';
  const isInMilliseconds = t.length >= MILLISECONDS_DIGITS;
  const signatures = (header.match(tokenPattern) ?? []).flatMap((token): ShownSignature[] => {
    const isHex = /^(?:[\da-f]{64}){1,2}$/i.test(token);
    const bytes = isHex ? undefined : fromBase64(token);
    const hex = bytes ? toHex(bytes) : token.toLowerCase();
    const hash = hashes[(hex.length / 2) as keyof typeof hashes];
    if (!hash) return [];
    const changes: string[] = [];
    if (!isHex) changes.push('the signature were in hexadecimal digits, not in base64');
    if (hash !== 'SHA-256') changes.push('the signature were made with SHA-256, not SHA-512');
    if (isInMilliseconds) changes.push('t were in seconds instead of milliseconds');
    return [{ hex, hash, changes }];
  });
  const seconds = Number(t) / (isInMilliseconds ? 1000 : 1);
  return t && signatures.length > 0 ? { t, seconds, signatures } : undefined;
}
