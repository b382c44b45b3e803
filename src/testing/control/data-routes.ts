import * as z from 'zod/mini';
import { exam, participant, seed } from '../emulator/seeds/seed-schema.ts';
import { fields, flag, id, number, optional, pair, score } from '../schema/input-fields.ts';
import { seedAll, seedDemo } from './fill.ts';
import { type ControlRoute, get, nothing, post } from './route.ts';

/** The routes of the control interface for the data: seeds, snapshots, and what participants do. */
export const dataRoutes: readonly ControlRoute[] = [
  post('/seed', seed, ({ control }, data) => ({
    message: 'The data was created.',
    data: seedAll(control, data),
  })),
  post('/demo', nothing, (emulator) => {
    seedDemo(emulator);
    return { message: 'The sample data was created.' };
  }),
  post('/reset', nothing, (emulator) => {
    emulator.reset();
    return { message: 'The emulator was reset.' };
  }),
  get('/state', nothing, (emulator) => ({
    message: 'A snapshot.',
    data: emulator.snapshot(),
  })),
  post('/state', z.unknown(), (emulator, snapshot) => {
    emulator.restore(snapshot);
    return { message: 'The snapshot was loaded.' };
  }),
  post('/participants/create', participant, ({ control }, values) => {
    const [created] = control.seedParticipants([values]);
    return { message: `Created participant ${created?.id}, ${created?.name}.`, data: created };
  }),
  post('/exams/create', exam, ({ control }, values) => {
    const [created] = control.seedExams([values]);
    return { message: `Created exam ${created?.id}, ${created?.name}.`, data: created };
  }),
  post('/exams/assign', pair, ({ control }, ids) => ({
    message: `Assigned participant ${ids.participant_id} to exam ${ids.exam_id}.`,
    data: control.assign(ids),
  })),
  post('/exams/unassign', pair, ({ control }, ids) => {
    control.unassign(ids);
    return { message: `Unassigned participant ${ids.participant_id} from exam ${ids.exam_id}.` };
  }),
  post('/exams/start', pair, ({ control }, ids) => ({
    message: `Participant ${ids.participant_id} started exam ${ids.exam_id}.`,
    data: control.startExam(ids),
  })),
  post('/exams/finish', fields({ ...pair.shape, score: optional(score) }), ({ control }, pair) => {
    const result = control.finishExam(pair);
    const message = `Participant ${pair.participant_id} finished exam ${pair.exam_id}: result ${result.id}, ${result.score === null ? 'no score yet' : `score ${result.score}`}.`;
    return { message, data: result };
  }),
  post('/results/rescore', fields({ result_id: id, score: number }), ({ control }, { result_id, score }) => ({
    message: `Result ${result_id} has the score ${score}.`,
    data: control.rescore(result_id, score),
  })),
  post(
    '/participants/state',
    fields({ participant_id: id, active: optional(flag), verified: optional(flag) }),
    ({ control }, { participant_id, ...state }) => ({
      message: `Participant ${participant_id} was changed.`,
      data: control.setParticipant(participant_id, state),
    }),
  ),
];
