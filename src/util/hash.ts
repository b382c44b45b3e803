/** A 53-bit hash of a string: large enough that strings within one program do not collide by chance. */
export function hash(text: string): number {
  let high = 0;
  let low = 0;
  for (let index = 0; index < text.length; index += 1) {
    // Multipliers that spread bits well: from the golden ratio and from MurmurHash3.
    high = Math.imul(high ^ text.charCodeAt(index), 0x9e3779b1);
    low = Math.imul(low ^ text.charCodeAt(index), 0x85ebca6b);
  }
  return (high >>> 0) * 2 ** 21 + (low >>> 11);
}
