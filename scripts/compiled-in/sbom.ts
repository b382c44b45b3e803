// The CycloneDX bill of what is compiled into the package, each component with the entries that it is in.
import { readFileSync } from 'node:fs';
import type { CompiledIn } from './packages.ts';

/** The property of a component that names an entry. */
export const ENTRY = 'exam-service-sdk:entry';

const purlOf = (name: string, version: string) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

const licenseOf = (license: string) => ({ license: { id: license } });

function component({ name, version, license, integrity, entries }: CompiledIn) {
  const content = Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex');
  return {
    type: 'library',
    'bom-ref': purlOf(name, version),
    name,
    version,
    hashes: [{ alg: 'SHA-512', content }],
    licenses: [licenseOf(license)],
    purl: purlOf(name, version),
    properties: entries.map((value) => ({ name: ENTRY, value })),
  };
}

/** Without a time and a serial number, so that the same sources give the same file. */
export function renderSbom(packages: readonly CompiledIn[]): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { name, version, license } = JSON.parse(manifest);
  const purl = purlOf(name, version);
  const components = packages.map(component);
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: { type: 'library', 'bom-ref': purl, name, version, licenses: [licenseOf(license)], purl },
    },
    components,
    dependencies: [{ ref: purl, dependsOn: components.map((each) => each.purl) }],
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}
