// The documentation's claims about exams, results and how their lists are paged.

import { section } from './claim.ts';

/** Exams, results, and how their lists are paged. */
export const examClaims = {
  ...section('Resources, Exam', {
    'exam.id': { of: 'exams.list', by: 'read', says: 'An exam has an `id`, a unique integer.' },
  }),
  ...section('Endpoints, Exams and results', {
    'exams.200': { of: 'exams.list', by: 'read', says: 'The list of exams is answered with 200, in pages.' },
    'exams.retrieve': { of: 'exams.retrieve', by: 'read', says: 'An exam is answered with 200, by its id.' },
    'examResults.200': {
      of: 'examResults.list',
      by: 'read',
      says: 'The list of results is answered with 200, in pages.',
    },
    'examResults.participant': {
      of: 'examResults.list',
      by: 'read',
      says: '`participant_id` leaves the results of one participant.',
    },
    'examResults.exam': {
      of: 'examResults.list',
      by: 'read',
      says: '`exam_id` leaves the results of one exam.',
    },
    'examResults.both': { of: 'examResults.list', by: 'read', says: 'Both filters may be combined.' },
  }),
  ...section('Limits', {
    'exams.limit': { of: 'exams.list', by: 'read', says: '`limit` of exams is from 1 to 100.' },
    'exams.default': { of: 'exams.list', by: 'read', says: '`limit` of exams is 10 by default.' },
    'exams.page': { of: 'exams.list', by: 'read', says: '`page` of exams is at least 1, and 1 by default.' },
    'examResults.limit': { of: 'examResults.list', by: 'read', says: '`limit` of results is from 1 to 100.' },
    'examResults.default': {
      of: 'examResults.list',
      by: 'read',
      says: '`limit` of results is 10 by default.',
    },
    'examResults.page': {
      of: 'examResults.list',
      by: 'read',
      says: '`page` of results is at least 1, and 1 by default.',
    },
    'limits.participants': {
      of: 'participants.import',
      by: 'none',
      says: 'There is a ceiling on the number of participants: an import beyond it is answered with 400.',
    },
    'limits.per-exam': {
      of: 'examParticipants.assign',
      by: 'none',
      says: 'There is a ceiling on the participants of an exam: an assignment beyond it is answered with 400.',
    },
  }),
  ...section('Resources, Exam result', {
    'result.payload': {
      of: 'webhooks.deliveries',
      by: 'write',
      says: '`data` of `exam_result.completed` has the eleven documented fields, of the documented types.',
    },
    'result.status': {
      of: 'examResults.list',
      by: 'none',
      says: 'The status 2 is that of a finished exam, as its label says.',
    },
  }),
};
