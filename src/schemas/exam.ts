import * as z from 'zod/mini';
import { id, page, pageSize } from './fields.ts';
import { parameters, recordWithId } from './records.ts';

/** GET /exams/{id} (interface document, Resources, Exam). */
export const exam = recordWithId;

export const examPath = parameters({ id });

/** GET /exams (interface document, Exams and results). */
export const examsQuery = parameters({ page: z.optional(page), limit: z.optional(pageSize) });
