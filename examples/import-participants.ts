// Imports participants from a CSV file of any length and writes the rows that were left out to another one.
//
//   npx node examples/import-participants.ts [participants.csv] [out/rejected.csv] [--resume-from <row>]
//
// It runs against an emulator, or against the service that EXAM_SERVICE_BASE_URL and EXAM_SERVICE_API_KEY name.
import { existsSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ExamClient, ImportStoppedError, type ImportSummary, type ParticipantImport } from 'exam-service-sdk';
import { toCsvHeader, toCsvLine } from './support/csv.ts';
import { openCsv } from './support/csv-file.ts';
import { startProgress } from './support/progress.ts';
import { checkReplaceable, replaceFile } from './support/replace-file.ts';
import { connectService } from './support/service.ts';
import { giveUp } from './support/text-file.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { 'resume-from': { type: 'string', default: '0' } },
});
const [
  input = fileURLToPath(new URL('./data/participants.csv', import.meta.url)),
  output = 'out/rejected.csv',
] = positionals;
const resumeFrom = Number(values['resume-from']);
const header = toCsvHeader(['line', 'email', 'name', 'reason']);

/** Reasons by line, as an earlier run wrote them: one that is resumed keeps what it left out before. */
async function readRejected(): Promise<Map<string, string>> {
  if (resumeFrom === 0 || !existsSync(output)) return new Map();
  const reasons = new Map<string, string>();
  const earlier = await openCsv<{ line: string; reason: string }>(output, ['line', 'reason']);
  for await (const { fields } of earlier.rows()) reasons.set(fields.line, fields.reason);
  return reasons;
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
  for await (const { line, fields } of file.rows()) {
    let reason = index < resumeFrom ? earlier.get(String(line)) : undefined;
    if (next?.index === index) {
      reason = next.reason;
      next = left.next().value;
    }
    if (reason !== undefined) text += toCsvLine([line, fields.email, fields.name, reason]);
    index += 1;
    if (next === undefined && index >= resumeFrom) break;
  }
  await writeFile(path, text);
}

const file = await openCsv<ParticipantImport>(input, ['email', 'name', 'password']).catch(giveUp);
await checkReplaceable(output, header);
const service = await connectService();
try {
  const client = new ExamClient({ baseUrl: service.baseUrl, apiKey: service.apiKey });
  const progress = startProgress('Bytes read', (await stat(input)).size);
  const importing = client.participants.importAll(
    file.rows((bytes) => progress.step(bytes)),
    {
      map: ({ fields }) => fields,
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
