// The secrets that may have been used, for `explainWebhookFailure`: as given, and with mistakes undone.

import type { Candidate } from './explain-candidates.ts';

/** The usual prefix of webhook secrets; the emulator's secrets have it too. */
const COMMON_PREFIX = 'whsec_';

/** Whether a secret looks like the result of a missing environment variable. */
export function isUnset(secret: unknown): boolean {
  return typeof secret !== 'string' || /^(?:undefined|null)?$/.test(secret.trim());
}

/** Every secret as is, and with every common configuration mistake undone. */
export function secretCandidates(
  given: readonly unknown[],
  others: readonly string[],
): (Candidate<string> & { readonly other: string | undefined })[] {
  const all = [
    ...given.map((value) => ({ value, other: undefined })),
    ...others.map((value, index) => ({ value, other: `the secret were otherSecrets[${index}]` })),
  ];
  return all.flatMap(({ value, other }) =>
    isUnset(value) ? [] : variants(String(value)).map((variant) => ({ ...variant, other })),
  );
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
