// Exports all results to a CSV and an NDJSON file.
//
//   npm install exam-service-sdk csv-stringify && npm pkg set type=module
//   node export-results.ts [out/results] [--id <field>] [--separator ';']
//
// It reads the list until a pass adds nothing, since new results move others to another page, and holds them in memory.
// `--id` names the field that tells results apart, if it is neither exam_result_id nor id. With `--separator ';'` the CSV file
// has semicolons and decimal commas, as European spreadsheets read it. If it ends early, it exits with 1 and changes no file.
//
// It needs Node 22.18 or later, and EXAM_SERVICE_BASE_URL and EXAM_SERVICE_API_KEY of your service. To try it, run
// `npx exam-service-sdk emulator --demo` in another terminal, and set these to http://127.0.0.1:4010/api/v1 and test-key.
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { stringify } from 'csv-stringify/sync';
import { ExamClient, type ExamResult } from 'exam-service-sdk';

const options = { id: { type: 'string' }, separator: { type: 'string', default: ',' } } as const;
const { positionals, values } = parseArgs({ allowPositionals: true, options });
const [folder = 'out/results'] = positionals;
const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => stop.abort(new Error('Interrupted')));

/** What tells results apart. No field of a listed result is documented: events call it `exam_result_id`, other lists `id`. */
function idOf(result: ExamResult): string | number {
  const id = values.id ? result[values.id] : (result['exam_result_id'] ?? result['id']);
  if (typeof id === 'string' || typeof id === 'number') return id;
  throw new Error(`Say with --id which field tells results apart: ${Object.keys(result).join(', ')}`);
}

/** The fields of a result by their columns, also those of nested records and lists: `exam.name`, `answers.0`. */
function toCells(value: unknown, path: readonly string[] = []): [column: string, cell: unknown][] {
  if (typeof value !== 'object' || value === null) return [[path.join('.'), value]];
  return Object.entries(value).flatMap(([name, field]) => toCells(field, [...path, name]));
}

try {
  const client = new ExamClient();
  const reading = { distinct: idOf, concurrency: 4, maxRetries: 300, signal: stop.signal };
  const list = client.examResults.list({ limit: 100 }, reading);
  const results = await list.toArray({ maxItems: 500_000, untilStable: true });

  const rows = results.map((result) => new Map(toCells(result)));
  const columns = [...new Set(rows.flatMap((row) => [...row.keys()]))];
  const cells = rows.map((row) => columns.map((column) => row.get(column)));
  const csv = stringify(cells, {
    header: true,
    columns,
    delimiter: values.separator,
    bom: true,
    escape_formulas: true,
    cast: {
      boolean: String,
      number: (value) => (values.separator === ';' ? String(value).replace('.', ',') : String(value)),
    },
  });
  // Programs that read lines may end one at U+2028 and U+2029, which JSON leaves as they are.
  const ndjson = results.map((result) => `${JSON.stringify(result)}\n`).join('');
  const escaped = ndjson.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');

  await mkdir(folder, { recursive: true });
  // Under names of this run, so that neither an interruption nor another run leaves half a file.
  const drafts = join(folder, crypto.randomUUID());
  await writeFile(`${drafts}.csv`, csv, { mode: 0o600 });
  await writeFile(`${drafts}.ndjson`, escaped, { mode: 0o600 });
  await rename(`${drafts}.csv`, join(folder, 'results.csv'));
  await rename(`${drafts}.ndjson`, join(folder, 'results.ndjson'));
  console.log(`Exported ${results.length} results (see results.csv and results.ndjson in ${folder})`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
