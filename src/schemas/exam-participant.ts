import { id, webAddress } from './fields.ts';
import { parameters, record } from './records.ts';

/** Which participant and which exam (interface document, Exam assignment). */
export const assignment = parameters({ participant_id: id, exam_id: id });

/** GET /exam-participants/link: the body is not shown beyond being a unique link. */
export const examLink = record({ url: webAddress });
