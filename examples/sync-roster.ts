// Brings the participants of the service in line with a CSV file of who should be there.
//
//   npm install exam-service-sdk csv-parse && npm pkg set type=module
//   node sync-roster.ts roster.csv [--dry-run] [--allow-missing]
//
// The file has the columns email, name and password (only new people need one), in UTF-8 or Windows-1252, with commas or
// semicolons. New people are imported and others renamed; people who are missing from the file are listed and kept. No password
// of a known person changes. `--dry-run` only reads and compares. If it ends early, as by Ctrl-C, run it again: it does what is
// left. Exits with 1 if it ended early or a line was rejected.
//
// It needs Node 22.18 or later, and EXAM_SERVICE_BASE_URL and EXAM_SERVICE_API_KEY of your service. To try it, run
// `npx exam-service-sdk emulator --demo` in another terminal, and set these to http://127.0.0.1:4010/api/v1 and test-key.
// The package contains a file: node_modules/exam-service-sdk/examples/data/roster.csv
import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { parse } from 'csv-parse/sync';
import { ExamClient, isApiError, type Participant, type ParticipantImport } from 'exam-service-sdk';

/** If more of the service's participants than this part are not in the file, it is cut, or for another service. */
const MOST_MISSING = 1 / 5;
/** Changes of a kind that are printed; the others are counted. */
const MOST_PRINTED = 20;

/** A row of the file, and the line on which it ends. */
type Line = { record: ParticipantImport; info: { lines: number } };
/** The difference between the file and the service. */
interface Plan {
  added: Line[];
  renamed: { line: Line; id: number; from: string }[];
  /** Known to the service and not in the file. */
  missing: Participant[];
  unchanged: number;
  isCut: boolean;
}

const options = { 'dry-run': { type: 'boolean' }, 'allow-missing': { type: 'boolean' } } as const;
const { positionals, values } = parseArgs({ allowPositionals: true, options });
const [path = 'roster.csv'] = positionals;
const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stop.abort(new Error('Interrupted')));
/** Of single requests, which wait for a service that is down as long as these attempts take. */
const patiently = { maxRetries: 300, signal: stop.signal };

const rejected: { line: number; email: string; message: string }[] = [];
const reject = ({ record, info }: Line, message: string) =>
  rejected.push({ line: info.lines, email: record.email, message });

async function readLines(): Promise<Line[]> {
  const file = await readFile(path);
  const text = new TextDecoder(isUtf8(file) ? 'utf-8' : 'windows-1252').decode(file).replace(/\r\n?/g, '\n');
  return parse<Line>(text, {
    columns: true,
    info: true,
    delimiter: /^\s*.*;/.test(text) ? ';' : ',',
    relax_column_count_less: true,
    skip_records_with_empty_values: true,
  });
}

/** A name as it is compared: without what a service trims, and in one Unicode form. */
const nameOf = (name: unknown) =>
  String(name ?? '')
    .replace(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, '')
    .normalize('NFC');

/** Compares the file with the service. Changes nothing. */
async function compare({ participants }: ExamClient, lines: readonly Line[]): Promise<Plan> {
  const emails = lines.map(({ record }) => record.email);
  const { found } = await participants.findByEmail(emails, patiently);
  const list = participants.list({ limit: 100 }, { ...patiently, concurrency: 4 });
  const everybody = await list.toArray({ maxItems: 500_000, untilStable: true });
  if (everybody.length > 0 && !everybody.some((person) => 'name' in person))
    throw new Error('The service does not list names, so nobody can be compared.');

  // Rejects what the import would reject. Known people need no password, so they get one that is never sent.
  const emailOf = ({ record }: Line) => String(found.get(record.email)?.['email'] ?? record.email);
  const accepted = new Set(lines);
  await participants.importAll(lines, {
    dryRun: true,
    map: (line) =>
      found.has(line.record.email)
        ? { ...line.record, email: emailOf(line), password: 'unchanged' }
        : line.record,
    invalidRows: 'reject',
    onRejected({ row, message }) {
      accepted.delete(row);
      reject(row, message);
    },
  });
  // A person may stand on several equal lines.
  const byEmail = new Map(Array.from(accepted, (line) => [emailOf(line), line]));
  const plan: Plan = { added: [], renamed: [], missing: [], unchanged: 0, isCut: false };
  for (const line of byEmail.values()) {
    const person = found.get(line.record.email);
    if (person === undefined) plan.added.push(line);
    else if (nameOf(person['name']) === nameOf(line.record.name)) plan.unchanged += 1;
    else plan.renamed.push({ line, id: person.id, from: nameOf(person['name']) });
  }
  const present = new Set(Array.from(found.values(), ({ id }) => id));
  plan.missing = everybody.filter(({ id, email }) => typeof email === 'string' && !present.has(id));
  plan.isCut = plan.missing.length > everybody.length * MOST_MISSING && !values['allow-missing'];
  return plan;
}

function print({ added, renamed, missing, unchanged }: Plan): void {
  const changes = {
    new: added.map(({ record }) => `${record.email}, ${record.name}`),
    renamed: renamed.map(({ line: { record }, from }) => `${record.email}, ${from} → ${nameOf(record.name)}`),
    missing: missing.map(({ email, name }) => `${email}, ${name}`),
  };
  for (const [kind, people] of Object.entries(changes)) {
    console.log(`${people.length} ${kind}`);
    for (const person of people.slice(0, MOST_PRINTED)) console.log(`  ${person}`);
    if (people.length > MOST_PRINTED) console.log(`  … and ${people.length - MOST_PRINTED} more`);
  }
  console.log(`${unchanged} unchanged`);
}

/** Imports new people and renames others. What was done is not planned again. */
async function apply({ participants }: ExamClient, { added, renamed }: Plan): Promise<void> {
  // `skip` also leaves those alone who registered since the comparison.
  const { imported } = await participants.importAll(added, {
    map: ({ record }) => record,
    existing: 'skip',
    failedBatches: 'bisect',
    maxOutage: 3_600_000, // ms: waits for a service that is down
    signal: stop.signal,
    onRejected: ({ row, message }) => reject(row, message),
  });
  let count = 0;
  for (const { line, id } of renamed) {
    try {
      await participants.update(id, { name: nameOf(line.record.name) }, patiently);
      count += 1;
    } catch (error) {
      if (!isApiError(error) || ![404, 422].includes(error.status)) throw error;
      reject(line, error.serviceMessage ?? error.message);
    }
  }
  console.log(`Imported ${imported}, renamed ${count}`);
}

try {
  const client = new ExamClient();
  const plan = await compare(client, await readLines());
  print(plan);
  if (plan.isCut)
    throw new Error(
      `${plan.missing.length} participants of the service are not in ${path}, more than a fifth. Is it the whole file, and ` +
        'the right service? If so, run this again with --allow-missing. Nothing was changed.',
    );
  if (values['dry-run']) console.log('Nothing was changed.');
  else await apply(client, plan);
} catch (error) {
  // A message of the CSV parser may end with the cell, which may be a password.
  console.error(error instanceof Error ? error.message.replace(/, value is .*/s, '') : error);
  process.exitCode = 1;
}
rejected.sort((one, other) => one.line - other.line);
for (const { line, email, message } of rejected) console.error(`line ${line}, ${email}: ${message}`);
if (rejected.length > 0) process.exitCode = 1;
