// Finds the body and the secret that make a signature right, with usual mistakes undone.

import { encode } from '../../util/bytes.ts';
import { sign } from '../verify/crypto.ts';
import type { Candidate } from './bodies.ts';

/** The mistakes that explain why no signature is right; undefined where those tried do not. */
export async function search(
  { t, v1 }: { readonly t: string; readonly v1: readonly string[] },
  bodies: readonly Candidate<Uint8Array | string>[],
  secrets: readonly Candidate<string>[],
): Promise<readonly string[] | undefined> {
  for (const body of bodies) {
    const bytes = typeof body.value === 'string' ? encode(body.value) : body.value;
    for (const secret of secrets) {
      if (v1.includes(await sign(secret.value, t, bytes))) return [...secret.changes, ...body.changes];
    }
  }
  return undefined;
}

/** The usual prefix of webhook secrets; the emulator's secrets have it too. */
const COMMON_PREFIX = 'whsec_';

/** Whether a secret looks like the result of a missing environment variable. */
export function isUnset(secret: unknown): boolean {
  return typeof secret !== 'string' || /^(["'`]?)(?:undefined|null)?\1$/.test(secret.trim());
}

/** Every secret as is, and with every usual configuration mistake undone. */
export function secretCandidates(given: readonly unknown[], others: readonly string[]): Candidate<string>[] {
  return [...given, ...others].flatMap((secret, index) => {
    if (isUnset(secret)) return [];
    const isOther = index >= given.length;
    const name = isOther ? `otherSecrets[${index - given.length}]` : 'Your `secret`';
    const other = isOther ? [`The delivery is signed with ${name}.`] : [];
    return variants(String(secret), name).map(([value, ...own]) => ({ value, changes: [...other, ...own] }));
  });
}

function variants(secret: string, name: string): readonly [value: string, ...changes: string[]][] {
  const bare = secret.trim();
  const unquoted = bare.replace(/^(["'`])(.*)\1$/s, '$2');
  const found: [value: string, ...changes: string[]][] = [
    [secret],
    [bare, `${name} has whitespace around it.`],
    [unquoted, `${name} has quotes around it.`],
    unquoted.startsWith(COMMON_PREFIX)
      ? [
          unquoted.slice(COMMON_PREFIX.length),
          `${name} has the prefix \`${COMMON_PREFIX}\`, which is not signed with.`,
        ]
      : [COMMON_PREFIX + unquoted, `${name} lacks the prefix \`${COMMON_PREFIX}\`.`],
  ];
  return found.filter(([value], index) => value && found.findIndex(([other]) => other === value) === index);
}
