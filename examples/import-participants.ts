// Imports participants from a CSV file, and writes the rejected rows to another one.
//
//   npm install exam-service-sdk csv-parse csv-stringify && npm pkg set type=module
//   node import-participants.ts participants.csv [out/rejected.csv]
//
// The file has the columns email, name and password, in UTF-8 or Windows-1252, with commas or semicolons. A known email
// overwrites that person's name and password. If the import ends early, as by Ctrl-C, run it again: what was imported
// stays as it is. Exits with 1 if it ended early or a row was rejected.
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
import { ExamClient, type ParticipantImport } from 'exam-service-sdk';

/** A row of the file, and the line on which it ends. */
type Line = { record: ParticipantImport; info: { lines: number } };

const { positionals } = parseArgs({ allowPositionals: true });
const [input = 'participants.csv', output = 'out/rejected.csv'] = positionals;
const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stop.abort(new Error('Interrupted')));

try {
  const client = new ExamClient();
  await mkdir(dirname(output), { recursive: true });
  const earlier = await readFile(output, 'utf8').catch(() => 'line');
  if (!/^\uFEFF?line/.test(earlier)) throw new Error(`${output} has no rejected rows: name another file.`);
  const file = await readFile(input);
  const text = new TextDecoder(isUtf8(file) ? 'utf-8' : 'windows-1252').decode(file).replace(/\r\n?/g, '\n');
  const delimiter = /^\s*.*;/.test(text) ? ';' : ',';
  const lines = parse<Line>(text, {
    columns: true,
    info: true,
    delimiter,
    relax_column_count_less: true,
    skip_records_with_empty_values: true,
  });

  const rejected: object[] = [];
  const { imported, skipped } = await client.participants.importAll(lines, {
    map: ({ record }) => record, // or ({ email: record['E-Mail'], … })
    concurrency: 2,
    invalidRows: 'reject',
    failedBatches: 'bisect',
    maxOutage: 3_600_000, // ms: waits for a service that is down
    signal: stop.signal,
    onRejected({ row: { record, info }, message }) {
      rejected.push({ line: info.lines, email: record.email, name: record.name, reason: message });
    },
    onProgress({ processed }) {
      if (process.stdout.isTTY) process.stdout.write(`${processed} of ${lines.length} rows\r`);
    },
  });

  const columns = ['line', 'email', 'name', 'reason'];
  const csv = stringify(rejected, { header: true, columns, delimiter, bom: true, escape_formulas: true });
  // Under a name of its own, so that neither an interruption nor another run leaves half a file.
  const draft = `${output}.${crypto.randomUUID()}`;
  await writeFile(draft, csv, { mode: 0o600 });
  await rename(draft, output);
  console.log(`Imported ${imported}, rejected ${rejected.length}, repeated ${skipped} (see ${output})`);
  if (rejected.length > 0) process.exitCode = 1;
} catch (error) {
  // A message of the CSV parser may end with the cell, which may be a password.
  console.error(error instanceof Error ? error.message.replace(/, value is .*/s, '') : error);
  process.exitCode = 1;
}
