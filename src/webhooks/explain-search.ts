// Finds the combination of body and secret that makes a signature right.

import { toHex } from '../util/hex.ts';
import { sign } from './crypto.ts';
import type { Candidate } from './explain-candidates.ts';
import type { ShownHeader, ShownSignature } from './explain-header.ts';

/** A signature that is right after some changes. */
export interface Found {
  readonly signature: ShownSignature;
  readonly changes: readonly string[];
}

/** Finds the signature of the header that fits a body and a secret. Each body is made only after those before it failed. */
export async function search(
  { t, signatures }: ShownHeader,
  bodies: AsyncIterable<Candidate<Uint8Array>>,
  secrets: readonly (Candidate<string> & { readonly other: string | undefined })[],
): Promise<Found | undefined> {
  if (secrets.length === 0) return undefined;
  const hashes = new Set(signatures.map(({ hash }) => hash));
  for await (const body of bodies) {
    for (const secret of secrets) {
      for (const hash of hashes) {
        const made = await (hash === 'SHA-256' ? sign : signWithSha512)(secret.value, t, body.value);
        const signature = signatures.find(({ hex }) => hex === made);
        const changes = [secret.other, secret.change, body.change].filter((change) => change !== undefined);
        if (signature) return { signature, changes };
      }
    }
  }
  return undefined;
}

async function signWithSha512(secret: string, timestamp: string, body: Uint8Array): Promise<string> {
  const { subtle } = crypto;
  const algorithm = { name: 'HMAC', hash: 'SHA-512' };
  const key = await subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, ['sign']);
  const content = await new Blob([`${timestamp}.`, body as BlobPart]).arrayBuffer();
  return toHex(await subtle.sign('HMAC', key, content));
}
