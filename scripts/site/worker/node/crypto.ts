// `node:crypto` for the signer of test deliveries, which does not wait for Web Crypto.
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

const bytesOf = (text: string | Uint8Array) =>
  typeof text === 'string' ? new TextEncoder().encode(text) : text;

export function createHmac(_algorithm: 'sha256', secret: string) {
  const state = hmac.create(sha256, bytesOf(secret));
  const signer = {
    update(text: string | Uint8Array) {
      state.update(bytesOf(text));
      return signer;
    },
    digest: (_encoding: 'hex') => bytesToHex(state.digest()),
  };
  return signer;
}
