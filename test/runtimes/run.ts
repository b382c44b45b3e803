// Packs the package, installs it into a project of its own, and runs it wherever it is meant to run:
//
//   npm run test:runtimes              every check; fails where one does, or where the tables are not current
//   npm run test:runtimes -- --write   also writes the tables into docs/compatibility.md
//   npm run test:runtimes -- Deno      only the checks whose name has the word
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from './lib/command.ts';
import { withGenerated, withoutVersions } from './lib/report.ts';
import { runAll } from './lib/run-all.ts';

const parameters = process.argv.slice(2);
const words = parameters.filter((parameter) => !parameter.startsWith('--'));
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
  if (parameters.includes('--write')) await writeFile(document, after);
  else if (isCurrent && after !== before)
    console.log(
      '\nThe versions in docs/compatibility.md are older: `npm run test:runtimes -- --write` updates them.',
    );
  else if (!isCurrent) {
    console.error(
      '\nThe tables in docs/compatibility.md are not current: run `npm run test:runtimes -- --write`.',
    );
    process.exitCode = 1;
  }
}
