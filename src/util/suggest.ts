// Suggests the name that was meant by a misspelt one.

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
  const rows = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (isSame ? 0 : 1),
        isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
  }
  return at(a.length, b.length);
}
