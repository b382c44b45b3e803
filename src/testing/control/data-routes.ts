// The routes of the control interface for the data: seeds, snapshots, and what participants do.

import * as z from 'zod/mini';
import { exam, participant, seed } from '../emulator/seeds/seed-schema.ts';
import {
  described,
  fields,
  flag,
  id,
  number,
  optional,
  pair,
  participantId,
  score,
} from '../schema/input-fields.ts';
import { seedAll, seedDemo } from './fill.ts';
import { type ControlRoute, get, nothing, post, postLosingData } from './route.ts';

const savedState = described(z.unknown(), 'With a file that `GET /state` gave.');
const everything = described(nothing, 'Clears all data, requests and faults, and reverts the settings.');
const participantState = fields({
  participant_id: participantId,
  active: described(optional(flag), 'Whether the participant is active.'),
  verified: described(optional(flag), 'Whether the email is verified.'),
});
const finishedPair = fields({
  ...pair.shape,
  score: described(optional(score), 'Left out or null: no score yet.'),
});
const newScore = fields({
  result_id: described(id, 'Id of the result.'),
  score: described(number, 'The new score.'),
});

export const dataRoutes: readonly ControlRoute[] = [
  post('/seed', 'Add a seed', seed, ({ control }, data) => ({
    message: 'The data was created.',
    data: seedAll(control, data),
  })),
  post('/demo', 'Load sample data', nothing, (emulator) => {
    seedDemo(emulator);
    return { message: 'The sample data was created.' };
  }),
  get('/state', 'Save all data', nothing, ({ snapshot }) => ({ message: 'A snapshot.', data: snapshot() })),
  postLosingData('/state', 'Replace all data', savedState, (emulator, snapshot) => {
    emulator.restore(snapshot);
    return { message: 'The snapshot was loaded.' };
  }),
  postLosingData('/reset', 'Start over', everything, (emulator) => {
    emulator.reset();
    return { message: 'The emulator was reset.' };
  }),
  post('/participants/create', 'Add a participant', participant, ({ control }, values) => {
    const [created] = control.seedParticipants([values]);
    return { message: `Created participant ${created?.id}, ${created?.name}.`, data: created };
  }),
  post(
    '/participants/state',
    'Change state',
    participantState,
    ({ control }, { participant_id, ...state }) => ({
      message: `Participant ${participant_id} was changed.`,
      data: control.setParticipant(participant_id, state),
    }),
  ),
  post('/exams/create', 'Add an exam', exam, ({ control }, values) => {
    const [created] = control.seedExams([values]);
    return { message: `Created exam ${created?.id}, ${created?.name}.`, data: created };
  }),
  post('/exams/assign', 'Assign a participant', pair, ({ control }, ids) => ({
    message: `Assigned participant ${ids.participant_id} to exam ${ids.exam_id}.`,
    data: control.assign(ids),
  })),
  post('/exams/start', 'Start exam', pair, ({ control }, ids) => ({
    message: `Participant ${ids.participant_id} started exam ${ids.exam_id}.`,
    data: control.startExam(ids),
  })),
  post('/exams/finish', 'Finish exam', finishedPair, ({ control }, pair) => {
    const result = control.finishExam(pair);
    const message = `Participant ${pair.participant_id} finished exam ${pair.exam_id}: result ${result.id}, ${result.score === null ? 'no score yet' : `score ${result.score}`}.`;
    return { message, data: result };
  }),
  post('/exams/unassign', 'Unassign', pair, ({ control }, ids) => {
    control.unassign(ids);
    return { message: `Unassigned participant ${ids.participant_id} from exam ${ids.exam_id}.` };
  }),
  post('/results/rescore', 'Score again', newScore, ({ control }, { result_id, score }) => ({
    message: `Result ${result_id} has the score ${score}.`,
    data: control.rescore(result_id, score),
  })),
];
