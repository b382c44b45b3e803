// The whole job: imports participants from a file, assigns them to an exam with their links, says who has no exam and why,
// receives signed results, and pages through what the service has.
//
//   npm start
//
// It runs against an emulator of the service on this machine, where 25 people take the exam, or against the service
// that EXAM_SERVICE_BASE_URL and EXAM_SERVICE_API_KEY name: a project for tests, with `npm start -- --test-project`.

import { fileURLToPath } from 'node:url';
import { ExamClient, type ParticipantImport } from 'exam-service-sdk';
import { type CsvRow, openCsv } from './support/csv-file.ts';
import { connectService, startProgress, startReceiver } from './support/program.ts';

const service = await connectService({
  missing: !process.argv.includes('--test-project') && '--test-project',
  // The emulator marks imported people as verified; a real service may not.
  unverified: ['samir.ueda@example.com'],
});
const receiver = await startReceiver();
const client = new ExamClient({ baseUrl: service.baseUrl, apiKey: service.apiKey });
let endpoint: number | undefined;

try {
  console.log(
    'Imports participants from a file, assigns them to an exam, receives signed results and lists them.\n',
  );

  const path = fileURLToPath(new URL('./data/participants.csv', import.meta.url));
  const file = await openCsv<ParticipantImport>(path, ['email', 'name', 'password']);
  const rows: CsvRow<ParticipantImport>[] = [];
  for await (const row of file.rows()) rows.push(row);
  const importing = startProgress('Imported ', rows.length);
  const rejected: string[] = [];
  await client.participants.importAll(rows, {
    map: ({ fields }) => fields,
    batchSize: 50,
    invalidRows: 'reject',
    failedBatches: 'bisect',
    onProgress: ({ imported }) => importing.to(imported),
    onRejected: ({ row, message }) => rejected.push(`line ${row.line} rejected: ${message}`),
  });
  importing.stop();
  for (const line of rejected) console.log(`  ${line}`);

  const [exam] = await client.exams.list({ limit: 1 }).toArray({ maxItems: 1 });
  if (exam === undefined) throw new Error('The service has no exam to assign anybody to.');

  const emails = rows.map(({ fields }) => fields.email ?? '');
  const { found, missing } = await client.participants.findByEmail(emails);
  const assigning = startProgress('Assigned ', found.size);
  const assigned: { participant_id: number; url: string | null }[] = [];
  // A participant must be active and must have verified their email.
  const withoutExam = missing.filter((email) => email !== '').map((email) => `${email}: was not imported`);
  await client.examParticipants.assignAll(found, {
    map: ([, { id }]) => ({ participant_id: id, exam_id: exam.id }),
    link: true,
    onResult({ row: [email], participant_id, url, error }) {
      if (error === null) assigning.to(assigned.push({ participant_id, url }));
      else withoutExam.push(`${email}: ${error.message}`);
    },
  });
  assigning.stop();
  console.log(`  the first link: ${assigned[0]?.url}`);
  for (const person of withoutExam) console.log(`  no exam for ${person}`);

  const created = await client.webhooks.create({ url: receiver.url, events: ['exam_result.completed'] });
  endpoint = created.id;
  receiver.start(created.secret);

  const takers = assigned.slice(0, 25).map(({ participant_id }) => participant_id);
  if (service.takeExam === null) await client.webhooks.test(endpoint);
  else service.takeExam(exam.id, takers);
  await receiver.waitFor(service.takeExam === null ? 1 : takers.length, 5_000);
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
