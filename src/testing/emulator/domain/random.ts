// Random values of the emulator.

import { toHex } from '../../../util/hex.ts';

/** `bytes` random bytes as lowercase hex. */
export function randomHex(bytes: number): string {
  return toHex(globalThis.crypto.getRandomValues(new Uint8Array(bytes)));
}
