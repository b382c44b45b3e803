// Checks the claims about assignments by assigning a participant to an exam and cancelling it again.

import { findLink } from '../../../core/answer/find.ts';
import type { Run } from '../run.ts';
import { UNKNOWN_ID } from './lists.ts';

const ASSIGN = '/exam-participants/assign';
const UNASSIGN = '/exam-participants/unassign';
const LINK = '/exam-participants/link';

interface Pair {
  readonly participant_id: number;
  readonly exam_id: number;
}

/** The way of an assignment, there and back. One that is there already is cancelled only if it is an earlier run's. */
export async function checkAssignments(run: Run, pair: Pair, isOwn: boolean): Promise<void> {
  await checkRefusals(run, pair);
  const before = await run.get(LINK, { ...pair });
  // Only a 404 says that nobody's own assignment is at stake.
  if (!isOwn && before.status !== 404) {
    const reason = before.ok
      ? 'The participant is assigned to the exam already: name another one.'
      : `Whether the participant is assigned to the exam is not known (${before.status}): nothing was assigned or cancelled.`;
    return void run.notes.push(reason);
  }
  if (before.ok) await run.send('POST', UNASSIGN, pair);
  const unregistered = await run.send('POST', UNASSIGN, pair);
  run.decideStatus('unassign.unregistered', `POST ${UNASSIGN}, not assigned`, unregistered, 400);
  run.decideStatus('link.unassigned', `GET ${LINK}, not assigned`, await run.get(LINK, { ...pair }), 404);
  let isLeft = true;
  try {
    isLeft = await checkLife(run, pair);
  } finally {
    if (isLeft) await run.forCleanup().send('POST', UNASSIGN, pair);
  }
}

/** Assigns and cancels; tells whether the participant may be left assigned. */
async function checkLife(run: Run, pair: Pair): Promise<boolean> {
  const assigned = await run.send('POST', ASSIGN, pair);
  if (assigned.status === 400) {
    // Active, verified, and below the ceiling: whether the participant is all that, the service does not show.
    run.notes.push(`POST ${ASSIGN} answered 400: give --participant with one who is active and verified.`);
    return false;
  }
  if (!run.decideStatus('assign.201', `POST ${ASSIGN}`, assigned, 201)) {
    return assigned.ok || assigned.status >= 500;
  }
  const link = await run.get(LINK, { ...pair });
  if (run.decideStatus('link.200', `GET ${LINK}`, link, 200)) {
    const isLink = findLink(link.body) !== null;
    run.decide('link.200', isLink, `GET ${LINK}: ${isLink ? 'a' : 'no'} link`);
  }
  run.decideStatus('assign.once', `POST ${ASSIGN}, assigned`, await run.send('POST', ASSIGN, pair), 400);
  run.decideStatus('unassign.200', `POST ${UNASSIGN}`, await run.send('POST', UNASSIGN, pair), 200);
  const cancelled = await run.get(LINK, { ...pair });
  return !run.decideStatus('unassign.200', `GET ${LINK}, cancelled`, cancelled, 404);
}

async function checkRefusals(run: Run, pair: Pair): Promise<void> {
  for (const path of [ASSIGN, UNASSIGN]) {
    for (const name of ['participant_id', 'exam_id'] as const) {
      const unknown = await run.send('POST', path, { ...pair, [name]: UNKNOWN_ID });
      run.decideStatus('errors.assignment', `POST ${path}, unknown ${name}`, unknown, 404);
      const { [name]: _, ...rest } = pair;
      for (const body of [rest, { ...pair, [name]: 'verify' }]) {
        const answer = await run.send('POST', path, body);
        const what = `POST ${path}, ${name in body ? 'wrong' : 'no'} ${name}`;
        run.decideRefusal('assignment.ids', what, answer);
        run.decideStatus('errors.422', what, answer, 422);
      }
    }
  }
}
