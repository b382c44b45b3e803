// Schemas of exams and their requests.

import { once } from '../util/once.ts';
import { ofLists, parameters } from './parameters.ts';
import { id, page, pageSize, recordWithId } from './service-fields.ts';

/** GET /exams/{id}. */
export const exam = recordWithId;

export const examPath = once(() => parameters({ id: id() }));

/** Query of GET /exams. */
export const examsQuery = once(() => parameters({ page: page(), limit: pageSize() }, ofLists));
