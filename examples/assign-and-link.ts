// Assigns every participant to an exam and writes their links to a CSV file.
//
//   npx node examples/assign-and-link.ts [out/links.csv] [--exam <id>]
//
// Safe to run again: who is assigned already only gets the link. Its exit code is 1 when somebody has none. It runs
// against an emulator with a class of 5,000, or against the service that EXAM_SERVICE_BASE_URL and EXAM_SERVICE_API_KEY
// name, which needs `--exam`.
import { open } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type Assignment, ExamClient, isApiError, isExamServiceError } from 'exam-service-sdk';
import {
  checkReplaceable,
  connectService,
  replaceFile,
  startProgress,
  toCsvHeader,
  toCsvLine,
} from './support/program.ts';

const { positionals, values } = parseArgs({ allowPositionals: true, options: { exam: { type: 'string' } } });
const [output = 'out/links.csv'] = positionals;

const header = toCsvHeader(['participant_id', 'email', 'link', 'problem']);
await checkReplaceable(output, header);

const service = await connectService({ participants: 5_000, missing: values.exam === undefined && '--exam' });
const client = new ExamClient({ baseUrl: service.baseUrl, apiKey: service.apiKey, maxConcurrency: 8 });

/** The emails of those who are being assigned. */
const emails = new Map<number, unknown>();

async function* everybody(exam_id: number): AsyncGenerator<Assignment> {
  for await (const { id, email } of client.participants.list({ limit: 100 }, { concurrency: 2 })) {
    emails.set(id, email);
    yield { participant_id: id, exam_id };
  }
}

/** The exam that was named, or the first; an exam that does not exist is found out with one call. */
async function findExam(): Promise<number> {
  if (values.exam !== undefined) return (await client.exams.retrieve(Number(values.exam))).id;
  const [first] = await client.exams.list({ limit: 1 }).toArray({ maxItems: 1 });
  if (first === undefined) throw new Error('The service has no exam to assign anybody to.');
  return first.id;
}

try {
  const exam = await findExam();
  const { total } = await client.participants.list({ limit: 1 });
  let failed = 0;
  await replaceFile(output, async (path) => {
    // A link lets whoever has it take the exam in a participant's name: the file can be read by its owner alone.
    const file = await open(path, 'w', 0o600);
    const progress = startProgress('Linked', total ?? 0);
    try {
      await file.write(header);
      const results = client.examParticipants.assignAll(everybody(exam), { link: true, concurrency: 8 });
      for await (const result of results) {
        const { participant_id: id } = result;
        // Whoever is assigned may still lack a link: these are two requests.
        const isFailed = result.status === 'failed';
        const error = isFailed ? result.error : result.linkError;
        const problem = isApiError(error) ? (error.serviceMessage ?? error.message) : error?.message;
        await file.write(toCsvLine([id, emails.get(id), isFailed ? null : result.url, problem]));
        if (error) failed += 1;
        else progress.step();
        emails.delete(id);
      }
    } finally {
      progress.stop();
      await file.close();
    }
  });
  console.log(`Exam ${exam}, participants without a link: ${failed} (see ${output})`);
  if (failed > 0) process.exitCode = 1;
} catch (error) {
  if (!isExamServiceError(error)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await service.close();
}
