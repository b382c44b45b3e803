// What is wrong with the columns of a row, which come from a file, and how to name them.

import { listNames, withSuggestion } from './suggest.ts';

/** The names of a caller's rows are data: they are quoted only if all look like names of columns. */
const columnName = /^\p{L}[\p{L}\p{M}\p{N}_-]{0,29}$/u;

/** Says which columns came and which were meant, where the usual mistakes show, and gives a `map` that makes the second of the first. */
export function describeColumns(came: readonly string[], meant: readonly string[]): string {
  const known = meant.join(', ');
  const separator = came.length === 1 ? /[;,\t|]/.exec(String(came))?.[0] : undefined;
  const names = separator === undefined ? came : String(came).split(separator);
  const extra = names.filter((name) => !meant.includes(name));
  const isQuoted = names.map(bare).every((name) => columnName.test(name));
  if (
    isQuoted &&
    separator === undefined &&
    extra.length > 0 &&
    names.length - extra.length === meant.length
  ) {
    const suggested = listNames(extra, (name) => withSuggestion(bare(name), meant));
    const map = `map: ({ ${known} }) => ({ ${known} })`;
    return `does not take ${suggested}; leave it out with the option \`map\` of importAll: \`${map}\``;
  }
  const sources = matchColumns(names, meant);
  const fields = meant.map((name, index) => `${name}: row[${quoted((isQuoted && sources[index]) || '…')}]`);
  const used = names.filter((name) => sources.includes(name));
  const columns = isQuoted ? `: ${listNames([...new Set([...used, ...names].map(bare))])}` : '';
  const hints = [
    names[0]?.startsWith('\uFEFF') &&
      'the first begins with a byte order mark: set `bom: true` of your parser',
    separator && `its name holds ${JSON.stringify(separator)}: is that the separator?`,
    names.some((name) => /^[^\S\uFEFF]|\s$/.test(name)) && 'there are spaces beside a name',
    !isQuoted && !separator && 'is the header line missing?',
  ].filter(Boolean);
  const advice = hints.length === 0 ? '' : ` (${hints.join('; ')})`;
  return (
    `has ${came.length} ${came.length === 1 ? 'column' : 'columns'}${columns}, where ${known} are meant${advice}; ` +
    `rename them with the option \`map\` of importAll: \`map: (row) => ({ ${fields.join(', ')} })\``
  );
}

/** For each column that is meant, the one that came for it: the same but for case and accents, or the only one that is left. */
function matchColumns(came: readonly string[], meant: readonly string[]): (string | undefined)[] {
  const found = meant.map((name) => came.find((given) => folded(given) === name));
  const left = came.filter((name) => !found.includes(name));
  const isOnlyOne = left.length === 1 && found.filter((name) => name === undefined).length === 1;
  return isOnlyOne ? found.map((name) => name ?? left[0]) : found;
}

const bare = (name: string) => name.replace('\uFEFF', '').trim();

/** Without case, accents and punctuation. */
const folded = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

const quoted = (name: string) => `'${name.replace('\uFEFF', '\\uFEFF')}'`;
