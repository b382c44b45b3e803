// What is said of a name that is not known, in code and in the control interface alike.

import { suggest } from '../../util/suggest.ts';

/** Names what is unknown, and what was probably meant or what there is. Without a full stop. */
export function unknownName(kind: string, name: unknown, known: readonly string[]): string {
  const meant = suggest(String(name), known);
  const others = known.length === 0 ? ': there is none' : `: use ${known.join(', ')}`;
  const hint = meant === null ? others : ` (did you mean \`${meant}\`?)`;
  return `Unknown ${kind} \`${name}\`${hint}`;
}

/** @throws {TypeError} for what is no object, or has another name than these */
export function rejectUnknown(kind: 'option' | 'field', given: object, known: readonly string[]): void {
  if (Object(given) !== given)
    throw new TypeError(`Pass the ${kind}s as one object: { ${known.join(', ')} }.`);
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new TypeError(`${unknownName(kind, unknown, known)}.`);
}
