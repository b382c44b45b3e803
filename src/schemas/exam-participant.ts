import * as z from 'zod/mini';
import { id, webAddress } from './fields.ts';
import { parameters } from './parameters.ts';

/** Which participant and which exam (interface document, Exam assignment). */
export const assignment = parameters({ participant_id: id, exam_id: id });

/** GET /exam-participants/link: the body is not shown beyond being a unique link. */
export const examLink = z.looseObject({ url: webAddress }, 'must be an object');
