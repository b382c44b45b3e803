// One email, one row: over the whole source, a second row with the email of an earlier one would overwrite that person's password.

import type { ParticipantImport } from './import-all-options.ts';

/** An email as the service compares it: frameworks trim it, and databases ignore its case and its Unicode form. */
export function emailKey(email: string): string {
  // Greedy, so that a long run of spaces inside takes no longer than other text.
  const trimmed = /^[\s\p{Cf}]*(.*[^\s\p{Cf}])?/su.exec(email)?.[1] ?? '';
  return trimmed.normalize('NFC').toLowerCase();
}

/** The first row of each email. Of a row it holds its place and a digest: with a short email, 82 bytes. */
export class Emails {
  readonly #holders = new Map<string, number>();
  readonly #digests: number[] = [];

  /** Registers the email of a row; gives the place of the earlier row that has it, or `null` where that is equal in all fields. */
  register(key: string, row: ParticipantImport, index: number): 'first' | number | null {
    const holder = this.#holders.get(key);
    const own = digest(row);
    if (holder !== undefined) return this.#digests[holder] === own ? null : holder;
    this.#holders.set(key, index);
    this.#digests[index] = own;
    return 'first';
  }
}

/** 53 bits of the three fields (cyrb53): compared only with that of one other row. */
function digest({ email, name, password }: ParticipantImport): number {
  let high = 0xdeadbeef;
  let low = 0x41c6ce57;
  // No field holds U+0000.
  const text = `${email}\0${name}\0${password}`;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 0x9e3779b1);
    low = Math.imul(low ^ unit, 0x5f356495);
  }
  const mix = (a: number, b: number) =>
    Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35);
  return (mix(low, high) & 0x1fffff) * 2 ** 32 + (mix(high, low) >>> 0) + 1;
}
