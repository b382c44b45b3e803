import * as z from 'zod/mini';
import { readDecimal } from './decimal.ts';
import { id, openRecord, page, pageSize, parameters } from './fields.ts';

/** One item of GET /exam-results; its fields are not shown (interface document, Exam result). */
export const examResult = z.pipe(
  openRecord,
  z.transform((record: Record<string, unknown>) => {
    const score = readDecimal(record['score']);
    return score === record['score'] ? record : { ...record, score };
  }),
);

/** GET /exam-results (interface document, Exams and results). */
export const examResultsQuery = parameters({
  page: z.optional(page),
  limit: z.optional(pageSize),
  participant_id: z.optional(id),
  exam_id: z.optional(id),
});
