/** Small differences are typos; beyond this it is another word. */
const MOST_EDITS = 2;

/**
 * The first name of `given` that is not in `known`, with the one that was probably meant: `baseURL (did you mean
 * baseUrl?)`; `null` when all are known.
 */
export function findUnknownName(given: object, known: readonly string[]): string | null {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return null;
  const meant = suggest(unknown, known);
  return meant === null ? `\`${unknown}\`` : `\`${unknown}\` (did you mean \`${meant}\`?)`;
}

/** The name that was probably meant; `null` when none is close. */
export function suggest(name: string, known: readonly string[]): string | null {
  const distances = known.map((candidate) => distance(simplified(name), simplified(candidate)));
  const least = Math.min(...distances);
  return least <= Math.min(MOST_EDITS, name.length / 3) ? (known[distances.indexOf(least)] ?? null) : null;
}

function simplified(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** Edits that turn one word into the other (Levenshtein). */
function distance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...a].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...b].entries()) {
      const replaced = (above[column] ?? 0) + (letter === other ? 0 : 1);
      current.push(Math.min(replaced, (above[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    above = current;
  }
  return above[b.length] ?? 0;
}
