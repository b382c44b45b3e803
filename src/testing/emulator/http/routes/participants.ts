// The handlers of the emulated operations on participants.

import { importParticipants, requireParticipant, updateParticipant } from '../../domain/participants.ts';
import type { World } from '../../domain/world.ts';
import { participantRow } from '../../laravel/styles/rows.ts';
import { styles } from '../../laravel/styles/styles.ts';
import { importForm, listForm, participantChangesForm } from './forms.ts';
import { type Handlers, idIn, inputOf, jsonResponse, listResponse } from './handler.ts';

export function participantHandlers(world: World): Handlers<'participants'> {
  const { settings, store } = world;
  const style = styles[settings.style];
  return {
    'participants.import': async (c) => {
      const { participants } = await inputOf(c, importForm);
      const { records, created } = importParticipants(world, participants);
      const data =
        settings.importResponse === 'records'
          ? records.map((record) => participantRow(settings, record))
          : { created, updated: records.length - created };
      return jsonResponse(style.acknowledgement('Participants imported successfully.', data), 201);
    },
    'participants.list': async (c) => {
      const { page, perPage } = await inputOf(c, listForm);
      const records = store.participants.rows;
      const rows = records
        .slice((page - 1) * perPage, page * perPage)
        .map((record) => participantRow(settings, record));
      return listResponse(c, style, { rows, total: records.length, page, perPage });
    },
    'participants.retrieve': (c) =>
      jsonResponse(style.record(participantRow(settings, requireParticipant(world, idIn(c))))),
    'participants.update': async (c) => {
      const { id } = requireParticipant(world, idIn(c));
      const record = updateParticipant(world, id, await inputOf(c, participantChangesForm));
      return jsonResponse(style.acknowledgement('Participant updated.', participantRow(settings, record)));
    },
  };
}
