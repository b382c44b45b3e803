// The error responses that openapi.json lists for an operation.

import type { Operation } from '../../src/core/operation.ts';

/** A documented error of the service. */
interface Failure {
  readonly status: number;
  readonly appliesTo: (operation: Operation) => boolean;
  readonly condition: string;
}

const IMPORTING = 'participants.import';
const UPDATING = 'participants.update';
const ASSIGNING = 'examParticipants.assign';
const UNASSIGNING = 'examParticipants.unassign';

const only =
  (...ids: string[]) =>
  ({ id }: Operation) =>
    ids.includes(id);

const failures: readonly Failure[] = [
  {
    status: 400,
    appliesTo: only(IMPORTING),
    condition: 'The JSON is not valid, or there would be more participants than allowed after the import.',
  },
  {
    status: 400,
    appliesTo: only(ASSIGNING),
    condition:
      'The participant is not active, has not verified the email or is registered for the exam already, or the exam has as many participants as allowed.',
  },
  {
    status: 400,
    appliesTo: only(UNASSIGNING),
    condition: 'The participant is not registered for the exam, or has started it already.',
  },
  {
    status: 401,
    appliesTo: ({ auth }) => auth === 'clientKey',
    condition: 'The key is not valid or not active.',
  },
  {
    status: 403,
    appliesTo: () => true,
    condition:
      'The client is not valid or not active, the key is wrong or expired, or there is no permission.',
  },
  {
    status: 404,
    appliesTo: only(ASSIGNING, UNASSIGNING),
    condition: 'There is no participant or no exam with the given id.',
  },
  {
    status: 404,
    appliesTo: only('examParticipants.link'),
    condition: 'The participant is not assigned to the exam, or there is no such participant or exam.',
  },
  {
    status: 404,
    appliesTo: only('participants.retrieve', UPDATING),
    condition: 'There is no participant with the given id.',
  },
  {
    status: 422,
    appliesTo: only(IMPORTING, UPDATING, ASSIGNING, UNASSIGNING),
    condition: 'The data sent is malformed or incomplete.',
  },
  {
    status: 500,
    appliesTo: only(IMPORTING, UPDATING, ASSIGNING, UNASSIGNING),
    condition: 'The service failed; try again later.',
  },
];

/** The statuses with which an operation is documented to fail, each once, and when. */
export function documentedFailures(operation: Operation): readonly Failure[] {
  return failures.filter(({ appliesTo }) => appliesTo(operation));
}
