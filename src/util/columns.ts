// What is wrong with the columns of a row, which come from a file, and what to do about it.

import { listNames, withSuggestion } from './suggest.ts';

/** The names of a caller's rows are data: they are quoted only if all look like names of columns. */
const columnName = /^\p{L}[\p{L}\p{M}\p{N}_-]{0,29}$/u;

/** What parsers call a cell for which the header has no name. */
const madeUpName = /^(__parsed_extra|__EMPTY(_\d+)?|_\d+)$/;

/**
 * What is wrong with the columns that came, to follow "row 0". It says one thing to do: how to set the parser, where that is the cause;
 * otherwise a `map` to paste, unless a column did not come at all, or a cell stands in the column of another.
 *
 * @param isMapped whether `map` returned them
 */
export function describeColumns(came: readonly string[], meant: readonly string[], isMapped = false): string {
  const separator = came.length === 1 ? /[;,\t|]/.exec(String(came))?.[0] : undefined;
  if (separator !== undefined) {
    const setting = `delimiter: '${separator === '\t' ? '\\t' : separator}'`;
    return `has one column, whose name holds its separator: set \`${setting}\` of your CSV parser`;
  }
  if (came[0]?.startsWith('\uFEFF'))
    return 'begins with a byte order mark: set `bom: true` of your CSV parser';

  if (came.some((name) => madeUpName.test(name)))
    return 'has more cells than the header: are quotes missing around a cell that holds the separator?';

  const known = meant.join(', ');
  const isNamed = came.every((name) => columnName.test(name.trim()));
  const extra = came.filter((name) => !meant.includes(name));
  if (extra.length > 0 && came.length - extra.length === meant.length) {
    const names = isNamed ? ` ${listNames(extra, (name) => withSuggestion(name.trim(), meant))}` : '';
    const kind = extra.length === 1 ? 'an unknown column' : `${extra.length} unknown columns`;
    if (isMapped) return `\`map\` returned ${kind}${names}: return { ${known} } alone`;
    return `has ${kind}${names}. ${passMap}({ ${known} }) => ({ ${known} })\``;
  }
  const sources = matchColumns(came, meant);
  const used = came.filter((name) => sources.includes(name));
  const names = listNames([...new Set([...used, ...came].map((name) => name.trim()))]);
  const isListed = isNamed && came.length > 0;
  const which = isListed ? `the columns ${names}` : `${came.length} columns`;
  if (isMapped) return `\`map\` returned ${which}; expected ${known}`;
  const has = `has ${which}; expected ${known}`;
  const cause = isListed
    ? "Perhaps a cell is empty: set `defval: ''` of `sheet_to_json`"
    : 'Is the header line missing?';
  if (came.length < meant.length) return `${has}. ${cause}`;
  const fields = meant.map((name, index) => `${name}: row['${(isListed && sources[index]) || '…'}']`);
  const spaces = came.some((name) => name !== name.trim()) ? ' (there are spaces beside a name)' : '';
  return `${has}${isListed ? `${spaces}.` : `. ${cause}`} ${passMap}(row) => ({ ${fields.join(', ')} })\``;
}

/** What to do, up to the parameters of the function. */
const passMap = 'Pass `map` to importAll: `map: ';

/** For each expected column, the one in the row that means it: the same name but for case and accents, or the only one left. */
function matchColumns(came: readonly string[], meant: readonly string[]): (string | undefined)[] {
  const found = meant.map((name) => came.find((given) => folded(given) === name));
  const left = came.filter((name) => !found.includes(name));
  const isOnlyOne = left.length === 1 && found.filter((name) => name === undefined).length === 1;
  return isOnlyOne ? found.map((name) => name ?? left[0]) : found;
}

/** Without case, accents and punctuation. */
const folded = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
