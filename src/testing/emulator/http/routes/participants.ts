// The handlers of the emulated operations on participants.

import { importParticipants, requireParticipant, updateParticipant } from '../../domain/participants.ts';
import type { World } from '../../domain/world.ts';
import { participantRow } from '../../laravel/styles/rows.ts';
import { styleOf } from '../../laravel/styles/styles.ts';
import { importForm, listForm, participantChangesForm } from './forms.ts';
import { type Handlers, idIn, inputOf, jsonResponse, listResponse } from './handler.ts';

export function participantHandlers(world: World): Handlers<'participants'> {
  const { settings, store } = world;
  const style = styleOf(settings);
  return {
    'participants.import': async (c) => {
      const { participants } = await inputOf(c, importForm, world);
      const { records, created } = importParticipants(world, participants);
      const data =
        settings.importAnswers === 'records'
          ? records.map((record) => participantRow(settings, record))
          : { created, updated: records.length - created };
      return jsonResponse(style.acknowledgement('Participants imported successfully.', data), 201);
    },
    'participants.list': async (c) => {
      const { page, perPage } = await inputOf(c, listForm, world);
      const records = store.participants.rows;
      const rows = records
        .slice((page - 1) * perPage, page * perPage)
        .map((record) => participantRow(settings, record));
      return listResponse(c, style, { kind: 'participant', rows, total: records.length, page, perPage });
    },
    'participants.retrieve': (c) =>
      jsonResponse(style.record(participantRow(settings, requireParticipant(world, idIn(c))), 'participant')),
    'participants.update': async (c) => {
      const { id } = requireParticipant(world, idIn(c));
      const record = updateParticipant(world, id, await inputOf(c, participantChangesForm, world));
      return jsonResponse(style.acknowledgement('Participant updated.', participantRow(settings, record)));
    },
  };
}
