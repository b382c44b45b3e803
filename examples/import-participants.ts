// Imports participants from a CSV file of any length and writes the rows that were left out to another one.
//
//   npx node examples/import-participants.ts [participants.csv] [out/rejected.csv] [--resume-from <row>]
//
// It runs against an emulator, or against the service that EXAM_SERVICE_BASE_URL and EXAM_SERVICE_API_KEY name.
import { createReadStream, existsSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parse } from 'csv-parse';
import { parse as parseText } from 'csv-parse/sync';
import { ExamClient, ImportStoppedError, type ImportSummary, type ParticipantImport } from 'exam-service-sdk';
import { toCsvLine } from './support/csv.ts';
import { startProgress } from './support/progress.ts';
import { checkReplaceable, replaceFile } from './support/replace-file.ts';
import { connectService } from './support/service.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { 'resume-from': { type: 'string', default: '0' } },
});
const [
  input = fileURLToPath(new URL('./data/participants.csv', import.meta.url)),
  output = 'out/rejected.csv',
] = positionals;
const resumeFrom = Number(values['resume-from']);
const header = toCsvLine(['line', 'email', 'name', 'reason']);

interface Row {
  readonly record: ParticipantImport;
  readonly info: { readonly lines: number };
}

/** The rows of the file, one at a time; `onBytes` is told how much of it has been read. */
async function* readRows(onBytes: (bytes: number) => void = () => {}): AsyncGenerator<Row> {
  const file = createReadStream(input);
  file.on('data', (chunk) => onBytes(chunk.length));
  const parser = parse({
    columns: true,
    info: true,
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
  });
  file.on('error', (error) => parser.destroy(error));
  yield* file.pipe(parser);
}

/** Reasons by line, as an earlier run wrote them: one that is resumed keeps what it left out before. */
async function readRejected(): Promise<Map<string, string>> {
  if (resumeFrom === 0 || !existsSync(output)) return new Map();
  const earlier: Record<'line' | 'reason', string>[] = parseText(await readFile(output), { columns: true });
  return new Map(earlier.map(({ line, reason }) => [line, reason]));
}

/** Writes the rows that were left out, with their reasons and without their passwords. */
async function writeRejected({ rejected }: ImportSummary, path: string): Promise<void> {
  const earlier = await readRejected();
  let text = header;
  // The list is in the order of the file, so both are read side by side: without waiting in between, as a file that breaks
  // off fails as soon as the place is read, and not past the last row that was left out.
  const left = rejected.values();
  let next = left.next().value;
  let index = 0;
  for await (const { record, info } of readRows()) {
    let reason = index < resumeFrom ? earlier.get(String(info.lines)) : undefined;
    if (next?.index === index) {
      reason = next.reason;
      next = left.next().value;
    }
    if (reason !== undefined) text += toCsvLine([info.lines, record.email, record.name, reason]);
    index += 1;
    if (next === undefined && index >= resumeFrom) break;
  }
  await writeFile(path, text);
}

await checkReplaceable(output, header);
const service = await connectService();
try {
  const client = new ExamClient({ baseUrl: service.baseUrl, apiKey: service.apiKey });
  const progress = startProgress('Bytes read', (await stat(input)).size);
  const importing = client.participants.importAll(
    readRows((bytes) => progress.step(bytes)),
    {
      map: ({ record }) => record,
      concurrency: 2,
      onInvalid: 'skip',
      onBatchError: 'bisect',
      resumeFrom,
    },
  );
  let summary: ImportSummary;
  try {
    summary = await importing;
  } catch (error) {
    if (!(error instanceof ImportStoppedError)) throw error;
    summary = error.summary;
    process.exitCode = 1;
    console.error(`${error.message}\nRun it again with --resume-from ${summary.resumeFrom}.`);
  }
  progress.stop();
  await replaceFile(output, (path) => writeRejected(summary, path));
  console.log(`Imported ${summary.imported}, left out ${summary.failed} (see ${output})`);
} finally {
  await service.close();
}
