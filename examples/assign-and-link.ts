// Assigns participants to an exam, and writes their links to a CSV file.
//
//   npm install exam-service-sdk csv-parse csv-stringify && npm pkg set type=module
//   node assign-and-link.ts [out/links.csv] --exam 1 [--people participants.csv]
//
// It assigns the people whose emails are in the file (in UTF-8 or Windows-1252, with commas or semicolons), or every
// participant without `--people`. If it ends early, as by Ctrl-C, run it again: assigned people only get their link.
// Exits with 1 if it ended early or somebody has no link.
//
// It needs Node 22.18 or later, and EXAM_SERVICE_BASE_URL and EXAM_SERVICE_API_KEY of your service. To try it, run
// `npx exam-service-sdk emulator --demo` in another terminal, and set these to http://127.0.0.1:4010/api/v1 and test-key.
// The package contains a file: node_modules/exam-service-sdk/examples/data/participants.csv
import { isUtf8 } from 'node:buffer';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { ExamClient, type Participant } from 'exam-service-sdk';

const options = { exam: { type: 'string' }, people: { type: 'string' } } as const;
const { positionals, values } = parseArgs({ allowPositionals: true, options });
const [output = 'out/links.csv'] = positionals;
const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stop.abort(new Error('Interrupted')));
const reading = { maxRetries: 300, signal: stop.signal };
const rows: { link?: string | null; [column: string]: unknown }[] = [];

/** The participants of a file. Each line whose email no participant has becomes a row without a link. */
async function readPeople({ participants }: ExamClient, path: string): Promise<Iterable<Participant>> {
  const file = await readFile(path);
  const text = new TextDecoder(isUtf8(file) ? 'utf-8' : 'windows-1252').decode(file).replace(/\r\n?/g, '\n');
  const lines = parse<[line: number, email: string], { email: string }>(text, {
    columns: true,
    delimiter: /^\s*.*;/.test(text) ? ';' : ',',
    on_record: ({ email }, info) => [info.lines, email],
    relax_column_count_less: true,
    skip_records_with_empty_values: true,
  });
  const emails = lines.map(([, email]) => email);
  const { found } = await participants.findByEmail(emails, reading);
  for (const [line, email] of lines)
    if (!found.has(email)) rows.push({ email, problem: `line ${line}: no participant` });
  // Once, however many lines have the email.
  return new Set(found.values());
}

try {
  if (values.exam === undefined) throw new Error('Name the exam: --exam 1');
  const client = new ExamClient();
  await mkdir(dirname(output), { recursive: true });
  const earlier = await readFile(output, 'utf8').catch(() => 'participant_id');
  if (!/^\uFEFF?participant_id/.test(earlier)) throw new Error(`${output} has no links: name another file.`);
  const people = values.people
    ? await readPeople(client, values.people)
    : await client.participants.list({ limit: 100 }, reading).toArray({ maxItems: 1e6, untilStable: true });
  await client.examParticipants.assignAll(people, {
    map: ({ id }) => ({ participant_id: id, exam_id: Number(values.exam) }),
    link: true,
    maxOutage: 3_600_000, // ms: waits for a service that is down
    signal: stop.signal,
    onResult: ({ row: { id, email }, url: link, error, linkError }) =>
      rows.push({ participant_id: id, email, link, problem: (error ?? linkError)?.message }),
  });
  const columns = ['participant_id', 'email', 'link', 'problem'];
  const csv = stringify(rows, { header: true, columns, bom: true, escape_formulas: true });
  // Under a name of its own, so that neither an interruption nor another run leaves half a file. Whoever has a link can take
  // the exam in that participant's name, so only you can read it.
  const draft = `${output}.${crypto.randomUUID()}`;
  await writeFile(draft, csv, { mode: 0o600 });
  await rename(draft, output);
  const linked = rows.filter(({ link }) => link).length;
  console.log(`Exam ${values.exam}: ${linked} links, ${rows.length - linked} missing (see ${output})`);
  if (linked < rows.length) process.exitCode = 1;
} catch (error) {
  // A message of the CSV parser may end with the cell, which may be a password.
  console.error(error instanceof Error ? error.message.replace(/, value is .*/s, '') : error);
  process.exitCode = 1;
}
