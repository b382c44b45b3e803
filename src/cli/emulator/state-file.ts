// Reads and writes the file that keeps the emulator's data across restarts (`--state`).

import { open, readFile, rename, rm } from 'node:fs/promises';
import type { Emulator } from '../../testing/emulator/emulator-api.ts';
import { hasCode, messageOf } from '../../util/errors.ts';
import { CommandError } from '../errors.ts';

/** It contains passwords and signing secrets: only its owner may read it. */
const OWNER_ONLY = 0o600;

/**
 * Loads the file into the emulator.
 *
 * @returns whether there was a file
 * @throws {CommandError} when the file cannot be read or is broken; it is not changed
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
      `The state file ${path} is broken and was left as it is. Repair it, move it away, or name another one with ` +
        `--state. ${messageOf(error)}`,
    );
  }
}

/** Writes a new file and then renames it, so that the state is never half-written. */
export async function saveState(emulator: Emulator, path: string): Promise<void> {
  const beside = `${path}.tmp`;
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
