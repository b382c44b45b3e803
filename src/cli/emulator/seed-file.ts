// Loads initial data into the emulator from a JSON or CSV file (`--seed`).

import { extname } from 'node:path';
import { parse } from 'csv-parse/sync';
import * as z from 'zod/mini';
import { readInput } from '../../testing/control/read-input.ts';
import { seedAll } from '../../testing/control/seed-all.ts';
import { seed } from '../../testing/control/seed-input.ts';
import type { ImportedParticipant } from '../../testing/emulator/domain/participants.ts';
import { Refusal } from '../../testing/emulator/domain/refusal.ts';
import type { Emulator } from '../../testing/emulator/emulator-api.ts';
import { participantForm } from '../../testing/emulator/http/inputs.ts';
import { normalize } from '../../testing/emulator/input/normalize.ts';
import { checked } from '../../testing/emulator/validation/validate.ts';
import { messageOf } from '../../util/errors.ts';
import { suggest } from '../../util/suggest.ts';
import { CommandError } from '../errors.ts';
import { delimiterOf, readText } from './read-text.ts';

/** Called for rows of a CSV file that are left out, with the reason. */
type LeftOut = (message: string) => void;

/**
 * Loads a file into the emulator: JSON with `participants`, `exams`, `assignments`, `results` and `webhooks`, or a CSV
 * file of participants with the columns `email`, `name` and `password`.
 *
 * @param leftOut Called for every row of a CSV file that the service would reject.
 * @throws {CommandError} when the file cannot be read or used
 */
export async function seedFromFile({ control }: Emulator, path: string, leftOut: LeftOut): Promise<void> {
  try {
    const content = await readText(path);
    if (extname(path).toLowerCase() === '.csv') {
      for (const { line, participant } of readRows(content, (message) => leftOut(`${path}, ${message}`))) {
        seedLine(control, line, participant);
      }
      return;
    }
    seedAll(control, readInput(seed, JSON.parse(content)));
  } catch (error) {
    throw new CommandError(`The seed file ${path} cannot be used: ${messageOf(error)}`);
  }
}

function seedLine(control: Emulator['control'], line: number, participant: ImportedParticipant): void {
  try {
    control.seedParticipants([participant]);
  } catch (error) {
    // The error names a row of its own list, which has only this one.
    const { cause } = Object(error);
    throw new CommandError(`line ${line}: ${messageOf(cause ?? error)}`);
  }
}

/** The rows that the service would accept; of rows with the same email the last, as in an import. */
function readRows(
  content: string,
  leftOut: LeftOut,
): Iterable<{ line: number; participant: ImportedParticipant }> {
  const rows: unknown = parse(content, {
    columns: checkedColumns,
    info: true,
    delimiter: delimiterOf(content),
    relax_column_count: true,
    skip_empty_lines: true,
  });
  const byEmail = new Map<string, { line: number; participant: ImportedParticipant }>();
  for (const { record, info } of z.parse(csvRows, rows)) {
    try {
      // As in an import, texts are trimmed first.
      const row = Object.entries(record).map(([name, text]) => [name, normalize(text)]);
      const participant = checked(participantForm, Object.fromEntries(row), 'laravel-11');
      byEmail.set(participant.email, { line: info.lines, participant });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const rules = Object.values(error.errors ?? {}).flat();
      leftOut(`line ${info.lines}: ${rules.join(' ')}`);
    }
  }
  return byEmail.values();
}

const columns = Object.keys(participantForm.rules);

/**
 * The columns of a CSV file: all three and no others, since an import accepts no others either.
 *
 * @throws {CommandError} when columns are missing or unknown
 */
function checkedColumns(found: string[]): string[] {
  const missing = columns.filter((name) => !found.includes(name));
  const others = found.filter((name) => !columns.includes(name));
  if (missing.length === 0 && others.length === 0) return found;
  const meant = others.flatMap((name) => {
    const near = suggest(name, missing);
    return near === null ? [] : [`${name} is probably ${near}`];
  });
  const reasons = [
    ...(missing.length > 0 ? [`it has no column ${missing.join(', ')}`] : []),
    ...(others.length > 0 ? [`it has unknown columns: ${others.join(', ')}`] : []),
    ...meant,
    `the first line must name ${columns.join(', ')} and nothing else`,
  ];
  throw new CommandError(`${reasons.join('; ')}.`);
}

/** The form of the CSV reader's output when it includes line numbers. */
const csvRows = z.array(
  z.object({ record: z.record(z.string(), z.string()), info: z.object({ lines: z.int() }) }),
);
