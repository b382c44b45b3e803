// Installs projects that have a lock file of their own, unless what is installed is what it asks for: node scripts/install.ts test/contract
import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

for (const folder of process.argv.slice(2)) {
  const cwd = join(root, folder);
  if (isCurrent(cwd)) continue;
  console.log(`Installing what ${folder} needs…`);
  npm(['ci', '--no-audit', '--no-fund', '--loglevel=error'], cwd);
}

/** npm leaves a lock file of its own behind when an installation is whole. */
function isCurrent(cwd: string): boolean {
  const locked = changedAt(join(cwd, 'package-lock.json'));
  return locked !== undefined && locked <= (changedAt(join(cwd, 'node_modules', '.package-lock.json')) ?? 0);
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
