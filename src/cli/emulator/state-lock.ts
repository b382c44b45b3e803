// Keeps two emulators from writing the same state file (`--state`).

import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { hasCode, messageOf } from '../../util/errors.ts';
import { isObject } from '../../util/json.ts';
import { CommandError } from '../errors.ts';

/** The locks of this process: another one with its number, before a restart of its container, is gone. */
const held = new Set<string>();

/**
 * Takes the lock of a state file, and takes away what a killed save left beside it.
 *
 * @param warn Called when the lock of another machine is taken over, since nobody can see from here whether it still runs.
 * @returns a function that gives the lock back
 * @throws {CommandError} when another emulator has it, or its folder is missing or cannot be written
 */
export async function lockState(path: string, warn: (message: string) => void): Promise<() => Promise<void>> {
  const lock = `${path}.lock`;
  const owner = JSON.stringify({ pid: process.pid, host: hostname() });
  try {
    await writeFile(lock, owner, { flag: 'wx' });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw cannotWrite(path, error);
    const other = await ownerOf(lock);
    if (other !== null && isRunning(other, lock)) {
      throw new CommandError(
        `Another emulator, process ${other.pid}, uses the state file ${path}. ` +
          `Stop it, name another file with --state, or, if that process is not an emulator, delete ${lock}.`,
      );
    }
    if (other !== null && other.host !== hostname()) {
      warn(
        `Took over the state file ${path} from process ${other.pid} of ${other.host}: make sure that it is gone.`,
      );
    }
    await writeFile(lock, owner);
  }
  held.add(lock);
  await removeLeftovers(path);
  return async () => {
    held.delete(lock);
    await rm(lock, { force: true });
  };
}

interface Owner {
  readonly pid: number;
  readonly host: string;
}

/** Who has a lock; null if it does not say, as after a crash while it was written. */
async function ownerOf(lock: string): Promise<Owner | null> {
  try {
    const owner: unknown = JSON.parse(await readFile(lock, 'utf8'));
    if (!isObject(owner)) return null;
    const { pid, host } = owner;
    return typeof pid === 'number' && typeof host === 'string' ? { pid, host } : null;
  } catch {
    return null;
  }
}

function isRunning({ pid, host }: Owner, lock: string): boolean {
  if (host !== hostname()) return false;
  if (pid === process.pid) return held.has(lock);
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user is there, too.
    return hasCode(error, 'EPERM');
  }
}

function cannotWrite(path: string, error: unknown): CommandError {
  if (hasCode(error, 'ENOENT')) {
    return new CommandError(`The folder ${dirname(path)} of the state file does not exist: create it first.`);
  }
  return new CommandError(`The state file ${path} cannot be written: ${messageOf(error)}.`);
}

async function removeLeftovers(path: string): Promise<void> {
  const folder = dirname(path);
  const start = `${basename(path)}.`;
  const leftovers = (await readdir(folder)).filter(
    (name) => name.startsWith(start) && /^(\d+\.)?tmp$/.test(name.slice(start.length)),
  );
  await Promise.all(leftovers.map((name) => rm(join(folder, name), { force: true })));
}
