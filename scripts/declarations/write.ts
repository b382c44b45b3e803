// Finishes the declarations in `dist`. Every build ends with it.
//
// It says `type` of what they export and the modules do not: the bundler of declarations drops the word from classes, and a compiler
// would then take a class that only calls give, such as `Page`, for a value that can be imported. Those of ESM are those of CommonJS: a
// client that a CommonJS package made has the type of one's own. What several entries share lies in files that are called by what is in
// them: an editor that goes to a definition shows their names.
import { globSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
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

/** The names of the shared files, each by something that only it declares. */
const names = {
  ApiError: 'errors',
  ClientOptions: 'options',
  ExamServiceError: 'base',
  WebhookEndpoint: 'webhook-types',
  WebhookVerificationError: 'webhook-errors',
  OnDeliveryEndEvent: 'webhook-hooks',
  toNodeListener: 'node-listener',
  Emulator: 'emulator',
};

const dist = new URL('dist/', home);
const called = new Map(globSync('*-????????.d.cts', { cwd: dist }).map((file) => [file, nameOf(file)]));
if (new Set(called.values()).size < called.size)
  throw new Error(
    `Two of ${[...called.keys()]} need a name each, by something that only one of them declares.`,
  );
for (const file of globSync('*.d.cts', { cwd: dist })) {
  const text = readFileSync(new URL(file, dist), 'utf8');
  const link = (all: string, from: string) => called.get(`${from}.d.cts`)?.replace(/.*/, "'./$&.cjs'") ?? all;
  writeFileSync(new URL(file, dist), text.replaceAll(/'\.\/([\w-]+)\.cjs'/g, link));
}
for (const [file, name] of called) renameSync(new URL(file, dist), new URL(`${name}.d.cts`, dist));

function nameOf(file: string): string {
  const text = readFileSync(new URL(file, dist), 'utf8');
  const isHere = ([declared]: [string, string]) =>
    new RegExp(`^(?:declare |abstract )*(?:class|function|interface) ${declared}\\b`, 'm').test(text);
  return Object.entries(names).find(isHere)?.[1] ?? file.replace(/-.{8}\.d\.cts$/, '');
}
