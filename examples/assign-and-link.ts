// Assigns every participant to an exam and writes their links to a CSV file.
//
//   node examples/assign-and-link.ts [links.csv] [--exam <id>]
//
// Safe to run again: who is assigned already only gets the link. It runs against an emulator with a class of 5,000,
// or against the service that EXAM_SERVICE_BASE_URL and EXAM_SERVICE_API_KEY name.
import { open } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type Assignment, ExamClient, isApiError, NotFoundError } from 'exam-service-sdk';
import { pMapIterable } from 'p-map';
import { toCsvLine } from './support/csv.ts';
import { connectService } from './support/service.ts';

const { positionals, values } = parseArgs({ allowPositionals: true, options: { exam: { type: 'string' } } });
const [output = 'links.csv'] = positionals;

const service = await connectService({ participants: 5_000 });
const client = new ExamClient({ baseUrl: service.baseUrl, apiKey: service.apiKey, maxConcurrency: 8 });

/** The link; `null` when the participant is not assigned to the exam. */
async function findLink(pair: Assignment): Promise<string | null> {
  try {
    return (await client.examParticipants.link(pair)).url;
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}

/** Assigns where that is still to be done. The link tells, also after a failure that left it open. */
async function assignAndLink(pair: Assignment): Promise<string> {
  const known = await findLink(pair);
  if (known !== null) return known;
  let failure: unknown;
  try {
    await client.examParticipants.assign(pair);
  } catch (error) {
    failure = error;
  }
  const link = await findLink(pair);
  if (link === null) throw failure ?? new Error('The service assigned the participant and knows of no link.');
  return link;
}

const outcomeOf = async (exam_id: number, id: number, email: unknown) => {
  try {
    const link = await assignAndLink({ participant_id: id, exam_id });
    return { id, email, link, problem: null };
  } catch (error) {
    // One participant who cannot be assigned does not stop the others; a key that does not work does.
    if (!isApiError(error) || error.status === 401 || error.status === 403) throw error;
    return { id, email, link: null, problem: error.serviceMessage ?? error.message };
  }
};

try {
  const [first] = await client.exams.list({ limit: 1 }).toArray({ maxItems: 1 });
  const exam = values.exam === undefined ? first?.id : Number(values.exam);
  if (exam === undefined) throw new Error('The service has no exam to assign anybody to.');
  const file = await open(output, 'w');
  let linked = 0;
  let failed = 0;
  try {
    await file.write(toCsvLine(['participant_id', 'email', 'link', 'problem']));
    const outcomes = pMapIterable(
      client.participants.list({ limit: 100 }, { concurrency: 2 }),
      ({ id, email }) => outcomeOf(exam, id, email),
      { concurrency: 8, backpressure: 32 },
    );
    for await (const { id, email, link, problem } of outcomes) {
      await file.write(toCsvLine([id, email, link, problem]));
      if (link === null) failed += 1;
      else linked += 1;
    }
  } finally {
    await file.close();
  }
  console.log(`Exam ${exam}: ${linked} links, ${failed} participants without one (see ${output})`);
} finally {
  await service.close();
}
