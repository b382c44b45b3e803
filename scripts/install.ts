// Installs projects that have a lock file of their own, unless what is installed is what it asks for: node scripts/install.ts test/contract
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isLong } from '../test/helpers/requirements.ts';

const root = join(import.meta.dirname, '..');

for (const folder of process.argv.slice(2)) {
  const cwd = join(root, folder);
  // The `devDependencies` of a project of tests are what only their long form asks for.
  const isShort = folder.startsWith('test/') && !isLong;
  if (isCurrent(cwd, isShort)) continue;
  console.log(`Installing what ${folder} needs…`);
  const omitted = isShort ? ['--omit=dev'] : [];
  npm(['ci', ...omitted, '--no-audit', '--no-fund', '--loglevel=error'], cwd);
}

/** npm leaves its own lock file behind when an installation is whole. */
function isCurrent(cwd: string, isShort: boolean): boolean {
  const locked = changedAt(join(cwd, 'package-lock.json'));
  const installed = changedAt(join(cwd, 'node_modules', '.package-lock.json'));
  if (locked === undefined || installed === undefined || locked > installed) return false;
  const { devDependencies = {} } = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'));
  return isShort || Object.keys(devDependencies).every((name) => existsSync(join(cwd, 'node_modules', name)));
}

function changedAt(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

/** As the npm that runs this script, where there is one. */
function npm(parameters: readonly string[], cwd: string): void {
  const { npm_execpath: cli } = process.env;
  const [program, first] = cli?.endsWith('.js') ? [process.execPath, [cli]] : ['npm', []];
  execFileSync(program, [...first, ...parameters], { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
}
