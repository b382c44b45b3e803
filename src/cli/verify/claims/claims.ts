import { type Claim, section } from './claim.ts';
import { examClaims } from './exams.ts';
import { peopleClaims } from './people.ts';
import { webhookClaims } from './webhooks.ts';

/** Every claim of the service's documentation: `verify` checks a service against them. */
export const claims = {
  ...section('Authentication', {
    'auth.client-key': {
      of: '',
      by: 'read',
      says: 'Participants, assignments, exams and results take the key in `X-Client-Key`.',
    },
    'auth.bearer': { of: '', by: 'read', says: 'Webhook management takes the key as a bearer token.' },
    'auth.refused': { of: '', by: 'read', says: 'A wrong key is refused with 401 or 403.' },
    'auth.accept': { of: '', by: 'none', says: 'Requests send `Accept: application/json`.' },
    'auth.inactive': { of: '', by: 'none', says: 'An inactive client, or one without permission, gets 403.' },
  }),
  ...peopleClaims,
  ...examClaims,
  ...webhookClaims,
  ...section('Errors', {
    'errors.json': { of: 'participants.import', by: 'write', says: 'Invalid JSON is answered with 400.' },
    'errors.404': {
      of: 'participants.retrieve',
      by: 'read',
      says: 'An unknown participant is answered with 404.',
    },
    'errors.update': {
      of: 'participants.update',
      by: 'write',
      says: 'An update of an unknown participant is answered with 404.',
    },
    'errors.assignment': {
      of: 'examParticipants.assign',
      by: 'write',
      says: 'An unknown participant or exam is answered with 404, by assign and by unassign.',
    },
    'errors.422': {
      of: 'participants.import',
      by: 'write',
      says: 'Import, update, assign and unassign answer 422 to fields that are wrong or missing.',
    },
    'errors.500': {
      of: '',
      by: 'none',
      says: 'Import, update, assign and unassign may answer 500; the request can be sent again later.',
    },
  }),
  ...section('Versioning', {
    'version.prefix': { of: '', by: 'none', says: 'The version is part of the path: `/api/v1`.' },
  }),
} satisfies Record<string, Claim>;

export type ClaimId = keyof typeof claims;
