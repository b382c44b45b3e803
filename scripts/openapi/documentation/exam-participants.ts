import { pair as pairFields } from '../fields.ts';
import { free, nobody, pair } from '../samples.ts';
import type { Group } from './group.ts';

/** What openapi.json says of the operations of assignment. */
export const examParticipants: Group = {
  'examParticipants.assign': {
    summary: 'Assign a participant to an exam',
    description:
      'The participant must be active, with a verified email, and not registered for the exam yet.',
    success: 'The participant is assigned.',
    example: { send: 'POST /exam-participants/assign', body: free },
    rejected: {
      400: { send: 'POST /exam-participants/assign', body: pair },
      404: { send: 'POST /exam-participants/assign', body: nobody },
      422: { send: 'POST /exam-participants/assign', body: {} },
    },
  },
  'examParticipants.unassign': {
    summary: 'Cancel an assignment',
    description: 'Possible as long as the participant has not started the exam.',
    success: 'The participant is not assigned any more.',
    example: { send: 'POST /exam-participants/unassign', body: pair },
    rejected: {
      400: { send: 'POST /exam-participants/unassign', body: free },
      404: { send: 'POST /exam-participants/unassign', body: nobody },
      422: { send: 'POST /exam-participants/unassign', body: {} },
    },
  },
  'examParticipants.link': {
    summary: 'Get the link to an exam',
    description:
      'Anyone who has the link can take the exam as this participant: keep it as you keep a password.',
    success: 'A unique link by which the participant takes the exam.',
    fields: pairFields,
    example: { send: 'GET /exam-participants/link?participant_id=7&exam_id=3' },
    rejected: {
      404: { send: 'GET /exam-participants/link?participant_id=8&exam_id=4' },
    },
  },
};
