import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { home, npm } from './command.ts';

/** Installs this package, unless what is installed is what the lock file asks for. */
export async function install(): Promise<void> {
  const [locked, installed] = await Promise.all(
    ['package-lock.json', join('node_modules', '.package-lock.json')].map(changedAt),
  );
  if (locked !== undefined && installed !== undefined && installed >= locked) return;
  console.log('Installing the runtimes and tools…');
  // Their `engines` would warn of the system's Node, with which none of them is run.
  await npm(['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: home });
}

async function changedAt(file: string): Promise<number | undefined> {
  try {
    return (await stat(join(home, file))).mtimeMs;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
