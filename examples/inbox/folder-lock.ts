// Keeps two processes from opening the same PGlite folder.

/** PGlite does not notice that another process has its folder open, and two at once would destroy what is stored. */
import { readFile, rm, writeFile } from 'node:fs/promises';

/**
 * Takes a folder for this process, and gives what releases it. A process that was killed holds it no more.
 *
 * @throws {Error} if another process has it
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const file = `${folder}.pid`;
  const take = () => writeFile(file, String(process.pid), { flag: 'wx' });
  await take().catch(async () => {
    const owner = Number(await readFile(file, 'utf8'));
    // It is 0 where a process was killed before it had written its number.
    if (owner > 0 && owner !== process.pid && isRunning(owner)) {
      throw new Error(
        `Process ${owner} has ${folder} open. Stop it first, or use PostgreSQL: DATABASE_URL=postgres://…`,
      );
    }
    await rm(file);
    await take();
  });
  return () => rm(file);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It is there, but belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
