import { participantId } from '../fields.ts';
import { row } from '../samples.ts';
import type { Group } from './group.ts';

/** What openapi.json says of the operations of participants. */
export const participants: Group = {
  'participants.import': {
    summary: 'Import participants',
    description: 'Creates a participant for an unknown email and updates the participant for a known one.',
    success: 'The participants were imported or updated.',
    example: { send: 'POST /participants/import', body: { participants: [row] } },
    rejected: {
      400: { send: 'POST /participants/import', body: '{' },
      422: { send: 'POST /participants/import', body: { participants: [{ name: 'Ada' }] } },
    },
  },
  'participants.list': {
    summary: 'List participants',
    description:
      'The service documents no parameters here: `page` and `limit` are those of its other lists, and there may be more.',
    success: 'Participants.',
    fields: {
      page: { description: 'Page number. The service does not document it here.' },
      limit: { description: 'Items per page. The service does not document it here.' },
    },
    example: { send: 'GET /participants' },
  },
  'participants.retrieve': {
    summary: 'Read one participant',
    description: 'The record of the participant. Only its `id` is documented.',
    success: 'The participant.',
    fields: { id: participantId },
    example: { send: 'GET /participants/7' },
    rejected: { 404: { send: 'GET /participants/99' } },
  },
  'participants.update': {
    summary: 'Update one participant',
    description: 'Only the fields that are sent change.',
    success: 'The participant was updated.',
    fields: { id: participantId },
    example: { send: 'PUT /participants/7', body: { name: 'Ada King' } },
    rejected: {
      404: { send: 'PUT /participants/99', body: { name: 'Nobody' } },
      422: { send: 'PUT /participants/7', body: { name: '' } },
    },
  },
};
