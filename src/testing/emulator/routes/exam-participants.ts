// The handlers of the emulated operations on assignments and links.

import { assign, examLink, unassign } from '../domain/assignments.ts';
import { answer, type Handlers, type ServiceWorld } from '../http/handler.ts';
import { linkQuery, pairInput } from '../http/inputs.ts';
import { readBody, readQuery } from '../http/validation.ts';
import { styleOf } from '../styles/style-of.ts';

export function examParticipantHandlers(world: ServiceWorld): Handlers<'examParticipants'> {
  const style = styleOf(world.settings);
  return {
    'examParticipants.assign': async (c) => {
      assign(world, await readBody(c, pairInput));
      return answer(style.acknowledgement('Participant assigned.'), 201);
    },
    'examParticipants.unassign': async (c) => {
      unassign(world, await readBody(c, pairInput));
      return answer(style.acknowledgement('Participant unassigned.'));
    },
    'examParticipants.link': (c) => answer(style.link(examLink(world, readQuery(c, linkQuery)))),
  };
}
