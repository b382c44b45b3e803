import * as z from 'zod/mini';
import { id, parameters, webAddress } from './fields.ts';

/** Which participant and which exam (interface document, Exam assignment). */
export const assignment = parameters({ participant_id: id, exam_id: id });

/** GET /exam-participants/link: the body is not shown beyond being a unique link. */
export const examLink = z.looseObject({
  url: webAddress,
});
