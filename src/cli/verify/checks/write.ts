// Runs the checks that change data (`--write`), for projects made for tests.

import { isRejectedWith } from '../../reply.ts';
import { rowOf, rowsOf } from '../rows.ts';
import type { Run } from '../run.ts';
import { checkAssignments } from './assignments.ts';
import { checkTestDeliveries, type Destination } from './deliveries.ts';
import { Endpoints } from './endpoints.ts';
import { decideIds, itemsOf } from './lists.ts';
import { checkPeople } from './people.ts';

/** Nothing answers there (RFC 6761), so that no event of the project can arrive at a stranger. */
const NOWHERE = 'https://receiver.invalid/exam-service-sdk-verify';

/** What a run that writes needs to know. */
export interface WriteSettings {
  /** The participant and the exam to be assigned; `null` for those that the run finds. */
  readonly participantId: number | null;
  readonly examId: number | null;
  /** Where deliveries are to go; `null` for nowhere. */
  readonly receiverUrl: string | null;
  readonly receiver: Destination['receiver'];
}

/** Everything that is decided by changing something: in a project for tests, for the participant stays. */
export async function checkWrites(run: Run, settings: WriteSettings): Promise<void> {
  try {
    const imported = await checkPeople(run);
    const participant_id = settings.participantId ?? imported;
    const exam_id = settings.examId ?? (await firstExam(run));
    const unknown = await findUnknown(run, settings);
    if (unknown !== null) run.notes.push(unknown);
    else if (participant_id === null)
      run.notes.push('The id of the imported participant was not found: give --participant.');
    else if (exam_id === undefined) run.notes.push('There is no exam to assign.');
    else await checkAssignments(run, { participant_id, exam_id }, settings.participantId === null);
    await checkWebhooks(run, settings);
  } finally {
    await run.made.unwind();
  }
}

/** That the service refuses an id that it does not know contradicts nothing. */
async function findUnknown(run: Run, { participantId, examId }: WriteSettings): Promise<string | null> {
  const named = [
    ['--participant', participantId, `/participants/${participantId}`],
    ['--exam', examId, `/exams/${examId}`],
  ] as const;
  for (const [option, id, path] of named) {
    if (id !== null && isRejectedWith(await run.get(path), 404))
      return `GET ${path} was answered with 404: give another ${option}.`;
  }
  return null;
}

async function firstExam(run: Run): Promise<number | undefined> {
  const list = await run.get('/exams');
  return list.ok ? decideIds(run, 'exam.id', itemsOf(list))[0] : undefined;
}

async function checkWebhooks(run: Run, { receiverUrl, receiver }: WriteSettings): Promise<void> {
  const endpoints = new Endpoints(run, receiverUrl ?? NOWHERE);
  const { reply, made } = await endpoints.create();
  if (!reply.ok || made.id === null) {
    run.notes.push(
      `POST /webhooks was answered with ${reply.words}: there may be five already, or it wants another --receiver.`,
    );
    return await noteEarlier(run);
  }
  const secret = await endpoints.checkLife(made.id, rowOf(reply));
  await checkTestDeliveries(run, made.id, secret, { isReachable: receiverUrl !== null, receiver });
  await endpoints.checkCreation();
  await endpoints.checkFive();
}

/** A run that was killed takes nothing away. */
async function noteEarlier(run: Run): Promise<void> {
  const list = await run.get('/webhooks');
  const earlier = list.ok ? rowsOf(list).filter(({ url }) => String(url).startsWith(NOWHERE)) : [];
  if (earlier.length === 0) return;
  run.notes.push(`An earlier run has left webhook endpoints: ${earlier.map(({ id }) => id).join(', ')}.`);
}
