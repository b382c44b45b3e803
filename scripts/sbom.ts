/** Writes dist/sbom.cdx.json, a CycloneDX bill of what is compiled into the package. Every build ends with it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { compiledIn } from '../tsup.config.ts';

const root = new URL('../', import.meta.url);
const readJson = (path: string) => JSON.parse(readFileSync(new URL(path, root), 'utf8'));

interface Package {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** Of the packed package, as the lock file has it: `sha512-` and base64. */
  readonly integrity?: string;
}

function component({ name, version, license, integrity }: Package) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const content = integrity && Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex');
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    ...(content && { hashes: [{ alg: 'SHA-512', content }] }),
    licenses: [{ license: { id: license } }],
    purl,
  };
}

const { packages } = readJson('package-lock.json');
const itself = component(readJson('package.json'));
const components = compiledIn
  .toSorted()
  .map((name) => component({ name, ...packages[`node_modules/${name}`] }));

// Without a time and a serial number, so that the same sources give the same file.
const bill = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: { lifecycles: [{ phase: 'build' }], component: itself },
  components,
  dependencies: [{ ref: itself.purl, dependsOn: components.map(({ purl }) => purl) }],
};
writeFileSync(new URL('dist/sbom.cdx.json', root), `${JSON.stringify(bill, null, 2)}\n`);
