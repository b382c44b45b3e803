// Which packages are compiled into which entry: read from the metafiles of the build, and from the lock file.
import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);
const readJson = (path: string) => JSON.parse(readFileSync(new URL(path, root), 'utf8'));

/** A part of esbuild's metafile. Its inputs and outputs are paths in the repository. */
interface Metafile {
  readonly outputs: Readonly<Record<string, Output>>;
}
interface Output {
  /** Those of external files are relative to the output. */
  readonly imports: readonly { readonly path: string; readonly external?: boolean }[];
  readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>>;
}

export interface CompiledIn {
  readonly name: string;
  readonly version: string;
  /** An SPDX identifier. */
  readonly license: string;
  /** Of the packed package, as the lock file has it: `sha512-` and base64. */
  readonly integrity: string;
  /** Names of the files in `dist` that load its code, without their endings. */
  readonly entries: readonly string[];
}

/** The metafiles of the builds. */
export function metafilePaths(): string[] {
  return globSync('dist/metafile-*.json', { cwd: fileURLToPath(root) });
}

/** What package.json publishes under a name: the entries, and the program. */
function publishedFiles(): readonly string[] {
  const { exports, bin } = readJson('package.json');
  const entries = Object.values<{ import?: { default: string } }>(exports);
  return [...entries.flatMap((entry) => entry.import?.default ?? []), ...Object.values<string>(bin)].map(
    (path) => path.replace(/^\.\//, ''),
  );
}

/** The packages whose code an output holds, or loads from another one, now or later. */
function packagesOf(outputs: Metafile['outputs'], path: string, seen = new Set<string>()): Set<string> {
  const output = outputs[path];
  if (output === undefined || seen.has(path)) return new Set();
  seen.add(path);
  const own = Object.entries(output.inputs)
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([input]) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? []);
  const imported = output.imports.map((one) => posix.join(one.external ? posix.dirname(path) : '', one.path));
  return new Set([...own, ...imported.flatMap((one) => [...packagesOf(outputs, one, seen)])]);
}

/** Every package that is compiled in, by name. Both formats are made of the same sources; those of ESM have the program, too. */
export function packagesCompiledIn(): CompiledIn[] {
  const metafiles: Metafile[] = metafilePaths().map(readJson);
  const outputs = Object.assign({}, ...metafiles.map((metafile) => metafile.outputs));
  const { packages } = readJson('package-lock.json');
  const entries = new Map<string, string[]>();
  const add = (name: string, entry: string) => entries.set(name, [...(entries.get(name) ?? []), entry]);
  for (const path of publishedFiles()) {
    const entry = path.replace(/^dist\/|\.js$/g, '');
    for (const name of packagesOf(outputs, path)) add(name, entry);
  }
  return [...entries.keys()].toSorted().map((name) => {
    const { version, license, integrity } = packages[`node_modules/${name}`];
    return { name, version, license, integrity, entries: entries.get(name) ?? [] };
  });
}
