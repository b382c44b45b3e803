import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { parse } from 'csv-parse/sync';
import * as z from 'zod/mini';
import { Refusal } from '../../testing/emulator/domain/refusal.ts';
import type { Emulator } from '../../testing/emulator/emulator-api.ts';
import { participantInput } from '../../testing/emulator/http/inputs.ts';
import { checked } from '../../testing/emulator/http/validation.ts';
import type { ParticipantSeed } from '../../testing/emulator/seeds.ts';
import { messageOf } from '../../util/errors.ts';
import { CommandError } from '../errors.ts';

const id = z.int().check(z.positive());
const flag = z.exactOptional(z.boolean());
const text = z.exactOptional(z.string());
/** A time as JSON can hold it. */
const moment = z.pipe(
  z.string().check(z.refine((written) => !Number.isNaN(Date.parse(written)), { error: 'not a time' })),
  z.transform((written: string) => Date.parse(written)),
);
const count = z.int().check(z.nonnegative());
const participant = z.strictObject({
  id: z.exactOptional(id),
  email: text,
  name: text,
  password: text,
  active: flag,
  verified: flag,
});
const exam = z.strictObject({ id: z.exactOptional(id), name: text, name_short: text, quiz_name: text });
const pair = { participant_id: id, exam_id: id };
const result = z.strictObject({
  ...pair,
  score: z.exactOptional(z.number()),
  status: z.exactOptional(z.int()),
  status_label: text,
  start_at: z.exactOptional(moment),
  end_at: z.exactOptional(moment),
});

/** A seed file: what to put in place, one by one or only how many. */
const seed = z.strictObject({
  participants: z.exactOptional(z.union([count, z.array(participant)])),
  exams: z.exactOptional(z.union([count, z.array(exam)])),
  assignments: z.exactOptional(z.array(z.strictObject(pair))),
  results: z.exactOptional(z.array(result)),
});

/** Rows of a CSV that were left out, with the reason. */
type LeftOut = (message: string) => void;

/**
 * Puts what a file holds into the emulator: JSON with `participants`, `exams`, `assignments` and `results`, or
 * a CSV of participants with the columns `email`, `name` and `password`.
 *
 * @param leftOut Told about every row of a CSV that the service would refuse.
 * @throws {CommandError} when the file cannot be read or used
 */
export async function seedFromFile({ control }: Emulator, path: string, leftOut: LeftOut): Promise<void> {
  try {
    const content = await readFile(path, 'utf8');
    if (extname(path).toLowerCase() === '.csv') {
      control.seedParticipants(readRows(content, (message) => leftOut(`${path}, ${message}`)));
      return;
    }
    const { participants, exams, assignments, results } = readSeed(content);
    control.seedParticipants(participants ?? 0);
    control.seedExams(exams ?? 0);
    control.seedAssignments(assignments ?? []);
    control.seedResults(results ?? []);
  } catch (error) {
    throw new CommandError(`The seed file ${path} cannot be used: ${messageOf(error)}`);
  }
}

function readSeed(content: string): z.infer<typeof seed> {
  const result = seed.safeParse(JSON.parse(content));
  if (result.success) return result.data;
  const places = result.error.issues.map((issue) => {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [];
    return [...issue.path, ...keys].join('.') || 'the whole';
  });
  throw new CommandError(`it is not understood at ${places.join(', ')}.`);
}

/** The rows that the service would take; of those with the same email the last, as an import would. */
function readRows(content: string, leftOut: LeftOut): ParticipantSeed[] {
  const rows: unknown = parse(content, {
    columns: true,
    info: true,
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
  });
  const byEmail = new Map<string, ParticipantSeed>();
  for (const { record, info } of z.parse(csvRows, rows)) {
    try {
      const participant = checked(participantInput, record);
      byEmail.set(participant.email, participant);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      leftOut(
        `line ${info.lines}: ${Object.values(error.errors ?? {})
          .flat()
          .join(' ')}`,
      );
    }
  }
  return [...byEmail.values()];
}

/** What the reader of CSV gives when it is asked for the lines too. */
const csvRows = z.array(
  z.object({ record: z.record(z.string(), z.string()), info: z.object({ lines: z.int() }) }),
);
