// Writes the bill and the notices of what is compiled in into `dist`. Every build ends with it.
import { rmSync, writeFileSync } from 'node:fs';
import { renderNotices } from './notices.ts';
import { metafilePaths, packagesCompiledIn } from './packages.ts';
import { renderSbom } from './sbom.ts';

const root = new URL('../../', import.meta.url);
const dist = new URL('dist/', root);
const packages = packagesCompiledIn();
writeFileSync(new URL('sbom.cdx.json', dist), renderSbom(packages));
writeFileSync(new URL('THIRD-PARTY-NOTICES.md', dist), renderNotices(packages));
// They were for this alone, and are a third of a megabyte.
for (const path of metafilePaths()) rmSync(new URL(path, root));
