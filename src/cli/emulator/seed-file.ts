// Loads initial data into the emulator from a JSON file (`--seed`).

import { readFile } from 'node:fs/promises';
import { seedAll } from '../../testing/control/fill.ts';
import type { Emulator } from '../../testing/emulator/emulator-api.ts';
import { seed } from '../../testing/emulator/seeds/seed-schema.ts';
import { snapshotIn } from '../../testing/emulator/state/snapshot.ts';
import { readInput } from '../../testing/schema/read-input.ts';
import { messageOf } from '../../util/errors.ts';
import { CommandError } from '../errors.ts';

/**
 * Loads a file into the emulator: `participants`, `exams`, `assignments`, `results` and `webhooks`, or a state that `GET /state` gave.
 *
 * @throws {CommandError} when the file cannot be read or used
 */
export async function seedFromFile(emulator: Emulator, path: string): Promise<void> {
  try {
    // Names in another encoding would be garbled.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
    load(emulator, JSON.parse(text));
  } catch (error) {
    throw new CommandError(`The seed file ${path} cannot be used: ${messageOf(error)}`);
  }
}

/** A seed is added to the data, a state takes its place. */
function load(emulator: Emulator, data: unknown): void {
  if (snapshotIn(data) === undefined) {
    seedAll(emulator.control, readInput(seed, data));
    return;
  }
  const { participants, exams, endpoints } = emulator.snapshot();
  if (participants.length + exams.length + endpoints.length > 0)
    throw new Error('it is a whole state, which takes the place of all data: name it first, without --demo.');
  emulator.restore(data);
}
