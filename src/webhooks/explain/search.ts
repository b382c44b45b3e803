// Finds the combination of body and secret that makes a signature right, with common mistakes undone.

import { signOnWeb } from '../verify/crypto.ts';
import type { Candidate } from './bodies.ts';
import type { ShownHeader, ShownSignature } from './read-header.ts';

/** A signature that is right after some changes. */
export interface Found {
  readonly signature: ShownSignature;
  readonly changes: readonly string[];
}

/** A secret to try; `other` says which of `otherSecrets` it is. */
type SecretCandidate = Candidate<string> & { readonly other: string | undefined };

/** Finds the signature of the header that fits a body and a secret. Each body is made only after those before it failed. */
export async function search(
  { t, signatures }: ShownHeader,
  bodies: AsyncIterable<Candidate<Uint8Array>>,
  secrets: readonly SecretCandidate[],
): Promise<Found | undefined> {
  if (secrets.length === 0) return undefined;
  const hashes = new Set(signatures.map(({ hash }) => hash));
  for await (const body of bodies) {
    for (const secret of secrets) {
      for (const hash of hashes) {
        const made = await signOnWeb(hash, secret.value, t, body.value);
        const signature = signatures.find(({ hex }) => hex === made);
        const changes = [secret.other, secret.change, body.change].filter((change) => change !== undefined);
        if (signature) return { signature, changes };
      }
    }
  }
  return undefined;
}

/** The usual prefix of webhook secrets; the emulator's secrets have it too. */
const COMMON_PREFIX = 'whsec_';

/** Whether a secret looks like the result of a missing environment variable. */
export function isUnset(secret: unknown): boolean {
  return typeof secret !== 'string' || /^(?:undefined|null)?$/.test(secret.trim());
}

/** Every secret as is, and with every common configuration mistake undone. */
export function secretCandidates(given: readonly unknown[], others: readonly string[]): SecretCandidate[] {
  return [...given, ...others].flatMap((secret, index) => {
    if (isUnset(secret)) return [];
    const other = index < given.length ? undefined : `the secret were otherSecrets[${index - given.length}]`;
    return variants(String(secret)).map((variant) => ({ ...variant, other }));
  });
}

function variants(secret: string): Candidate<string>[] {
  const bare = secret.trim();
  const unquoted = bare.replace(/^(["'])(.*)\1$/s, '$2');
  const found = [
    { value: secret, change: undefined },
    { value: bare, change: 'the secret had no whitespace around it' },
    { value: unquoted, change: 'the secret had no quotes around it' },
    unquoted.startsWith(COMMON_PREFIX)
      ? { value: unquoted.slice(COMMON_PREFIX.length), change: `the secret had no prefix ${COMMON_PREFIX}` }
      : { value: COMMON_PREFIX + unquoted, change: `the secret had its prefix ${COMMON_PREFIX}` },
  ];
  return found.filter(
    ({ value }, index) => value && found.findIndex((other) => other.value === value) === index,
  );
}
