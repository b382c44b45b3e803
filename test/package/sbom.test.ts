import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** The bill of materials. `test/contract` validates its format. */

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(root + path, 'utf8');
const text = read('dist/sbom.cdx.json');

interface Component {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses: readonly unknown[];
  readonly hashes: readonly { readonly alg: string; readonly content: string }[];
}
const components: Component[] = JSON.parse(text).components;

test('it names exactly the packages whose code is in the built files', () => {
  // The bundler writes above each part which file it is from.
  const code = globSync('dist/*.{js,cjs}', { cwd: root })
    .map((file) => read(file))
    .join('\n');
  const found = [...code.matchAll(/\bnode_modules\/((?:@[\w.-]+\/)?[\w.-]+)\/[\w./-]+\.[cm]?js\b/g)];
  expect(components.map(({ name }) => name)).toEqual([...new Set(found.map(([, name]) => name))].sort());
});

test('it says of each package what was installed: version, licence and hash', () => {
  const lock = JSON.parse(read('package-lock.json'));
  for (const { name, version, purl, licenses, hashes } of components) {
    const { version: installed, license } = JSON.parse(read(`node_modules/${name}/package.json`));
    expect({ version, licenses }).toEqual({ version: installed, licenses: [{ license: { id: license } }] });
    expect(decodeURIComponent(purl)).toBe(`pkg:npm/${name}@${installed}`);
    const integrity = hashes.map(({ content }) => `sha512-${Buffer.from(content, 'hex').toString('base64')}`);
    expect(integrity).toEqual([lock.packages[`node_modules/${name}`].integrity]);
  }
});

test('it is about this version of this package', () => {
  const { name, version } = JSON.parse(read('package.json'));
  expect(JSON.parse(text).metadata.component).toMatchObject({ name, version });
});
