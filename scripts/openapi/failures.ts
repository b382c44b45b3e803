// The error responses that openapi.json lists for an operation.

import type { Operation } from '../../src/core/operation.ts';

/** A documented error of the service. */
type Failure = readonly [status: number, appliesTo: (operation: Operation) => boolean, condition: string];

const IMPORTING = 'participants.import';
const UPDATING = 'participants.update';
const ASSIGNING = 'examParticipants.assign';
const UNASSIGNING = 'examParticipants.unassign';

const only =
  (...ids: string[]) =>
  ({ id }: Operation) =>
    ids.includes(id);

const failures: readonly Failure[] = [
  [
    400,
    only(IMPORTING),
    'The JSON is not valid, or there would be more participants than allowed after the import.',
  ],
  [
    400,
    only(ASSIGNING),
    'The participant is not active, has not verified the email or is registered for the exam already, or the exam has as many participants as allowed.',
  ],
  [400, only(UNASSIGNING), 'The participant is not registered for the exam, or has started it already.'],
  [401, ({ auth }) => auth === 'clientKey', 'The key is not valid or not active.'],
  [
    403,
    () => true,
    'The client is not valid or not active, the key is wrong or expired, or there is no permission.',
  ],
  [404, only(ASSIGNING, UNASSIGNING), 'There is no participant or no exam with the given id.'],
  [
    404,
    only('examParticipants.link'),
    'The participant is not assigned to the exam, or there is no such participant or exam.',
  ],
  [404, only('participants.retrieve', UPDATING), 'There is no participant with the given id.'],
  [422, only(IMPORTING, UPDATING, ASSIGNING, UNASSIGNING), 'The data sent is malformed or incomplete.'],
  [500, only(IMPORTING, UPDATING, ASSIGNING, UNASSIGNING), 'The service failed; try again later.'],
];

/** The statuses with which an operation is documented to fail, each once, and when. */
export function documentedFailures(operation: Operation): readonly Failure[] {
  return failures.filter(([, appliesTo]) => appliesTo(operation));
}
