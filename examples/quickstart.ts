// The whole job: imports participants from a file, assigns them to an exam with their links, says who has no exam and why,
// receives signed results, and pages through what the service has.
//
//   npm start
//
// It runs against an emulator of the service on this machine, where 25 people take the exam, or against the service
// that EXAM_SERVICE_BASE_URL and EXAM_SERVICE_API_KEY name: a project for tests, with `npm start -- --test-project`.

import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { ExamClient, type ParticipantImport } from 'exam-service-sdk';
import { connectService, startReceiver, takeExam } from './support/service.ts';

const service = await connectService(!process.argv.includes('--test-project') && '--test-project');
// The emulator marks imported people as verified; a real service may not.
service.emulator?.control.seedParticipants([{ email: 'samir.ueda@example.com', verified: false }]);
const receiver = await startReceiver();
const client = new ExamClient({ baseUrl: service.baseUrl, apiKey: service.apiKey });
let endpoint: number | undefined;

try {
  console.log(
    'Imports participants from a file, assigns them to an exam, receives signed results and lists them.\n',
  );

  const text = await readFile(new URL('./data/participants.csv', import.meta.url));
  // `info` has the line of each row.
  type Row = { record: ParticipantImport; info: { lines: number } };
  const rows = parse<Row>(text, { columns: true, info: true, relax_column_count_less: true });
  const { imported } = await client.participants.importAll(rows, {
    map: ({ record }) => record,
    batchSize: 50,
    invalidRows: 'reject',
    failedBatches: 'bisect',
    onRejected: ({ row, message }) => console.log(`  line ${row.info.lines} rejected: ${message}`),
  });
  console.log(`Imported ${imported} of ${rows.length}`);

  const [exam] = await client.exams.list({ limit: 1 }).toArray({ maxItems: 1 });
  if (exam === undefined) throw new Error('The service has no exam to assign anybody to.');

  const emails = rows.map(({ record }) => record.email);
  const { found, missing } = await client.participants.findByEmail(emails);
  const assigned: { participant_id: number; url: string | null }[] = [];
  // A participant must be active and must have verified their email.
  const withoutExam = missing.filter((email) => email !== '').map((email) => `${email}: was not imported`);
  await client.examParticipants.assignAll(found, {
    map: ([, { id }]) => ({ participant_id: id, exam_id: exam.id }),
    link: true,
    onResult({ row: [email], participant_id, url, error }) {
      if (error === null) assigned.push({ participant_id, url });
      else withoutExam.push(`${email}: ${error.message}`);
    },
  });
  console.log(`Assigned ${assigned.length} of ${found.size}`);
  console.log(`  the first link: ${assigned[0]?.url}`);
  for (const person of withoutExam) console.log(`  no exam for ${person}`);

  const created = await client.webhooks.create({ url: receiver.url, events: ['exam_result.completed'] });
  endpoint = created.id;
  receiver.start(created.secret);

  const takers = assigned.slice(0, 25).map(({ participant_id }) => participant_id);
  if (service.emulator === null) await client.webhooks.test(endpoint);
  else takeExam(service.emulator, exam.id, takers);
  await receiver.waitFor(service.emulator === null ? 1 : takers.length);
  console.log(`Verified deliveries: ${receiver.scores.size}\n`);

  const results = await client.examResults.list({ exam_id: exam.id, limit: 10 });
  console.log(`Results: ${results.total} on ${results.lastPage} pages; the first of them:`);
  console.table(
    results.data.slice(0, 8).map(({ participant, status_label, score, end_at }) => ({
      participant: Object(participant).name,
      status: status_label,
      score,
      finished: end_at,
    })),
  );
  console.log('\nThe program is examples/quickstart.ts; examples/README.md lists those for single jobs.');
} finally {
  if (endpoint !== undefined) await client.webhooks.delete(endpoint);
  await receiver.close();
  await service.close();
}
