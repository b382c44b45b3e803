// Imports participants from a CSV file of any length and writes the rows that were left out to another one.
//
//   npx node examples/import-participants.ts [participants.csv] [out/rejected.csv] [--resume-from <row>]
//
// It runs against an emulator, or against the service that EXAM_SERVICE_BASE_URL and EXAM_SERVICE_API_KEY name.
import { existsSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ExamClient, ImportStoppedError, type ImportSummary, type ParticipantImport } from 'exam-service-sdk';
import { toCsvHeader, toCsvLine } from './support/csv.ts';
import { type CsvRow, openCsv } from './support/csv-file.ts';
import { giveUp } from './support/give-up.ts';
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
const header = toCsvHeader(['line', 'email', 'name', 'reason']);

/** Reasons by line, as an earlier run wrote them: one that is resumed keeps what it left out before. */
async function readRejected(): Promise<Map<string, string>> {
  if (resumeFrom === 0 || !existsSync(output)) return new Map();
  const reasons = new Map<string, string>();
  const earlier = await openCsv<{ line: string; reason: string }>(output, ['line', 'reason']);
  for await (const { fields } of earlier.rows()) reasons.set(fields.line, fields.reason);
  return reasons;
}

const file = await openCsv<ParticipantImport>(input, ['email', 'name', 'password']).catch(giveUp);
await checkReplaceable(output, header);
const earlier = await readRejected();
const service = await connectService({ missing: positionals.length === 0 && 'The name of your CSV file' });
try {
  const client = new ExamClient({ baseUrl: service.baseUrl, apiKey: service.apiKey });
  const progress = startProgress('Bytes read', (await stat(input)).size);
  await replaceFile(output, async (path) => {
    const rejected = await open(path, 'w');
    /** Without the password. */
    const write = ({ line, fields }: CsvRow<ParticipantImport>, reason: string) =>
      rejected.write(toCsvLine([line, fields.email, fields.name, reason]));

    /** The rows that were read, by their position, until it is known what became of them. */
    const unsettled = new Map<number, CsvRow<ParticipantImport>>();
    async function* readRows(): AsyncGenerator<ParticipantImport> {
      let index = 0;
      for await (const row of file.rows(progress.step)) {
        const reason = earlier.get(String(row.line));
        if (index >= resumeFrom) unsettled.set(index, row);
        else if (reason !== undefined) await write(row, reason);
        index += 1;
        yield row.fields;
      }
    }

    let summary: ImportSummary;
    try {
      await rejected.write(header);
      summary = await client.participants.importAll(readRows(), {
        concurrency: 2,
        onInvalid: 'skip',
        onBatchError: 'bisect',
        resumeFrom,
        // `summary.rejected` ends at 1,000 rows.
        async onRejected({ index, reason }) {
          const row = unsettled.get(index);
          if (row !== undefined) await write(row, reason);
          unsettled.delete(index);
        },
        onProgress({ processed }) {
          for (const index of unsettled.keys()) if (index < processed) unsettled.delete(index);
        },
      });
    } catch (error) {
      if (!(error instanceof ImportStoppedError)) throw error;
      summary = error.summary;
      process.exitCode = 1;
      console.error(`${error.message}\nRun it again with --resume-from ${summary.resumeFrom}.`);
    } finally {
      progress.stop();
      await rejected.close();
    }
    console.log(`Imported ${summary.imported}, left out ${summary.failed} (see ${output})`);
  });
} finally {
  await service.close();
}
