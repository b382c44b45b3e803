// Suggests the name that was meant by a misspelt one.

/** Names that share more than this of the longer one, from its beginning and its end, mean the same. */
const ALIKE = 0.5;

/** Longer ones are no names, and take long to compare. */
const LONGEST_NAME = 40;

/** What two lines both begin with and, in what is left of them, both end with: most of it for a typo or a name cut short. */
const sharedEnds = /^(.*).*?(.*)\n\1.*\2$/is;

/**
 * The first name of `given` that is not in `known`, with the one that was probably meant: `baseURL (did you mean
 * baseUrl?)`; `null` when all are known. What a class provides besides is its own affair, unless it looks like a known name.
 */
export function findUnknownName(given: object, known: readonly string[]): string | null {
  const isUnknown = (name: string) => !known.includes(name);
  const name = Object.keys(given).find(isUnknown);
  if (name !== undefined) return describe(name, suggest(name, known));
  const { getPrototypeOf } = Object;
  // The last of every chain is what all objects inherit.
  for (let type = getPrototypeOf(given); type && getPrototypeOf(type); type = getPrototypeOf(type)) {
    for (const inherited of Object.getOwnPropertyNames(type).filter(isUnknown)) {
      const meant = suggest(inherited, known);
      if (meant !== null) return describe(inherited, meant);
    }
  }
  return null;
}

function describe(name: string, meant: string | null): string {
  return `\`${name}\`${meant === null ? '' : ` (did you mean \`${meant}\`?)`}`;
}

/** The name that was probably meant; `null` when none is close. */
export function suggest(name: string, known: readonly string[]): string | null {
  let meant: string | null = null;
  let most = ALIKE;
  for (const candidate of known) {
    const shared = `${name.slice(0, LONGEST_NAME)}\n${candidate}`.replace(sharedEnds, '$1$2');
    const isSwapped = sorted(name) === sorted(candidate);
    const likeness = isSwapped ? 1 : shared.length / Math.max(name.length, candidate.length);
    if (likeness > most) [meant, most] = [candidate, likeness];
  }
  return meant;
}

/** The same for two names that differ in the order of their letters. */
function sorted(name: string): string {
  return [...name].sort().join();
}
