import { examId, pages } from '../fields.ts';
import type { Group } from './group.ts';

/** What openapi.json says of the operations of exams and results. */
export const exams: Group = {
  'exams.list': {
    summary: 'List exams',
    description: 'Every exam of the project, page by page.',
    success: 'A page of all exams.',
    fields: pages,
    example: { send: 'GET /exams' },
  },
  'exams.retrieve': {
    summary: 'Read one exam',
    description:
      'The service does not document the type of `id` in this path; the `id` of an exam is an integer.',
    success: 'The exam.',
    fields: { id: examId },
    example: { send: 'GET /exams/3' },
  },
  'examResults.list': {
    summary: 'List exam results',
    description: 'The two filters may be combined.',
    success: 'A page of exam results.',
    fields: {
      ...pages,
      participant_id: { description: 'Only results of this participant.', format: 'int64' },
      exam_id: { description: 'Only results of this exam.' },
    },
    example: { send: 'GET /exam-results' },
  },
};
