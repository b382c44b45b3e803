import { toHex } from './hex.ts';
import { nodeCrypto } from './node-crypto.ts';

/** SHA-256 of `bytes` in lowercase hexadecimal digits. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  const crypto = nodeCrypto();
  if (crypto) return crypto.createHash('sha256').update(bytes).digest('hex');
  return toHex(await globalThis.crypto.subtle.digest('SHA-256', bytes as BufferSource));
}
