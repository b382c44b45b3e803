// Writes the bill and the notices of what is compiled in into `dist`. Every build ends with it.
import { rmSync, writeFileSync } from 'node:fs';
import { renderNotices } from './notices.ts';
import { packagesCompiledIn } from './packages.ts';
import { renderSbom } from './sbom.ts';

const dist = new URL('../../dist/', import.meta.url);
const packages = packagesCompiledIn();
writeFileSync(new URL('sbom.cdx.json', dist), renderSbom(packages));
writeFileSync(new URL('THIRD-PARTY-NOTICES.md', dist), renderNotices(packages));
// They were for this alone, and are a third of a megabyte.
for (const format of ['esm', 'cjs']) rmSync(new URL(`metafile-${format}.json`, dist));
