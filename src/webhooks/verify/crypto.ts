// SHA-256 and signatures, by `node:crypto` where there is one, otherwise by WebCrypto.

import { encode } from '../../util/bytes.ts';
import { toHex } from '../../util/hex.ts';
import { lookUp } from '../../util/platform.ts';

interface Hash {
  update(data: string | Uint8Array): Hash;
  digest(encoding: 'hex'): string;
}

/** The part of `node:crypto` in use. */
interface NodeCrypto {
  createHash(algorithm: 'sha256'): Hash;
  createHmac(algorithm: 'sha256', secret: string): Hash;
}

/**
 * `node:crypto` if the runtime has it. Preferred, because it is many times faster than WebCrypto for a small body. With it,
 * `sha256` and `sign` return strings, not promises.
 */
export function nodeCrypto(): NodeCrypto | undefined {
  return lookUp((process) => process.getBuiltinModule('node:crypto')) as NodeCrypto | undefined;
}

/** SHA-256 of the UTF-8 bytes of `text`, in lowercase hexadecimal. */
export function sha256(text: string): string | Promise<string> {
  const node = nodeCrypto();
  if (node) return node.createHash('sha256').update(text).digest('hex');
  return crypto.subtle.digest('SHA-256', encode(text)).then(toHex);
}

/** Signs `<timestamp>.<body>` for `X-Cbt-Signature`: HMAC-SHA256 in lowercase hexadecimal. */
export function sign(secret: string, timestamp: string, body: Uint8Array): string | Promise<string> {
  const node = nodeCrypto();
  if (node) return node.createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
  return signOnWeb(secret, timestamp, body);
}

async function signOnWeb(secret: string, timestamp: string, body: Uint8Array): Promise<string> {
  const { subtle } = crypto;
  const content = await new Blob([`${timestamp}.`, body as BlobPart]).arrayBuffer();
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await subtle.importKey('raw', encode(secret), algorithm, false, ['sign']);
  return toHex(await subtle.sign('HMAC', key, content));
}

/**
 * Whether two signatures, of the same length, are the same: in constant time, since the loop does not end at the first
 * difference. Not `subtle.verify`, since runtimes differ in how they compare.
 */
export function isSame(a: string, b: string): boolean {
  let difference = 0;
  for (let index = 0; index < b.length; index++) difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return difference === 0;
}
