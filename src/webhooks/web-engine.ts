import { toHex } from './hex.ts';
import { keyCache } from './key-cache.ts';
import { equalInConstantTime, type SignatureEngine } from './signature-engine.ts';

/**
 * The engine over WebCrypto, for runtimes without `node:crypto`. It signs and compares here, because how long
 * `subtle.verify` takes to compare is up to each runtime.
 */
export function webEngine({ subtle } = crypto): SignatureEngine {
  const encoder = new TextEncoder();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const keyOf = keyCache((secret) =>
    subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']),
  );
  return {
    async matches({ timestamp, signatures }, body, secrets) {
      const content = await new Blob([`${timestamp}.`, body as BlobPart]).arrayBuffer();
      for (const secret of secrets) {
        const expected = toHex(await subtle.sign('HMAC', await keyOf(secret), content));
        if (signatures.some((signature) => equalInConstantTime(expected, signature))) return true;
      }
      return false;
    },
  };
}
