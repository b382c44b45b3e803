// The handlers of the emulated operations on participants.

import { importParticipants, requireParticipant, updateParticipant } from '../domain/participants.ts';
import { answer, answerList, type Handlers, type ServiceWorld } from '../http/handler.ts';
import { importInput, listQuery, participantChanges } from '../http/inputs.ts';
import { readBody, readId, readQuery } from '../http/validation.ts';
import { participantRow } from '../styles/rows.ts';
import { styleOf } from '../styles/style-of.ts';

export function participantHandlers(world: ServiceWorld): Handlers<'participants'> {
  const { settings, store } = world;
  const style = styleOf(settings);
  return {
    'participants.import': async (c) => {
      const { participants } = await readBody(c, importInput);
      const rows = importParticipants(world, participants).map((record) => participantRow(settings, record));
      return answer(style.acknowledgement('Participants imported successfully.', rows), 201);
    },
    'participants.list': (c) => {
      const { page, limit } = readQuery(c, listQuery);
      const records = store.participants.rows;
      const rows = records
        .slice((page - 1) * limit, page * limit)
        .map((record) => participantRow(settings, record));
      return answerList(c, style, { kind: 'participant', rows, total: records.length, page, perPage: limit });
    },
    'participants.retrieve': (c) =>
      answer(style.record(participantRow(settings, requireParticipant(world, readId(c))), 'participant')),
    'participants.update': async (c) => {
      const { id } = requireParticipant(world, readId(c));
      const record = updateParticipant(world, id, await readBody(c, participantChanges));
      return answer(style.acknowledgement('Participant updated.', participantRow(settings, record)));
    },
  };
}
