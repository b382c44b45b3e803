// Schemas of exams and their requests.

import { id, page, pageSize, recordWithId } from './fields.ts';
import { ofLists, parameters } from './parameters.ts';

/** GET /exams/{id}. */
export const exam = recordWithId;

export const examPath = parameters({ id });

/** Query of GET /exams. */
export const examsQuery = parameters({ page, limit: pageSize }, ofLists);
