/** A number of 53 bits that stands for a text: so many that two texts of one program do not share it by chance. */
export function hash(text: string): number {
  let high = 0;
  let low = 0;
  for (let index = 0; index < text.length; index += 1) {
    // Multipliers that spread bits well: of the golden ratio, and of MurmurHash3.
    high = Math.imul(high ^ text.charCodeAt(index), 0x9e3779b1);
    low = Math.imul(low ^ text.charCodeAt(index), 0x85ebca6b);
  }
  return (high >>> 0) * 2 ** 21 + (low >>> 11);
}
