// Imports participants from a CSV file of any length and writes the rows that were left out to another one.
//
//   node examples/import-participants.ts [participants.csv] [rejected.csv] [--resume-from <row>]
//
// It runs against an emulator, or against the service that EXAM_SERVICE_BASE_URL and EXAM_SERVICE_API_KEY name.
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parse } from 'csv-parse';
import { ExamClient, ImportStoppedError, type ImportSummary, type ParticipantImport } from 'exam-service-sdk';
import { toCsvLine } from './support/csv.ts';
import { startProgress } from './support/progress.ts';
import { connectService } from './support/service.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { 'resume-from': { type: 'string', default: '0' } },
});
const [input = fileURLToPath(new URL('./data/participants.csv', import.meta.url)), output = 'rejected.csv'] =
  positionals;

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

/** Writes the rows that were left out, with their reasons and without their passwords. */
async function writeRejected({ rejected }: ImportSummary): Promise<void> {
  const file = await open(output, 'w');
  try {
    await file.write(toCsvLine(['line', 'email', 'name', 'reason']));
    // The list is in the order of the file, so both are read side by side.
    const left = rejected.values();
    let next = left.next().value;
    let index = 0;
    for await (const { record, info } of readRows()) {
      if (next === undefined) break;
      if (next.index === index) {
        await file.write(toCsvLine([info.lines, record.email, record.name, next.reason]));
        next = left.next().value;
      }
      index += 1;
    }
  } finally {
    await file.close();
  }
}

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
      resumeFrom: Number(values['resume-from']),
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
  await writeRejected(summary);
  console.log(`Imported ${summary.imported}, left out ${summary.failed} (see ${output})`);
} finally {
  await service.close();
}
