import { toHex } from './hex.ts';
import { nodeCrypto } from './node-crypto.ts';

/** Makes the hexadecimal signature of `<timestamp>.<body>`: at once where the runtime allows it, elsewhere as a promise. */
type Signer = (timestamp: string, body: Uint8Array) => string | Promise<string>;

/** A project has at most five endpoints (interface document, Limits), each with two secrets while one is rotated. */
const MAX_SIGNERS = 32;

/** The signers made so far, by secret. No entry exports them: the package's own tests empty and fill them. */
export const signers = new Map<string, Signer>();

/** The signer of `secret`, with its key at hand; all are forgotten when there are too many. */
export function signerOf(secret: string): Signer {
  let signer = signers.get(secret);
  if (!signer) {
    if (signers.size >= MAX_SIGNERS) signers.clear();
    signer = createSigner(secret);
    signers.set(secret, signer);
  }
  return signer;
}

/** Over `node:crypto` where there is one: it is synchronous, and for a small body many times as fast as WebCrypto. */
function createSigner(secret: string): Signer {
  const node = nodeCrypto();
  if (node) {
    const key = node.createSecretKey(secret, 'utf8');
    return (timestamp, body) =>
      node.createHmac('sha256', key).update(`${timestamp}.`).update(body).digest('hex');
  }
  const { subtle } = crypto;
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, ['sign']);
  // Not `subtle.verify`: how long it takes to compare is up to each runtime.
  return async (timestamp, body) => {
    const content = new Blob([`${timestamp}.`, body as BlobPart]);
    return toHex(await subtle.sign(algorithm, await key, await content.arrayBuffer()));
  };
}

/** Compares two signatures, looking at every character so that the time tells nothing about where they differ. */
export function equalInConstantTime(a: string, b: string): boolean {
  let index = a.length;
  let difference = index ^ b.length;
  while (index--) difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return difference === 0;
}
