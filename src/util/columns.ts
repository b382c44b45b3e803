// What is wrong with the columns of a row, which come from a file, and how to name them.

import { suggest } from './suggest.ts';

/** The names of a caller's rows are data: they are quoted only if all look like names of columns, and three at most. */
const columnName = /^\p{L}[\p{L}\p{M}\p{N}_-]{0,29}$/u;
const MOST_NAMES = 3;

/** Says which columns came and which were meant, where the usual mistakes show, and gives a `map` that makes the second of the first. */
export function describeColumns(came: readonly string[], meant: readonly string[]): string {
  const known = meant.join(', ');
  const extra = came.filter((name) => !meant.includes(name));
  const isQuoted = came.map(bare).every((name) => columnName.test(name));
  if (isQuoted && came.length - extra.length === meant.length) {
    const map = `map: ({ ${known} }) => ({ ${known} })`;
    const told = extra.map((name) => {
      const near = suggest(bare(name), meant);
      return near === null ? name : `${bare(name)} (did you mean \`${near}\`?)`;
    });
    return `does not take ${listed(told)}; leave it out with the option \`map\` of importAll: \`${map}\``;
  }
  const sources = matchColumns(came, meant);
  const fields = meant.map((name, index) => {
    const source = sources[index];
    return `${name}: row[${source !== undefined && isQuoted ? quoted(source) : "'…'"}]`;
  });
  const used = sources.filter((name) => name !== undefined);
  const others = came.filter((name) => !used.includes(name));
  const columns = isQuoted ? listed([...used, ...others]) : 'whose names are not shown';
  const has = `has ${came.length} ${came.length === 1 ? 'column' : 'columns'}, ${columns}, where ${known} are meant`;
  return `${has}${hintsOf(came, isQuoted)}; rename them with the option \`map\` of importAll: \`map: (row) => ({ ${fields.join(', ')} })\``;
}

/** For each column that is meant, the one that came for it: the same but for case, accents and spelling, or the only one that is left. */
function matchColumns(came: readonly string[], meant: readonly string[]): (string | undefined)[] {
  const find = (name: string) =>
    came.find((candidate) => candidate === name) ??
    came.find((candidate) => folded(candidate) === name) ??
    came.find((candidate) => !meant.includes(candidate) && suggest(folded(candidate), meant) === name);
  const found = meant.map(find);
  const left = came.filter((name) => !found.includes(name));
  const isOnlyOne = left.length === 1 && found.filter((name) => name === undefined).length === 1;
  return isOnlyOne ? found.map((name) => name ?? left[0]) : found;
}

/** What a file and its parser usually disagree about, where the names show it. */
function hintsOf(came: readonly string[], isQuoted: boolean): string {
  const [first = ''] = came;
  const separator = came.length === 1 ? /[;,\t|]/.exec(first)?.[0] : undefined;
  const hints = [
    first.startsWith('\uFEFF') &&
      'the first begins with a byte order mark: have your parser remove it (`bom: true`)',
    separator !== undefined && `its name holds ${JSON.stringify(separator)}: is that the separator?`,
    came.some((name) => bare(name) !== name.replace('\uFEFF', '')) && 'there are spaces beside a name',
    !isQuoted && separator === undefined && 'is the header line missing?',
  ].filter(Boolean);
  return hints.length === 0 ? '' : ` (${hints.join('; ')})`;
}

const bare = (name: string) => name.replace('\uFEFF', '').trim();

/** Without case, accents and punctuation. */
const folded = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();

const quoted = (name: string) => `'${name.replace('\uFEFF', '\\uFEFF')}'`;

function listed(names: readonly string[]): string {
  const hidden = names.length - MOST_NAMES;
  return names.slice(0, MOST_NAMES).map(bare).join(', ') + (hidden > 0 ? ` and ${hidden} more` : '');
}
