import { importParticipants, requireParticipant, updateParticipant } from '../domain/participants.ts';
import { answer, type Handlers, listUrl, type ServiceWorld } from '../http/handler.ts';
import { importInput, listQuery, participantChanges } from '../http/inputs.ts';
import { readBody, readId, readQuery } from '../http/validation.ts';
import { participantRow } from '../styles/rows.ts';
import { styles } from '../styles/style.ts';

export function participantHandlers(world: ServiceWorld): Handlers<'participants'> {
  const { settings, store } = world;
  const style = styles[settings.style];
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
      return answer(style.list({ rows, total: records.length, page, perPage: limit, url: listUrl(c) }));
    },
    'participants.retrieve': (c) =>
      answer(style.record(participantRow(settings, requireParticipant(world, readId(c))))),
    'participants.update': async (c) => {
      const { id } = requireParticipant(world, readId(c));
      const record = updateParticipant(world, id, await readBody(c, participantChanges));
      return answer(style.acknowledgement('Participant updated.', participantRow(settings, record)));
    },
  };
}
