import { open, readFile, rename, rm } from 'node:fs/promises';
import type { Emulator } from '../../testing/emulator/emulator-api.ts';
import { hasCode, messageOf } from '../../util/errors.ts';
import { CommandError } from '../errors.ts';

/** Passwords and signing secrets are in it: only its owner reads it. */
const OWNER_ONLY = 0o600;

/**
 * Puts what the file holds into the emulator.
 *
 * @returns whether there was a file
 * @throws {CommandError} when the file cannot be read or is broken; it stays as it is
 */
export async function restoreState(emulator: Emulator, path: string): Promise<boolean> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw new CommandError(`The state file cannot be read: ${messageOf(error)}.`);
  }
  try {
    emulator.restore(JSON.parse(text));
    return true;
  } catch (error) {
    throw new CommandError(
      `The state file ${path} is broken and was left as it is: ${messageOf(error)} ` +
        'Repair it, move it away, or name another one with --state.',
    );
  }
}

/** Writes the state beside the file and then puts it in its place, so that no half of it is ever there. */
export async function saveState(emulator: Emulator, path: string): Promise<void> {
  const beside = `${path}.${process.pid}.tmp`;
  try {
    const file = await open(beside, 'w', OWNER_ONLY);
    try {
      await file.writeFile(`${JSON.stringify(emulator.snapshot())}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw new CommandError(`The state could not be saved: ${messageOf(error)}.`);
  }
}
