// Suggests the name that was meant by a misspelt one.

/** Names that share more than this of the longer one, from its beginning and its end, mean the same. */
const ALIKE = 0.5;
/** The same for members of a class, which may have others. */
const CLEARLY_ALIKE = 0.7;

/** Longer ones are not names, and take long to compare. */
const LONGEST_NAME = 40;

/** The common beginning of two lines, and the common end of what is left: most of both for a typo or a name cut short. */
const sharedEnds = /^(.*).*?(.*)\n\1.*\2$/is;

/**
 * The first name of `given` that is not in `known`, with the one that was probably meant: `baseURL (did you mean
 * baseUrl?)`; `null` when all are known. A class may have further members, unless one looks like a known name that is missing; but
 * a Map, a list or a signal is never meant.
 *
 * @param synonyms known names by the names that others have for the same
 */
export function findUnknownName(
  given: object,
  known: readonly string[],
  synonyms: Readonly<Record<string, string>> = {},
): string | null {
  const { getPrototypeOf } = Object;
  const names = Object.keys(given);
  let isInstance = false;
  // The last of every chain is what all objects inherit.
  for (let type = getPrototypeOf(given); type && getPrototypeOf(type); type = getPrototypeOf(type)) {
    isInstance = true;
    names.push(...Object.getOwnPropertyNames(type));
  }
  const isMember = (name: string) => isInstance && (suggest(name, known, CLEARLY_ALIKE) ?? name) in given;
  const unknown = names.find((name) => !known.includes(name) && !isMember(name));
  if (unknown !== undefined) {
    const synonym = known.find((name) => name === synonyms[unknown]);
    return withSuggestion(unknown, known, synonym);
  }
  // A list has a `map`, too.
  const isMeant = !Array.isArray(given) && names.some((name) => known.includes(name));
  if (!isInstance || isMeant) return null;
  return `${given.constructor?.name} is not an options object`;
}

/** A name in quotes, with the known one that was probably meant. */
export function withSuggestion(name: string, known: readonly string[], meant = suggest(name, known)): string {
  return `\`${name}\`${meant === null ? '' : ` (did you mean \`${meant}\`?)`}`;
}

const MOST_NAMES = 3;

/** The first three names, each as `show` writes it, and how many more there are. */
export function listNames(names: readonly string[], show = (name: string) => name): string {
  const hidden = names.length - MOST_NAMES;
  return (
    names
      .slice(0, MOST_NAMES)
      .map((name) => show(name))
      .join(', ') + (hidden > 0 ? ` and ${hidden} more` : '')
  );
}

/** The name that was probably meant; `null` when none is close. */
export function suggest(name: string, known: readonly string[], alike = ALIKE): string | null {
  let meant: string | null = null;
  let most = alike;
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
