import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Where a real Chromium is: the one that `CHROME_PATH` names, else the one of the package that is installed in `project`. It is
 * unpacked beside its package once, for every process and every run.
 */
export async function findChromium(project: string): Promise<string> {
  const given = process.env['CHROME_PATH'];
  if (given !== undefined) return given;
  const home = join(project, 'node_modules', '@sparticuz', 'chromium');
  const unpacked = join(home, 'unpacked');
  if (!existsSync(unpacked)) await unpack(project, home, unpacked);
  return join(unpacked, 'chromium');
}

async function unpack(project: string, home: string, target: string): Promise<void> {
  const folder = await mkdtemp(join(home, 'unpacking-'));
  // It unpacks into the temporary folder of its process.
  const program = "import chromium from '@sparticuz/chromium'; await chromium.executablePath();";
  const options = { cwd: project, env: { ...process.env, TMPDIR: folder } };
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], options);
  // Another process may have been faster.
  await rename(folder, target).catch(() => rm(folder, { recursive: true }));
}
