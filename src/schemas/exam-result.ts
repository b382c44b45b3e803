import * as z from 'zod/mini';
import { readDecimal } from './decimal.ts';
import { id, page, pageSize } from './fields.ts';
import { object, parameters, reading } from './records.ts';

/** One item of GET /exam-results; its fields are not shown (interface document, Exam result). */
export const examResult = object<Record<string, unknown>>(reading({ score: readDecimal }));

/** GET /exam-results (interface document, Exams and results). */
export const examResultsQuery = parameters({
  page: z.optional(page),
  limit: z.optional(pageSize),
  participant_id: z.optional(id),
  exam_id: z.optional(id),
});
