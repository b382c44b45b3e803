// Packs the package, installs it into a separate project, and runs it wherever it is meant to run:
//
//   npm run test:runtimes              fails where a check does; the oldest Node, the newest TypeScript, Chromium, one bundler
//   LONG_TESTS=1 npm run test:runtimes              every runtime, library, compiler and bundler; fails also where the tables are not current
//   LONG_TESTS=1 npm run test:runtimes -- --write   writes the tables into docs/compatibility.md
//   npm run test:runtimes -- Deno      only the checks whose name has the word
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isLong } from '../helpers/requirements.ts';
import { repository } from './lib/command.ts';
import { withGenerated, withoutVersions } from './lib/report.ts';
import { runAll } from './lib/run-all.ts';

const parameters = process.argv.slice(2);
const words = parameters.filter((parameter) => !parameter.startsWith('--'));
const writing = '`LONG_TESTS=1 npm run test:runtimes -- --write`';
const writes = parameters.includes('--write');
if (writes && !isLong) throw new Error('The tables list what the long form runs: set LONG_TESTS=1.');
const { failed, tables, isWhole } = await runAll(words);

if (failed > 0) {
  console.error(`\nChecks that failed: ${failed}.`);
  process.exitCode = 1;
} else if (isWhole) {
  const document = join(repository, 'docs', 'compatibility.md');
  const before = await readFile(document, 'utf8');
  const after = withGenerated(before, tables);
  // An update of a runtime brings another version, and no reason to fail: the next release writes it down.
  const isCurrent = withoutVersions(after) === withoutVersions(before);
  if (writes) await writeFile(document, after);
  else if (isCurrent && after !== before)
    console.log(`\nThe versions in docs/compatibility.md are older: ${writing} updates them.`);
  else if (!isCurrent) {
    console.error(`\nThe tables in docs/compatibility.md are not current: run ${writing}.`);
    process.exitCode = 1;
  }
}
