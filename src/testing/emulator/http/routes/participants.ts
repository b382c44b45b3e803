// The handlers of the emulated operations on participants.

import { importParticipants, requireParticipant, updateParticipant } from '../../domain/participants.ts';
import type { World } from '../../domain/world.ts';
import { participantRow } from '../../laravel/styles/rows.ts';
import { styles } from '../../laravel/styles/styles.ts';
import type { ParticipantRecord } from '../../state/records.ts';
import { importForm, listForm, participantChangesForm } from './forms.ts';
import { type Handlers, idIn, inputOf, jsonResponse, listResponse } from './handler.ts';

export function participantHandlers(world: World): Handlers<'participants'> {
  const { settings, store } = world;
  const style = () => styles[settings.style];
  const row = (record: ParticipantRecord) => participantRow(settings, record);
  return {
    'participants.import': async (c) => {
      const { participants } = await inputOf(c, importForm);
      const { records, created } = importParticipants(world, participants);
      const data =
        settings.importResponse === 'records'
          ? records.map(row)
          : { created, updated: records.length - created };
      return jsonResponse(style().acknowledgement('Participants imported successfully.', data), 201);
    },
    'participants.list': async (c) => {
      const { page, limit: perPage } = await inputOf(c, listForm);
      return listResponse(c, style(), { page, perPage }, { records: store.participants.rows, row });
    },
    'participants.retrieve': (c) => jsonResponse(style().record(row(requireParticipant(world, idIn(c))))),
    'participants.update': async (c) => {
      const { id } = requireParticipant(world, idIn(c));
      const record = updateParticipant(world, id, await inputOf(c, participantChangesForm));
      return jsonResponse(style().acknowledgement('Participant updated.', row(record)));
    },
  };
}
