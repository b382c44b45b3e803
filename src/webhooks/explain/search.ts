// Reads a signature header leniently, and finds the body and the secret that make it right, with common mistakes undone.

import { toHex } from '../../util/hex.ts';
import { parseSignatureHeader } from '../verify/check.ts';
import { signOnWeb } from '../verify/crypto.ts';
import { type Candidate, fromBase64 } from './bodies.ts';

/** From 32 bytes in base64 to 64 bytes in hexadecimal. */
const tokenPattern = /[\w+/-]{43,128}={0,2}/g;
/** Digits before a separator, `v1` or the end: those that begin a date are no time in seconds. */
const lenientTime = /\bt=["\s]*(\d+)["\s]*([,;&]|v1|$)/i;
const hashes = { 32: 'SHA-256', 64: 'SHA-512' } as const;
const MILLISECONDS_DIGITS = 13;

/** Finds a timestamp, also in seconds, and signatures, whatever surrounds them. */
export function readLeniently(header: string) {
  const documented = parseSignatureHeader(header);
  const t = documented?.t ?? lenientTime.exec(header)?.[1] ?? '';
  const isInMilliseconds = t.length >= MILLISECONDS_DIGITS;
  const [signature, ...others] = (header.match(tokenPattern) ?? []).flatMap((token) => {
    const isHex = /^(?:[\da-f]{64}){1,2}$/i.test(token);
    const bytes = isHex ? undefined : fromBase64(token);
    const hex = bytes ? toHex(bytes) : token.toLowerCase();
    const hash = hashes[(hex.length / 2) as keyof typeof hashes];
    if (!hash) return [];
    const changes: string[] = [];
    if (!isHex) changes.push('the signature were in hexadecimal digits, not in base64');
    if (hash !== 'SHA-256') changes.push('the signature were made with SHA-256, not SHA-512');
    if (isInMilliseconds) changes.push('t were in seconds instead of milliseconds');
    if (!changes[0] && !documented) changes.push('X-Cbt-Signature had the documented form');
    return [{ hex, hash, changes }];
  });
  const seconds = Number(t) / (isInMilliseconds ? 1000 : 1);
  return t && signature ? { t, seconds, signatures: [signature, ...others] as const } : undefined;
}

/** The contents of a header that may be malformed. */
type ShownHeader = NonNullable<ReturnType<typeof readLeniently>>;

/**
 * Finds a body and a secret that fit a signature of the header, and returns what would have to be different. Each body is
 * made only after those before it failed.
 */
export async function search(
  { t, signatures }: ShownHeader,
  bodies: AsyncIterable<Candidate<Uint8Array>>,
  secrets: readonly Candidate<string>[],
): Promise<readonly string[] | undefined> {
  const hashes = new Set(signatures.map(({ hash }) => hash));
  for await (const body of bodies) {
    for (const secret of secrets) {
      for (const hash of hashes) {
        const made = await signOnWeb(hash, secret.value, t, body.value);
        const signature = signatures.find(({ hex }) => hex === made);
        if (signature) return [...secret.changes, ...body.changes, ...signature.changes];
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
export function secretCandidates(given: readonly unknown[], others: readonly string[]): Candidate<string>[] {
  return [...given, ...others].flatMap((secret, index) => {
    if (isUnset(secret)) return [];
    const other = index < given.length ? [] : [`the secret were otherSecrets[${index - given.length}]`];
    return variants(String(secret)).map(([value, ...own]) => ({ value, changes: [...other, ...own] }));
  });
}

function variants(secret: string): readonly [value: string, ...changes: string[]][] {
  const bare = secret.trim();
  const unquoted = bare.replace(/^(["'])(.*)\1$/s, '$2');
  const found: [value: string, ...changes: string[]][] = [
    [secret],
    [bare, 'the secret had no whitespace around it'],
    [unquoted, 'the secret had no quotes around it'],
    unquoted.startsWith(COMMON_PREFIX)
      ? [unquoted.slice(COMMON_PREFIX.length), `the secret had no prefix ${COMMON_PREFIX}`]
      : [COMMON_PREFIX + unquoted, `the secret had its prefix ${COMMON_PREFIX}`],
  ];
  return found.filter(([value], index) => value && found.findIndex(([other]) => other === value) === index);
}
