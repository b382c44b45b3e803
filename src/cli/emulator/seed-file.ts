// Loads initial data into the emulator from a JSON or CSV file (`--seed`).

import { extname } from 'node:path';
import { seedAll } from '../../testing/control/fill.ts';
import type { ImportedParticipant } from '../../testing/emulator/domain/participants.ts';
import { Rejection } from '../../testing/emulator/domain/rejection.ts';
import type { Emulator } from '../../testing/emulator/emulator-api.ts';
import { participantForm } from '../../testing/emulator/http/routes/forms.ts';
import { normalize } from '../../testing/emulator/laravel/input/normalize.ts';
import { checked } from '../../testing/emulator/laravel/validation/validate.ts';
import { seed } from '../../testing/emulator/seeds/seed-schema.ts';
import { emailKey } from '../../testing/emulator/state/keys.ts';
import { snapshotIn } from '../../testing/emulator/state/snapshot.ts';
import { readInput } from '../../testing/schema/read-input.ts';
import { messageOf } from '../../util/errors.ts';
import { CommandError } from '../errors.ts';
import { type CsvRow, readRows, readSeedFile } from './seed-csv.ts';

/** Called for rows of a CSV file that are left out, with the reason. */
type LeftOut = (message: string) => void;

/**
 * Loads a file into the emulator: JSON with `participants`, `exams`, `assignments`, `results` and `webhooks`, a state that
 * `GET /state` gave, or a CSV file of participants with the columns `email`, `name` and `password`.
 *
 * @param leftOut Called for every row of a CSV file that the service would reject.
 * @throws {CommandError} when the file cannot be read or used
 */
export async function seedFromFile(emulator: Emulator, path: string, leftOut: LeftOut): Promise<void> {
  const isCsv = extname(path).toLowerCase() === '.csv';
  const content = await reading(async () => {
    const text = await readSeedFile(path);
    return isCsv ? readRows(path, text, columns) : text;
  });
  try {
    if (typeof content === 'string') load(emulator, JSON.parse(content));
    else seedRows(emulator.control, content, (message) => leftOut(`${path}, ${message}`));
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

/** What cannot be read says itself which file it is. */
async function reading<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new CommandError(`The seed file cannot be read: ${messageOf(error)}`);
  }
}

const columns = Object.keys(participantForm.rules);

/** Creates the participants whom the service would accept; of rows with the same email the last, as in an import. */
function seedRows(control: Emulator['control'], rows: readonly CsvRow[], leftOut: LeftOut): void {
  const byEmail = new Map<string, { line: number; participant: ImportedParticipant }>();
  for (const { line, fields } of rows) {
    const others = Object.keys(fields).filter((name) => !Object.hasOwn(participantForm.rules, name));
    if (others.length > 0) {
      throw new Error(
        `it has unknown columns: ${others.join(', ')}; an import takes ${columns.join(', ')} and nothing else.`,
      );
    }
    try {
      // As in an import, texts are trimmed first.
      const row = Object.entries(fields).map(([name, text]) => [name, normalize(text)]);
      const participant = checked(participantForm, Object.fromEntries(row));
      byEmail.set(emailKey(participant.email), { line, participant });
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      const rules = Object.values(error.errors ?? {}).flat();
      leftOut(`line ${line}: ${rules.join(' ')}`);
    }
  }
  for (const { line, participant } of byEmail.values()) seedRow(control, line, participant);
}

function seedRow(control: Emulator['control'], line: number, participant: ImportedParticipant): void {
  try {
    control.seedParticipants([participant]);
  } catch (error) {
    // The error names a row of the list passed here, which has only this one.
    const { cause } = Object(error);
    throw new Error(`line ${line}: ${messageOf(cause ?? error)}`);
  }
}
