// Exports all results to a CSV and an NDJSON file.
//
//   npx node examples/export-results.ts [out/results] [--id <field>] [--separator ';']
//
// Reads the list until a pass adds nothing, since new results push others to another page, where one pass could miss
// them. The results are held in memory. With `--separator ';'` the CSV file has semicolons and decimal commas, as European
// spreadsheets read it. It runs against an emulator with 1,000
// results, or against the service that EXAM_SERVICE_BASE_URL and EXAM_SERVICE_API_KEY name.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ExamClient, type ExamResult, isExamServiceError } from 'exam-service-sdk';
import {
  connectService,
  giveUp,
  replaceFile,
  type Separator,
  toCsvHeader,
  toCsvLine,
} from './support/program.ts';

/** As many results are held in memory. */
const MOST_RESULTS = 500_000;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { id: { type: 'string' }, separator: { type: 'string', default: ',' } },
});
const [folder = 'out/results'] = positionals;
const separator: Separator =
  values.separator === ',' || values.separator === ';'
    ? values.separator
    : giveUp(`--separator is ${values.separator}; it is ',' or ';'.`);
const csv = join(folder, 'results.csv');
const ndjson = join(folder, 'results.ndjson');

/** What distinguishes results. Listed ones show no documented field: events call the id `exam_result_id`, other lists `id`. */
function idOf(result: ExamResult): string | number {
  const id = values.id === undefined ? (result['exam_result_id'] ?? result['id']) : result[values.id];
  // A list or a record would be unlike any other.
  if (typeof id === 'string' || typeof id === 'number') return id;
  return giveUp(
    `A result has no ${values.id ?? 'exam_result_id and no id'} that is a string or a number. Say with --id which of its ` +
      `fields is unique: ${Object.keys(result).join(', ')}`,
  );
}

/** The fields of a record by their columns, those of nested records and lists too: `exam.name`, `answers.0`. */
function toColumns(value: unknown, path: readonly string[] = []): Array<[column: string, cell: unknown]> {
  if (typeof value !== 'object' || value === null) return [[path.join('.'), value]];
  const fields = Object.entries(value);
  if (fields.length === 0) return [[path.join('.'), null]];
  return fields.flatMap(([name, field]) => toColumns(field, [...path, name]));
}

/** The lines of a CSV file with a column for each field that any of the results has. */
function* toCsv(results: readonly ExamResult[]): Generator<string> {
  const columns = new Set(results.flatMap((result) => toColumns(result).map(([column]) => column)));
  yield toCsvHeader([...columns], separator);
  for (const result of results) {
    const cells = new Map(toColumns(result));
    yield toCsvLine(
      Array.from(columns, (column) => cells.get(column)),
      separator,
    );
  }
}

/** What reads lines ends one at a line separator too, which JSON leaves as it is. */
function* toNdjson(results: readonly ExamResult[]): Generator<string> {
  for (const result of results)
    yield `${JSON.stringify(result).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`;
}

const service = await connectService({ participants: 1_000, results: true });
try {
  const client = new ExamClient({ baseUrl: service.baseUrl, apiKey: service.apiKey });
  const list = client.examResults.list({ limit: 100 }, { distinct: idOf, concurrency: 4 });
  const results = await list.toArray({ maxItems: MOST_RESULTS, untilStable: true });
  await replaceFile(csv, (path) => writeFile(path, toCsv(results)));
  await replaceFile(ndjson, (path) => writeFile(path, toNdjson(results)));
  console.log(`Results exported: ${results.length} (see ${csv} and ${ndjson})`);
} catch (error) {
  if (!isExamServiceError(error)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await service.close();
}
