// Checks the claims about assignments: assigns a participant to an exam, and cancels that again.

import { findLink } from '../../core/response/find.ts';
import { isRejectedWith } from '../reply.ts';
import { ASSIGN, LINK, MadeAssignment, type Pair, UNASSIGN } from './cleanup.ts';
import { type Run, UNKNOWN_ID } from './run.ts';

const names = ['participant_id', 'exam_id'] as const;

export async function checkLinkRejections(run: Run): Promise<void> {
  const ids = { participant_id: UNKNOWN_ID, exam_id: UNKNOWN_ID };
  run.decideStatus('link.404', `GET ${LINK}, unknown ids`, await run.get(LINK, ids), 404);
  for (const name of names) {
    const { [name]: _, ...rest } = ids;
    run.decideRejection('link.required', `GET ${LINK} without ${name}`, await run.get(LINK, rest));
  }
}

/** Assigns and cancels. An assignment that exists is cancelled only if the participant is the run's own. */
export async function checkAssignments(run: Run, pair: Pair, isOwn: boolean): Promise<void> {
  await checkRejections(run, pair);
  const before = await run.get(LINK, pair);
  // Only a 404 says that no assignment of others is at stake.
  if (!isOwn && !isRejectedWith(before, 404)) {
    const reason = before.ok
      ? 'The participant is assigned to the exam already: name another one.'
      : `Whether the participant is assigned to the exam is not known (${before.words}): nothing was assigned or cancelled.`;
    return void run.notes.push(reason);
  }
  if (before.ok) await run.send('POST', UNASSIGN, pair);
  const unregistered = await run.send('POST', UNASSIGN, pair);
  run.decideStatus('unassign.unregistered', `POST ${UNASSIGN}, not assigned`, unregistered, 400);
  run.decideStatus('link.unassigned', `GET ${LINK}, not assigned`, await run.get(LINK, pair), 404);
  const made = new MadeAssignment(pair);
  const assigned = await run.make(made, ASSIGN, pair);
  if (isRejectedWith(assigned, 400)) {
    // The participant must be active and verified, and the exam below its ceiling: the service shows neither.
    const advice = 'give --participant with one who is active and verified, or --exam with one that has room';
    return void run.notes.push(`POST ${ASSIGN} returned 400: ${advice}.`);
  }
  if (!run.decideStatus('assign.201', `POST ${ASSIGN}`, assigned, 201)) return;
  const link = await run.get(LINK, pair);
  run.decideStatus('link.200', `GET ${LINK}`, link, 200);
  run.decideContent('link.200', `GET ${LINK}`, link, ({ body }) => {
    const isLink = findLink(body) !== null;
    return [isLink, isLink ? 'a link' : 'no link'];
  });
  run.decideStatus('assign.once', `POST ${ASSIGN}, assigned`, await run.send('POST', ASSIGN, pair), 400);
  run.decideStatus('unassign.200', `POST ${UNASSIGN}`, await run.send('POST', UNASSIGN, pair), 200);
  const cancelled = await run.get(LINK, pair);
  if (run.decideStatus('unassign.200', `GET ${LINK}, cancelled`, cancelled, 404)) made.markGone();
}

async function checkRejections(run: Run, pair: Pair): Promise<void> {
  for (const path of [ASSIGN, UNASSIGN]) {
    for (const name of names) {
      const { [name]: _, ...rest } = pair;
      const bodies = [
        [`unknown ${name}`, { ...pair, [name]: UNKNOWN_ID }],
        [`no ${name}`, rest],
        [`wrong ${name}`, { ...pair, [name]: 'verify' }],
      ] as const;
      for (const [what, body] of bodies) {
        const request = `POST ${path}, ${what}`;
        // A service may accept what it should reject.
        const reply =
          path === ASSIGN
            ? await run.make(new MadeAssignment(body), path, body)
            : await run.send('POST', path, body);
        if (what.startsWith('unknown')) {
          run.decideStatus('errors.assignment', request, reply, 404);
        } else {
          run.decideRejection('assignment.ids', request, reply);
          run.decideStatus('errors.422', request, reply, 422);
        }
      }
    }
  }
}
