// Runs the checks that change data (`--write`), for projects made for tests.

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
  /** Sends a body that is not JSON, which the client cannot; gives the status. */
  readonly sendRaw: (path: string, text: string) => Promise<number>;
}

/** Everything that is decided by changing something: in a project for tests, for the participant stays. */
export async function checkWrites(run: Run, settings: WriteSettings): Promise<void> {
  const imported = await checkPeople(run, settings.sendRaw);
  const participant_id = settings.participantId ?? imported;
  const exam_id = settings.examId ?? decideIds(run, 'exam.id', itemsOf(await run.get('/exams')))[0];
  if (participant_id === null)
    run.notes.push('The id of the imported participant was not found: give --participant.');
  else if (exam_id === undefined) run.notes.push('There is no exam to assign.');
  else await checkAssignments(run, { participant_id, exam_id }, settings.participantId === null);
  await checkWebhooks(run, settings);
}

async function checkWebhooks(run: Run, { receiverUrl, receiver }: WriteSettings): Promise<void> {
  const endpoints = new Endpoints(run, receiverUrl ?? NOWHERE);
  try {
    const { answer, row, id } = await endpoints.create();
    if (!answer.ok) {
      run.notes.push(
        `POST /webhooks was answered with ${answer.status}: there may be five already, or it wants another --receiver.`,
      );
      return;
    }
    const secret = await endpoints.checkLife(id, row);
    await checkTestDeliveries(run, id, secret, { isReachable: receiverUrl !== null, receiver });
    await endpoints.checkCreation();
    await endpoints.checkFive();
  } finally {
    await endpoints.removeAll();
  }
}
