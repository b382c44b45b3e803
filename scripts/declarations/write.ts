// Finishes the declarations in `dist`. Every build ends with it.
//
// It says `type` of what they export and the modules do not: the bundler of declarations drops the word from classes, and a compiler
// would then take a class that only calls give, such as `Page`, for a value that can be imported. Those of ESM are those of CommonJS: a
// client that a CommonJS package made has the type of one's own.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

const home = new URL('../../', import.meta.url);
const { exports } = JSON.parse(readFileSync(new URL('package.json', home), 'utf8'));

interface Entry {
  readonly import: { readonly types: string };
  readonly require: { readonly types: string; readonly default: string };
}

for (const entry of Object.values<Entry | string>(exports)) {
  if (typeof entry === 'string') continue;
  const values = Object.keys(await import(new URL(entry.require.default, home).href));
  const file = new URL(entry.require.types, home);
  const text = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    text.replace(/^export \{(.*)\}/gm, (_, names: string) => `export {${marked(names, values)}}`),
  );
  writeFileSync(new URL(entry.import.types, home), `export * from './${basename(entry.require.default)}';\n`);
}

/** `A, B as C` with `type` before each whose exported name is not of a value. */
function marked(names: string, values: readonly string[]): string {
  return names.replace(/(\w+)(?: as (\w+))?/g, (name, own: string, exported = own) =>
    values.includes(exported) ? name : `type ${name}`,
  );
}
