// Brings the participants of the service in line with a CSV file of who should be there.
//
//   npx node examples/sync-roster.ts [roster.csv] [--dry-run] [--allow-missing]
//
// The file has the columns email, name and password; only new people need a password. New people are imported, others
// renamed; people missing from the file are listed and kept. No known participant is imported, as that would overwrite the
// password. A second run changes nothing. `--dry-run` only reads and compares. It runs against an emulator with 12
// participants, or against the service that EXAM_SERVICE_BASE_URL and EXAM_SERVICE_API_KEY name.
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  ExamClient,
  isApiError,
  isExamServiceError,
  type ParticipantImport,
  type Participants,
  type Rejection,
} from 'exam-service-sdk';
import * as z from 'zod/mini';
import { type CsvRow, openCsv } from './support/csv-file.ts';
import { connectService, giveUp, startProgress } from './support/program.ts';

/** A row of the file, with the line that it stands on. */
export type Row = CsvRow<ParticipantImport>;

/**
 * What a roster is compared with. The service documents only the id of a participant, so this schema is given to the
 * client: a list without emails or names is an error before anything is changed.
 */
export const knownParticipant = z.looseObject({
  id: z.int(),
  email: z.string(),
  name: z.nullable(z.string()),
});
export type KnownParticipant = z.infer<typeof knownParticipant>;

/** As many participants are held in memory. */
export const MOST_KNOWN = 500_000;

/** A participant whose name in the roster is another one. */
export interface Rename {
  readonly id: number;
  readonly email: string;
  readonly from: string | null;
  readonly to: string;
}

/** The difference between a roster and the service. */
export interface RosterPlan {
  readonly added: readonly ParticipantImport[];
  readonly renamed: readonly Rename[];
  /** Known to the service and not in the roster. They stay: nothing is ever deleted. */
  readonly missing: readonly KnownParticipant[];
  readonly unchanged: number;
  /** Why nothing may be sent, and what to do about it; empty for a plan that can be applied. */
  readonly problems: readonly string[];
}

/** A larger part of the list than this is not missing by design: the file is cut, or meant for another service. */
const MOST_MISSING = 1 / 5;

/** What Laravel's `TrimStrings` removes from the ends of names and emails; the service would store them without it, too. */
const trim = (text: string) => text.replace(/^[\s\u0085\u200B\u200E]+|[\s\u0085\u200B\u200E]+$/g, '');

/**
 * Whether the service distinguishes `Ada@` and `ada@` is not documented, and importing a known email overwrites its password:
 * emails that differ only in case, Unicode form or surrounding spaces count as one.
 */
const keyOf = (email: string) => trim(email).normalize('NFC').toLowerCase();

/** Files of a Mac have `é` as two characters, which look the same. */
const isSameName = (one: string | null, other: string) => one?.normalize('NFC') === other.normalize('NFC');

/*
 * What the package does not send, for the plan to name by its line: met while the roster is applied, it would stop in the
 * middle, with the number of a row that stands in no file.
 */
const isInvisible = (text: string) => /^[\s\p{Cf}]*$/u.test(text);
const isBroken = (text: string) => /[\p{Surrogate}\0]/u.test(text);
const hasInvisible = (text: string) => /^\s|\p{Cf}|\s$/u.test(text);

const BROKEN = 'holds U+0000 or half a character, which cannot be sent. Write the row again.';

/** Compares a roster with the participants of the service. Sends nothing. */
export function planRoster(
  rows: readonly Row[],
  known: readonly KnownParticipant[],
  { allowMissing = false } = {},
): RosterPlan {
  const problems: string[] = [];
  const roster = readRoster(rows, problems);
  const knownByKey = new Map<string, KnownParticipant[]>();
  for (const participant of known) {
    const key = keyOf(participant.email);
    knownByKey.set(key, [...(knownByKey.get(key) ?? []), participant]);
  }

  const missing = known.filter(({ email }) => !roster.has(keyOf(email)));
  if (missing.length > known.length * MOST_MISSING && !allowMissing) {
    // First, as it may explain the others.
    problems.unshift(
      `${missing.length} of the ${known.length} participants of the service are not in the file, more than a fifth. ` +
        'Is it the whole file, and the right service? If it is, run this again with --allow-missing.',
    );
  }

  const added: ParticipantImport[] = [];
  const renamed: Rename[] = [];
  let unchanged = 0;
  for (const [key, { line, fields: wanted }] of roster) {
    const [found, ...others] = knownByKey.get(key) ?? [];
    if (others.length > 0) {
      const ids = [found, ...others].map((one) => one?.id).join(' and ');
      problems.push(
        `Line ${line}: ${wanted.email} may be participant ${ids}, whose emails differ only in case.`,
      );
    } else if (found === undefined) {
      const problem = problemOfPassword(wanted);
      if (problem !== undefined) problems.push(`Line ${line}: ${problem}`);
      added.push(wanted);
    } else if (!isSameName(found.name, wanted.name)) {
      renamed.push({ id: found.id, email: found.email, from: found.name, to: wanted.name });
    } else {
      unchanged += 1;
    }
  }
  return { added, renamed, missing, unchanged, problems };
}

/** The rows by the keys of their emails, each once. */
function readRoster(rows: readonly Row[], problems: string[]): Map<string, Row> {
  const roster = new Map<string, Row>();
  for (const { line, fields } of rows) {
    // A short line lacks fields, which its type does not say.
    const { email = '', name = '', password = '' }: Partial<ParticipantImport> = fields;
    const row: Row = { line, fields: { email: trim(email), name: trim(name), password } };
    const key = keyOf(email);
    const earlier = roster.get(key);
    if (isInvisible(row.fields.email) || isInvisible(row.fields.name)) {
      problems.push(`Line ${line}: needs an email and a name, in the columns \`email\` and \`name\`.`);
    } else if (isBroken(email) || isBroken(name)) {
      problems.push(`Line ${line}: ${BROKEN}`);
    } else if (hasInvisible(row.fields.email)) {
      problems.push(`Line ${line}: the email holds an invisible character. Type it again.`);
    } else if (earlier && !isSame(earlier.fields, row.fields)) {
      problems.push(`Line ${line}: ${row.fields.email} stands on line ${earlier.line} with other data.`);
    }
    if (key !== '' && !earlier) roster.set(key, row);
  }
  return roster;
}

/** Why nobody can be imported with this password, which only who is new needs. */
function problemOfPassword({ email, password }: ParticipantImport): string | undefined {
  if (isInvisible(password)) return `${email} is new and needs a password.`;
  if (isBroken(password)) return BROKEN;
  if (!hasInvisible(password)) return undefined;
  return (
    `the password of ${email} has spaces at its ends or invisible characters, which the service may remove: the ` +
    'participant could not sign in. Remove them from the file.'
  );
}

function isSame(one: ParticipantImport, other: ParticipantImport): boolean {
  return isSameName(one.name, other.name) && one.password === other.password;
}

/** As many of each kind are shown; the rest is counted. */
const MOST_SHOWN = 8;

/** Prints how many changes of each kind there are, and the first of them. */
function printPlan({ added, renamed, missing, unchanged }: RosterPlan): void {
  const counts = `${added.length} new, ${renamed.length} renamed, ${missing.length} missing`;
  console.log(`${counts}, ${unchanged} unchanged`);
  const rows = [
    ...rowsOf('new', added),
    ...rowsOf(
      'renamed',
      renamed.map(({ email, from, to }) => ({ email, name: `${from ?? '(none)'} → ${to}` })),
    ),
    ...rowsOf('missing', missing),
  ];
  if (rows.length > 0) console.table(rows);
}

function rowsOf(
  change: string,
  people: ReadonlyArray<{ readonly email: string; readonly name: string | null }>,
) {
  const rows = people.slice(0, MOST_SHOWN).map(({ email, name }) => ({ change, email, name }));
  const rest = people.length - rows.length;
  return rest > 0 ? [...rows, { change, email: `… and ${rest} more`, name: '' }] : rows;
}

/** The first of many lines, and how many there are beside them. */
export function showSome(lines: readonly string[]): string {
  const rest = lines.length - MOST_SHOWN;
  return [...lines.slice(0, MOST_SHOWN), ...(rest > 0 ? [`… and ${rest} more`] : [])].join('\n');
}

/** A change that the service rejected, with what it said. */
export interface RejectedChange extends Pick<Rejection, 'message'> {
  readonly email: string;
}

/** Renames under way at once. */
const LANES = 4;

/**
 * Renames, then imports who is new and nobody else. What was done is not planned again, so that after an error the way on
 * is to compare again.
 *
 * @param onDone called with how many more changes are done
 * @returns the changes that the service rejected; the others are made
 */
export async function applyRoster(
  participants: Participants<KnownParticipant>,
  { added, renamed, problems }: RosterPlan,
  onDone: (count: number) => void = () => {},
): Promise<RejectedChange[]> {
  if (problems.length > 0) throw new Error(`The roster cannot be applied: ${problems[0]}`);
  const rejected: RejectedChange[] = [];
  // The lanes share one iterator; each ends at the first error that does not concern its participant alone.
  const queue = renamed.values();
  const lanes = Array.from({ length: LANES }, async () => {
    for (const { id, email, to } of queue) {
      await participants.update(id, { name: to }).catch((error: unknown) => {
        if (!isApiError(error) || ![404, 422].includes(error.status)) throw error;
        rejected.push({ email, message: error.serviceMessage ?? error.message });
      });
      onDone(1);
    }
  });
  for (const lane of await Promise.allSettled(lanes)) if (lane.status === 'rejected') throw lane.reason;

  let processed = 0;
  const { rejections } = await participants.importAll(added, {
    failedBatches: 'bisect',
    onProgress: (progress) => {
      onDone(progress.processed - processed);
      processed = progress.processed;
    },
  });
  for (const { index, message } of rejections) rejected.push({ email: added[index]?.email ?? '', message });
  return rejected;
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean' }, 'allow-missing': { type: 'boolean' } },
  });
  const [path = fileURLToPath(new URL('./data/roster.csv', import.meta.url))] = positionals;
  const file = await openCsv<ParticipantImport>(path, ['email', 'name']).catch(giveUp);
  const rows: Row[] = [];
  for await (const row of file.rows()) rows.push(row);

  const service = await connectService({
    participants: 12,
    missing: positionals.length === 0 && !values['dry-run'] && 'The name of your CSV file',
  });
  try {
    const { participants } = new ExamClient({
      baseUrl: service.baseUrl,
      apiKey: service.apiKey,
      schemas: { participant: knownParticipant },
    });
    // People who move to another page meanwhile may be missing from a single pass, and would count as new.
    const list = participants.list({ limit: 100 }, { concurrency: 4 });
    const known = await list.toArray({ maxItems: MOST_KNOWN, untilStable: true });
    const plan = planRoster(rows, known, { allowMissing: values['allow-missing'] ?? false });
    const changes = plan.added.length + plan.renamed.length;
    printPlan(plan);

    if (plan.problems.length > 0) {
      console.error(`${showSome(plan.problems)}\nNothing was sent.`);
      process.exitCode = 1;
    } else if (changes === 0) {
      console.log('The service agrees with the file; nothing to change.');
    } else if (values['dry-run']) {
      console.log('Dry run: nothing was changed.');
    } else {
      const progress = startProgress('Changes made', changes);
      const rejected = await applyRoster(participants, plan, progress.step).finally(progress.stop);
      if (rejected.length > 0) {
        console.error(`The service rejected ${rejected.length} of them:`);
        console.error(showSome(rejected.map(({ email, message }) => `${email}: ${message}`)));
        process.exitCode = 1;
      }
    }
  } catch (error) {
    if (!isExamServiceError(error)) throw error;
    console.error(`${error.message}\nOnce that is fixed, run this again: it does only what is left.`);
    process.exitCode = 1;
  } finally {
    await service.close();
  }
}

// Its tests import the parts; Node gives the name by which it was started, which may be a link.
if (realpathSync(process.argv[1] ?? '.') === fileURLToPath(import.meta.url)) await main();
