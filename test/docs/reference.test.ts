import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));

test('every public symbol is documented, and every link in the comments leads somewhere', async () => {
  const outcome = await run(
    process.execPath,
    [`${root}node_modules/typedoc/bin/typedoc`, '--emit', 'none', '--logLevel', 'Warn'],
    { cwd: root, env: { ...process.env, NO_COLOR: '1' } },
  ).catch((failure: { stdout: string; stderr: string }) => failure);
  expect(outcome.stdout + outcome.stderr).toBe('');
}, 120_000);

test('the reference covers every entry of the package', async () => {
  const { exports } = JSON.parse(await readFile(`${root}package.json`, 'utf8'));
  const { entryPoints } = JSON.parse(await readFile(`${root}typedoc.json`, 'utf8'));
  const entries = Object.values(exports).filter((entry) => typeof entry === 'object');
  expect(entryPoints).toHaveLength(entries.length);
});
