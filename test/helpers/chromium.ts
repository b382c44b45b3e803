import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..', '..');
const home = join(root, 'node_modules', '@sparticuz', 'chromium');

/**
 * Where a real Chromium is: the one that `CHROME_PATH` names, else the one of the package that is installed. It is unpacked beside
 * its package once, for every process and every run.
 */
export async function findChromium(): Promise<string> {
  const given = process.env['CHROME_PATH'];
  if (given !== undefined) return given;
  const unpacked = join(home, 'unpacked');
  if (!existsSync(unpacked)) await unpack(unpacked);
  return join(unpacked, 'chromium');
}

async function unpack(target: string): Promise<void> {
  const folder = await mkdtemp(join(home, 'unpacking-'));
  // It unpacks into the temporary folder of its process.
  const program = "import chromium from '@sparticuz/chromium'; await chromium.executablePath();";
  const options = { cwd: root, env: { ...process.env, TMPDIR: folder } };
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], options);
  // Another process may have been faster.
  await rename(folder, target).catch(() => rm(folder, { recursive: true }));
}
