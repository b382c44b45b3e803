// The documentation's claims about participants and their assignments to exams.

import { section } from './claim.ts';

/** Participants and their assignments to exams. */
export const peopleClaims = {
  ...section('Resources, Participant', {
    'participant.id': {
      of: 'participants.list',
      by: 'read',
      says: 'A participant has an `id`, a unique integer.',
    },
    'participant.email': {
      of: 'participants.import',
      by: 'write',
      says: 'An email is that of one participant: importing it again makes no second one.',
    },
    'participant.password': {
      of: 'participants.update',
      by: 'write',
      says: '`password` is accepted by an update.',
    },
    'participant.assignable': {
      of: 'examParticipants.assign',
      by: 'none',
      says: 'Only an active participant with a verified email can be assigned.',
    },
  }),
  ...section('Endpoints, Participants', {
    'import.201': {
      of: 'participants.import',
      by: 'write',
      says: 'An import is answered with 201, of unknown and of known emails.',
    },
    'import.required': {
      of: 'participants.import',
      by: 'write',
      says: '`participants` holds at least one item, each with `email`, `name` and `password`.',
    },
    'retrieve.200': {
      of: 'participants.retrieve',
      by: 'read',
      says: 'A participant is answered with 200, by its id.',
    },
    'update.200': { of: 'participants.update', by: 'write', says: 'An update is answered with 200.' },
    'update.partial': { of: 'participants.update', by: 'write', says: 'Only supplied fields change.' },
    'participants.200': {
      of: 'participants.list',
      by: 'read',
      says: 'The list of participants is answered with 200.',
    },
  }),
  ...section('States and transitions, Exam assignment', {
    'assign.201': {
      of: 'examParticipants.assign',
      by: 'write',
      says: 'An assignment is answered with 201.',
    },
    'assign.once': {
      of: 'examParticipants.assign',
      by: 'write',
      says: 'A participant can be registered to an exam only once: the second time is answered with 400.',
    },
    'unassign.200': {
      of: 'examParticipants.unassign',
      by: 'write',
      says: 'Cancelling an assignment is answered with 200, and it is gone.',
    },
    'unassign.unregistered': {
      of: 'examParticipants.unassign',
      by: 'write',
      says: 'Cancelling what is not assigned is answered with 400.',
    },
    'unassign.started': {
      of: 'examParticipants.unassign',
      by: 'none',
      says: 'An exam that has been started stays assigned: cancelling is answered with 400.',
    },
  }),
  ...section('Endpoints, Exam assignment', {
    'assignment.ids': {
      of: 'examParticipants.assign',
      by: 'write',
      says: '`participant_id` and `exam_id` are required integers, of assign and of unassign.',
    },
    'link.200': {
      of: 'examParticipants.link',
      by: 'write',
      says: 'The link of an assigned participant is answered with 200.',
    },
    'link.404': {
      of: 'examParticipants.link',
      by: 'read',
      says: 'The link of an unknown participant or exam is answered with 404.',
    },
    'link.unassigned': {
      of: 'examParticipants.link',
      by: 'write',
      says: 'The link of a participant who is not assigned is answered with 404.',
    },
    'link.required': {
      of: 'examParticipants.link',
      by: 'read',
      says: '`participant_id` and `exam_id` are required.',
    },
  }),
};
