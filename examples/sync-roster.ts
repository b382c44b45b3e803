// Brings the participants of the service in line with a CSV file of who should be there.
//
//   npx node examples/sync-roster.ts [roster.csv] [--dry-run] [--allow-missing]
//
// The file has the columns email, name and password; only who is new needs a password. New people are imported, others
// renamed; whoever is not in the file is shown and stays. No known participant is imported, as that would overwrite the
// password. A second run changes nothing. `--dry-run` only reads and compares. It runs against an emulator with 12
// participants, or against the service that EXAM_SERVICE_BASE_URL and EXAM_SERVICE_API_KEY name.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ExamClient, isExamServiceError } from 'exam-service-sdk';
import { connectService, giveUp, startProgress } from './support/program.ts';
import {
  applyRoster,
  knownParticipant,
  planRoster,
  readKnown,
  readParticipants,
  showPlan,
  showSome,
} from './support/roster.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { 'dry-run': { type: 'boolean' }, 'allow-missing': { type: 'boolean' } },
});
const [path = fileURLToPath(new URL('./data/roster.csv', import.meta.url))] = positionals;
const rows = await readParticipants(path).catch(giveUp);

const service = await connectService({
  participants: 12,
  missing: positionals.length === 0 && !values['dry-run'] && 'The name of your CSV file',
});
try {
  const { participants } = new ExamClient({
    baseUrl: service.baseUrl,
    apiKey: service.apiKey,
    schemas: { participant: knownParticipant },
  });
  const known = await readKnown(participants);
  const plan = planRoster(rows, known, { allowMissing: values['allow-missing'] ?? false });
  const changes = plan.added.length + plan.renamed.length;
  console.log(showPlan(plan));

  if (plan.problems.length > 0) {
    console.error(`${showSome(plan.problems)}\nNothing was sent.`);
    process.exitCode = 1;
  } else if (changes === 0) {
    console.log('The service agrees with the file; nothing to change.');
  } else if (values['dry-run']) {
    console.log('Dry run: nothing was changed.');
  } else {
    const progress = startProgress('Changes made', changes);
    const refused = await applyRoster(participants, plan, progress.step).finally(progress.stop);
    if (refused.length > 0) {
      console.error(`The service refused ${refused.length} of them:`);
      console.error(showSome(refused.map(({ email, reason }) => `${email}: ${reason}`)));
      process.exitCode = 1;
    }
  }
} catch (error) {
  if (!isExamServiceError(error)) throw error;
  console.error(`${error.message}\nOnce that is fixed, run this again: it does only what is left.`);
  process.exitCode = 1;
} finally {
  await service.close();
}
