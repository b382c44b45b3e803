// The whole job, end to end: import participants from a file, assign them to an exam, get their links,
// receive signed results, and page through what the service has.
//
//   npm start
//
// It runs against an emulator of the service on this machine, or against the service that
// EXAM_SERVICE_BASE_URL and EXAM_SERVICE_API_KEY name.
import Table from 'cli-table3';
import { BadRequestError, ExamClient } from 'exam-service-sdk';
import { importBatch, type RejectedRow, readParticipants } from './support/participants-file.ts';
import { startProgress } from './support/progress.ts';
import { startReceiver } from './support/receiver.ts';
import { connectService } from './support/service.ts';

const service = await connectService();
const receiver = await startReceiver();
const client = new ExamClient({ baseUrl: service.baseUrl, apiKey: service.apiKey });
let endpoint: number | undefined;

try {
  console.log(`Service: ${service.baseUrl}\n`);

  const rows = await readParticipants(new URL('./data/participants.csv', import.meta.url));
  const rejected: RejectedRow[] = [];
  const importing = startProgress('Imported ', rows.length);
  for (let start = 0; start < rows.length; start += 50) {
    const batch = rows.slice(start, start + 50);
    const refused = await importBatch(client, batch);
    rejected.push(...refused);
    importing.step(batch.length - refused.length);
  }
  importing.stop();
  for (const { line, reason } of rejected) console.log(`  line ${line} left out: ${reason}`);

  const [exam] = await client.exams.list({ limit: 1 }).toArray({ maxItems: 1 });
  if (exam === undefined) throw new Error('The service has no exam to assign anybody to.');

  const lines = new Set(rejected.map(({ line }) => line));
  const emails = new Set(
    rows.filter(({ line }) => !lines.has(line)).map(({ participant }) => participant.email),
  );
  const participants: number[] = [];
  for await (const { id, email } of client.participants.list({ limit: 100 })) {
    if (emails.has(String(email))) participants.push(id);
  }

  const notAssigned = new Map<number, string>();
  const assigning = startProgress('Assigned ', participants.length);
  for (const participant_id of participants) {
    try {
      await client.examParticipants.assign({ participant_id, exam_id: exam.id });
      assigning.step();
    } catch (error) {
      // One participant who cannot be assigned (registered already, not active) does not stop the others.
      if (!(error instanceof BadRequestError)) throw error;
      notAssigned.set(participant_id, error.serviceMessage ?? error.message);
    }
  }
  assigning.stop();
  for (const [id, reason] of notAssigned) console.log(`  participant ${id} was not assigned: ${reason}`);

  const links: string[] = [];
  const linking = startProgress('Links    ', participants.length);
  for (const participant_id of participants) {
    const { url } = await client.examParticipants.link({ participant_id, exam_id: exam.id });
    links.push(url);
    linking.step();
  }
  linking.stop();
  console.log(`  the first one: ${links[0]}`);

  const created = await client.webhooks.create({ url: receiver.url, events: ['exam_result.completed'] });
  endpoint = created.id;
  receiver.start(created.secret);

  if (service.takeExam === null) {
    await client.webhooks.test(endpoint);
    await receiver.waitFor(1, 5_000);
  } else {
    const takers = participants.slice(0, 25);
    service.takeExam(exam.id, takers);
    await receiver.waitFor(takers.length, 5_000);
  }
  console.log(`Verified deliveries: ${receiver.scores.size}\n`);

  const table = new Table({
    head: ['participant', 'status', 'score', 'finished'],
    chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
    style: { head: [], border: [] },
  });
  let count = 0;
  let pages = 0;
  for await (const page of client.examResults.list({ exam_id: exam.id, limit: 10 }).pages()) {
    pages += 1;
    count += page.data.length;
    for (const result of page.data.slice(0, 4)) {
      const participant = result['participant'] as { name?: string } | undefined;
      table.push(
        [participant?.name ?? '', result['status_label'], result['score'], result['end_at']].map(String),
      );
    }
  }
  console.log(`Results: ${count} on ${pages} pages; the first four of each:`);
  console.log(table.toString());
} finally {
  if (endpoint !== undefined) await client.webhooks.delete(endpoint);
  await receiver.close();
  await service.close();
}
