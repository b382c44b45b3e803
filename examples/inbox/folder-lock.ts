/** Locks a folder of PGlite, which does not notice a second process: two at once would destroy what is stored. */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, rmdir, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Each is lost to a process that was faster and has ended meanwhile. */
const MOST_TRIES = 100;

/**
 * Takes a folder for this process, and gives what releases it. A process that was killed holds it no more.
 *
 * The lock is a directory with one file, named after its owner. It is moved into place, which the file system rejects while
 * one with a file is there. What is removed of a killed owner is the file of that name, so nobody can remove the lock of
 * somebody who was faster.
 *
 * @throws {Error} if another process has it
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  const lock = `${folder}.lock`;
  const owner = `${process.pid}-${randomUUID()}`;
  const mine = `${lock}-${owner}`;
  await mkdir(mine);
  try {
    await writeFile(join(mine, owner), '');
    for (let tries = 0; !(await take(mine, lock)); tries += 1) {
      if (tries === MOST_TRIES)
        throw new Error(`${lock} cannot be removed. If no process uses it, delete it.`);
      for (const other of await readdir(lock).catch(() => [])) {
        const pid = Number.parseInt(other, 10);
        // In a container the one before may have had the same number.
        if (pid !== process.pid && isRunning(pid)) {
          throw new Error(
            `Process ${pid} has ${folder} open. Stop it first, or use PostgreSQL: DATABASE_URL=postgres://…`,
          );
        }
        await unlink(join(lock, other)).catch(ignore);
      }
      // Not every system moves a directory over an empty one.
      await rmdir(lock).catch(ignore);
    }
  } catch (error) {
    await rm(mine, { recursive: true, force: true });
    throw error;
  }
  return async () => {
    await unlink(join(lock, owner));
    await rmdir(lock).catch(ignore);
  };
}

/** Somebody else was faster, which the next look shows. */
const ignore = () => {};

async function take(mine: string, lock: string): Promise<boolean> {
  try {
    await rename(mine, lock);
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'EPERM') return false;
    throw error;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It is there, but belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
