// The handlers of the emulated operations on assignments and links.

import { assign, examLink, unassign } from '../../domain/assignments.ts';
import type { World } from '../../domain/world.ts';
import { styles } from '../../laravel/styles/styles.ts';
import { pairForm } from './forms.ts';
import { type Handlers, inputOf, jsonResponse } from './handler.ts';

export function examParticipantHandlers(world: World): Handlers<'examParticipants'> {
  const style = () => styles[world.settings.style];
  return {
    'examParticipants.assign': async (c) => {
      const { id, participant_id, exam_id } = assign(world, await inputOf(c, pairForm));
      return jsonResponse(
        style().acknowledgement('Participant assigned to exam.', { id, participant_id, exam_id }),
        201,
      );
    },
    'examParticipants.unassign': async (c) => {
      unassign(world, await inputOf(c, pairForm));
      return jsonResponse(style().acknowledgement('Participant unassigned from exam.'));
    },
    'examParticipants.link': async (c) =>
      jsonResponse(style().link(examLink(world, await inputOf(c, pairForm)))),
  };
}
