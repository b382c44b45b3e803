import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const dist = new URL('dist/', root);

if (!existsSync(dist)) throw new Error('There is no dist: run `npm run build` before this test.');

const {
  exports,
  main: mainFile,
  types,
  typesVersions,
} = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));
const declarations = readdirSync(dist).filter((name) => /\.d\.c?ts$/.test(name));
const read = (name: string) => readFileSync(new URL(name, dist), 'utf8');
/** Without the comments: an example in one imports what the declarations do not. */
const readCode = (name: string) => read(name).replace(/\/\*[\s\S]*?\*\//g, '');

/** What a declaration imports, by whatever notation. */
function modulesOf(text: string): string[] {
  return [...text.matchAll(/\b(?:from|import|require)\s*\(?\s*['"]([^'"\s]+)['"]/g)].map(
    ([, name = '']) => name,
  );
}

test('go to definition lands in files that are called by what is in them', () => {
  expect(declarations).toEqual(expect.arrayContaining(['errors.d.cts', 'options.d.cts', 'index.d.cts']));
  expect(declarations.filter((name) => !/^[a-z]+(-[a-z]+)*\.d\.c?ts$/.test(name))).toEqual([]);
});

test('every entry of the package has its declarations, for import and for require', () => {
  const promised = Object.values(exports as Record<string, unknown>)
    .filter((entry): entry is Record<'import' | 'require', { types: string }> => typeof entry === 'object')
    .flatMap((entry) => [entry.import.types, entry.require.types]);
  expect(promised.length).toBeGreaterThan(0);
  expect(
    promised.map((path) => path.replace('./dist/', '')).filter((name) => !declarations.includes(name)),
  ).toEqual([]);
});

test('every entry is found by the classic resolution, too, which knows no exports', () => {
  const entries = Object.entries(
    exports as Record<string, string | { require: { types: string; default: string } }>,
  );
  const classic: Record<string, string[]> = {};
  for (const [path, entry] of entries) {
    if (typeof entry === 'object' && path !== '.') classic[path.slice(2)] = [entry.require.types];
  }
  // The documents, and package.json itself.
  classic['*.json'] = ['./spec/*.json', './*.json'];
  expect(typesVersions).toEqual({ '*': classic });
  const main = exports['.'].require;
  expect({ types: main.types, main: main.default }).toEqual({ types, main: mainFile });
});

const codeEntries = Object.values(
  exports as Record<string, string | Record<'import' | 'require', { types: string; default: string }>>,
).filter((entry) => typeof entry === 'object');

test.each(codeEntries.map((entry) => entry.require))(
  '$types declares those names alone as values that $default exports',
  async (entry) => {
    const text = readFileSync(new URL(String(entry.types), root), 'utf8');
    const values = [...text.matchAll(/^export \{(.*)\}/gm)]
      .flatMap(([, names = '']) => names.split(','))
      .filter((name) => !name.trim().startsWith('type '))
      .map((name) => name.split(' as ').at(-1)?.trim());
    const { default: _, 'module.exports': __, ...exported } = await import(new URL(entry.default, root).href);
    expect(values.sort()).toEqual(Object.keys(exported).sort());
  },
);

describe.each(declarations)('%s', (name) => {
  test('names no module that an install does not bring', () => {
    const foreign = modulesOf(readCode(name)).filter((module) => !/^(\.|node:)/.test(module));
    // Optional peers: what an entry is of no use without.
    const peers =
      name === 'testing-msw.d.cts' ? ['msw'] : name === 'opentelemetry.d.cts' ? ['@opentelemetry/api'] : [];
    expect(foreign).toEqual(peers);
  });

  test('holds no type of zod, ky or type-fest', () => {
    // Comments included: those of type-fest come with its types.
    expect(read(name)).not.toMatch(/type-fest|LiteralUnion|\bExcept<|\bWritable</);
    expect(readCode(name)).not.toMatch(/\$Zod|\bZod(Mini)?[A-Z]\w+|\bKy(Instance|Response|Request)\b/);
  });

  test('imports nothing that is not there', () => {
    const missing = modulesOf(readCode(name))
      .filter((module) => module.startsWith('.'))
      .map((module) => module.replace(/\.(c?)js$/, '.d.$1ts').replace('./', ''))
      .filter((file) => !declarations.includes(file));
    expect(missing).toEqual([]);
  });
});

test.each(codeEntries)('$import.types declares what $require.types does', async (entry) => {
  const text = readFileSync(new URL(entry.import.types, root), 'utf8');
  expect(text).toBe(`export * from '${entry.require.default.replace('/dist', '')}';\n`);
});

test('the declarations of the main entry keep their doc comments', () => {
  expect(read('index.d.cts')).toContain('Client of the exam administration service.');
});
