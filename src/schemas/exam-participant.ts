// Schemas of assignments and of the link to an exam.

import { once } from '../util/once.ts';
import { parameters } from './parameters.ts';
import { id, openObject, webAddress } from './service-fields.ts';

/** Body of POST /exam-participants/assign and /unassign, query of GET /exam-participants/link. */
export const assignment = once(() => parameters({ participant_id: id(), exam_id: id() }));

/** GET /exam-participants/link: the service documents nothing of the body but that it contains a unique link. */
export const examLink = once(() => openObject({ url: webAddress() }));
