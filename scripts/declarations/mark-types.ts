// Says `type` of what the declarations export and the modules do not. The bundler of declarations drops the word from classes, and a
// compiler would then take a class that only calls give, such as `Page`, for a value that can be imported. Every build ends with it.
import { readFileSync, writeFileSync } from 'node:fs';

const home = new URL('../../', import.meta.url);
const { exports } = JSON.parse(readFileSync(new URL('package.json', home), 'utf8'));

for (const entry of Object.values(exports)) {
  for (const { types, default: module } of Object.values(Object(entry)) as {
    types?: string;
    default?: string;
  }[]) {
    if (types === undefined || module === undefined) continue;
    const values = Object.keys(await import(new URL(module, home).href));
    const file = new URL(types, home);
    const text = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      text.replace(/^export \{(.*)\}/gm, (_, names: string) => `export {${marked(names, values)}}`),
    );
  }
}

/** `A, B as C` with `type` before each whose exported name is not of a value. */
function marked(names: string, values: readonly string[]): string {
  return names.replace(/(\w+)(?: as (\w+))?/g, (name, own: string, exported = own) =>
    values.includes(exported) ? name : `type ${name}`,
  );
}
