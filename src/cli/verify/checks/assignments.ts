// Checks the claims about assignments by assigning a participant to an exam and cancelling it again.

import { findLink } from '../../../core/response/find.ts';
import { isRejectedWith } from '../../reply.ts';
import { ASSIGN, LINK, MadeAssignment, type Pair, UNASSIGN } from '../made.ts';
import type { Run } from '../run.ts';
import { UNKNOWN_ID } from './lists.ts';

/** The way of an assignment, there and back. One that is there already is cancelled only if it is an earlier run's. */
export async function checkAssignments(run: Run, pair: Pair, isOwn: boolean): Promise<void> {
  await checkRefusals(run, pair);
  const before = await run.get(LINK, pair);
  // Only a 404 says that nobody's own assignment is at stake.
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
  await checkLife(run, pair);
}

/** Assigns and cancels. */
async function checkLife(run: Run, pair: Pair): Promise<void> {
  const made = new MadeAssignment(pair);
  const assigned = await run.make(made, ASSIGN, pair);
  if (isRejectedWith(assigned, 400)) {
    // Active, verified, and below the ceiling: whether the participant is all that, the service does not show.
    run.notes.push(
      `POST ${ASSIGN} answered 400: give --participant with one who is active and verified, or --exam with one that has room.`,
    );
    return;
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
  if (run.decideStatus('unassign.200', `GET ${LINK}, cancelled`, cancelled, 404)) made.removed();
}

async function checkRefusals(run: Run, pair: Pair): Promise<void> {
  for (const path of [ASSIGN, UNASSIGN]) {
    for (const name of ['participant_id', 'exam_id'] as const) {
      const { [name]: _, ...rest } = pair;
      const bodies = [
        [`unknown ${name}`, { ...pair, [name]: UNKNOWN_ID }],
        [`no ${name}`, rest],
        [`wrong ${name}`, { ...pair, [name]: 'verify' }],
      ] as const;
      for (const [what, body] of bodies) {
        const request = `POST ${path}, ${what}`;
        // A service may take what it should refuse.
        const reply =
          path === ASSIGN
            ? await run.make(new MadeAssignment(body), path, body)
            : await run.send('POST', path, body);
        if (what.startsWith('unknown')) {
          run.decideStatus('errors.assignment', request, reply, 404);
        } else {
          run.decideRefusal('assignment.ids', request, reply);
          run.decideStatus('errors.422', request, reply, 422);
        }
      }
    }
  }
}
