// Imports participants from a CSV file of any length and writes the rejected rows to another one.
//
//   npx node examples/import-participants.ts [participants.csv] [out/rejected.csv] [--resume-from <row>:<digest>]
//
// If it is stopped, as by Ctrl-C, it prints the command that resumes. The digest covers the rows before: a file in which
// they changed is rejected. Rows count from 0 after the header. Exits with 1 if it was stopped, or if this run or an
// earlier one rejected rows. It runs against an emulator, or against the service that EXAM_SERVICE_BASE_URL and
// EXAM_SERVICE_API_KEY name.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ExamClient, ImportStoppedError, type ImportSummary, type ParticipantImport } from 'exam-service-sdk';
import { type CsvRow, openCsv } from './support/csv-file.ts';
import {
  checkReplaceable,
  connectService,
  giveUp,
  interruption,
  quote,
  replaceFile,
  startProgress,
  toCsvHeader,
  toCsvLine,
} from './support/program.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { 'resume-from': { type: 'string', default: '0' } },
});
const [
  input = fileURLToPath(new URL('./data/participants.csv', import.meta.url)),
  output = 'out/rejected.csv',
] = positionals;
const [, row, resumeDigest] =
  /^(\d+)(?::([0-9a-f]{8}))?$/.exec(values['resume-from']) ??
  giveUp(`--resume-from is ${values['resume-from']}: copy it from the command that the earlier run printed.`);
const resumeFrom = Number(row);
const header = toCsvHeader(['line', 'email', 'name', 'reason']);

/** Reasons by line, as an earlier run wrote them: one that is resumed keeps the rows that it rejected before. */
async function readRejected(): Promise<Map<string, string>> {
  if (resumeFrom === 0 || !existsSync(output)) return new Map();
  const reasons = new Map<string, string>();
  const earlier = await openCsv<{ line: string; reason: string }>(output, ['line', 'reason']);
  for await (const { fields } of earlier.rows()) reasons.set(fields.line, fields.reason);
  return reasons;
}

async function* rowsBefore(end: number): AsyncGenerator<CsvRow<ParticipantImport>> {
  let index = 0;
  if (end === 0) return;
  for await (const row of file.rows()) {
    yield row;
    index += 1;
    if (index === end) return;
  }
}

/** A digest of the rows before `end`. It is short, so that it shows a change and nobody finds a password by it. */
async function digestBefore(end: number): Promise<string> {
  const hash = createHash('sha256');
  // With the line, by which the rejected rows are named.
  for await (const row of rowsBefore(end)) hash.update(JSON.stringify(row));
  return hash.digest('hex').slice(0, 8);
}

const file = await openCsv<ParticipantImport>(input, ['email', 'name', 'password']).catch(giveUp);
if (resumeDigest === undefined) {
  if (resumeFrom > 0) console.log(`Not checked: whether the ${resumeFrom} rows before have changed.`);
} else if (resumeDigest !== (await digestBefore(resumeFrom))) {
  giveUp(`The first ${resumeFrom} rows of ${input} have changed since. Import the whole file again.`);
}
await checkReplaceable(output, header);
const earlier = await readRejected();
const signal = interruption();

const service = await connectService({ missing: positionals.length === 0 && 'The name of your CSV file' });
try {
  const client = new ExamClient({ baseUrl: service.baseUrl, apiKey: service.apiKey });
  const progress = startProgress('Bytes read', (await stat(input)).size);
  await replaceFile(output, async (path) => {
    const rejected = await open(path, 'w');
    /** Without the password. */
    const write = ({ line, fields }: CsvRow<ParticipantImport>, reason: string) =>
      rejected.write(toCsvLine([line, fields.email, fields.name, reason]));

    /** Rows that earlier runs rejected. */
    let kept = 0;
    let summary: ImportSummary;
    try {
      await rejected.write(header);
      // All before the first request, so that an interruption loses none of them.
      for await (const row of rowsBefore(resumeFrom)) {
        const reason = earlier.get(String(row.line));
        if (reason === undefined) continue;
        await write(row, reason);
        kept += 1;
      }
      summary = await client.participants.importAll(file.rows(progress.step), {
        map: ({ fields }) => fields,
        concurrency: 2,
        invalidRows: 'reject',
        failedBatches: 'bisect',
        resumeFrom,
        signal,
        // `summary.rejections` ends at 1,000 rows.
        onRejected: ({ row, message }) => write(row, message),
      });
    } catch (error) {
      if (!(error instanceof ImportStoppedError)) throw error;
      summary = error.summary;
      process.exitCode = 1;
      const from = `${summary.resumeFrom}:${await digestBefore(summary.resumeFrom)}`;
      const again = `npx node examples/import-participants.ts ${quote(input)} ${quote(output)} --resume-from ${from}`;
      console.error(`${error.message}\nRun it again with --resume-from ${from}:\n\n  ${again}`);
    } finally {
      progress.stop();
      await rejected.close();
    }
    const { imported, rejected: count, skipped } = summary;
    if (count + kept > 0) process.exitCode = 1;
    const before = kept > 0 ? `, ${kept} by earlier runs` : '';
    const equal = skipped > 0 ? `, skipped ${skipped} that an earlier row equals` : '';
    console.log(`Imported ${imported}, rejected ${count}${before}${equal} (see ${output})`);
  });
} finally {
  await service.close();
}
