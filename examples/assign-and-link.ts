// Assigns every participant to an exam and writes their links to a CSV file.
//
//   npx node examples/assign-and-link.ts [out/links.csv] [--exam <id>]
//
// Safe to run again: people already assigned just get their link. Exits with 1 if anyone has no link, or if it was
// stopped, as by Ctrl-C. It runs against an emulator with a class of 5,000, or against the service that
// EXAM_SERVICE_BASE_URL and EXAM_SERVICE_API_KEY name, which needs `--exam`.
import { open } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { ExamClient, isApiError, isExamServiceError } from 'exam-service-sdk';
import {
  checkReplaceable,
  connectService,
  interruption,
  quote,
  replaceFile,
  startProgress,
  toCsvHeader,
  toCsvLine,
} from './support/program.ts';

const { positionals, values } = parseArgs({ allowPositionals: true, options: { exam: { type: 'string' } } });
const [output = 'out/links.csv'] = positionals;
const again = ['npx node examples/assign-and-link.ts', ...process.argv.slice(2).map(quote)].join(' ');

const header = toCsvHeader(['participant_id', 'email', 'link', 'problem']);
await checkReplaceable(output, header);

const signal = interruption();
const service = await connectService({ participants: 5_000, missing: values.exam === undefined && '--exam' });
const client = new ExamClient({ baseUrl: service.baseUrl, apiKey: service.apiKey, maxConcurrency: 8 });

/** The exam that was named, or the first; an exam that does not exist is found out with one call. */
async function findExam(): Promise<number> {
  if (values.exam !== undefined) return (await client.exams.retrieve(Number(values.exam))).id;
  const [first] = await client.exams.list({ limit: 1 }).toArray({ maxItems: 1 });
  if (first === undefined) throw new Error('The service has no exam to assign anybody to.');
  return first.id;
}

try {
  const exam_id = await findExam();
  // Read until nobody is missing, before anybody is assigned: people move on the list, and assigning may move them.
  const people = await client.participants
    .list({ limit: 100 }, { concurrency: 2, signal })
    .toArray({ maxItems: 1_000_000, untilStable: true });
  let withoutLink = 0;
  await replaceFile(output, async (path) => {
    // Anyone who has a link can take the exam in that participant's name: only the owner can read the file.
    const file = await open(path, 'w', 0o600);
    const progress = startProgress('Linked', people.length);
    try {
      await file.write(header);
      await client.examParticipants.assignAll(people, {
        map: ({ id }) => ({ participant_id: id, exam_id }),
        link: true,
        concurrency: 8,
        signal,
        async onResult({ row: { id, email }, url, error, linkError }) {
          // People who are assigned may still lack a link: these are two requests.
          const failure = error ?? linkError;
          const problem = isApiError(failure)
            ? (failure.serviceMessage ?? failure.message)
            : failure?.message;
          await file.write(toCsvLine([id, email, url, problem]));
          if (url === null) withoutLink += 1;
          else progress.step();
        },
      });
    } finally {
      progress.stop();
      await file.close();
    }
  });
  console.log(`Exam ${exam_id}, participants without a link: ${withoutLink} (see ${output})`);
  if (withoutLink > 0) process.exitCode = 1;
} catch (error) {
  process.exitCode = 1;
  if (signal.aborted) console.error(`Interrupted. Run it again:\n\n  ${again}`);
  else if (isExamServiceError(error)) console.error(error.message);
  else throw error;
} finally {
  await service.close();
}
