// Schemas of exams and their requests.

import * as z from 'zod/mini';
import { id, page, pageSize, recordWithId } from './fields.ts';
import { parameters } from './parameters.ts';

/** GET /exams/{id}. */
export const exam = recordWithId;

export const examPath = parameters({ id });

/** Query of GET /exams. */
export const examsQuery = parameters({ page: z.optional(page), limit: z.optional(pageSize) });
