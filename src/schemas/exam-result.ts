import * as z from 'zod/mini';
import { id, openRecord, page, pageSize, parameters } from './fields.ts';

const decimal = /^-?\d+(\.\d+)?$/;

/** A decimal that the service sends as a text (`"87.50"`) is read as the number it is. */
export const readDecimal = (value: unknown): unknown =>
  typeof value === 'string' && decimal.test(value) ? Number(value) : value;

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
