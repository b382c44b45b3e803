import * as z from 'zod/mini';
import { exam, participant, seed } from '../emulator/seeds/seed-schema.ts';
import { fields, flag, id, number, optional, pair, score } from '../schema/fields.ts';
import { seedAll, seedDemo } from './fill.ts';
import { type ControlRoute, get, nothing, post } from './route.ts';

/** The routes of the control interface for the data: seeds, snapshots, and what participants do. */
export const dataRoutes: readonly ControlRoute[] = [
  post('/seed', 'Create data, regardless of the rules and without events', seed, ({ control }, data) => ({
    message: 'The data was created.',
    data: seedAll(control, data),
  })),
  post('/demo', 'Create sample data', nothing, ({ control }) => {
    seedDemo(control);
    return { message: 'The sample data was created.' };
  }),
  post('/reset', 'Clear everything and revert changed settings', nothing, (emulator) => {
    emulator.reset();
    return { message: 'The emulator was reset.' };
  }),
  get('/state', 'Get a snapshot of all data, including passwords and secrets', nothing, (emulator) => ({
    message: 'A snapshot.',
    data: emulator.snapshot(),
  })),
  post('/state', 'Reset, then load the data from GET /state', z.unknown(), (emulator, snapshot) => {
    emulator.restore(snapshot);
    return { message: 'The snapshot was loaded.' };
  }),
  post('/participants/create', 'Create a participant', participant, ({ control }, values) => {
    const [created] = control.seedParticipants([values]);
    return { message: `Created participant ${created?.id}, ${created?.name}.`, data: created };
  }),
  post('/exams/create', 'Create an exam', exam, ({ control }, values) => {
    const [created] = control.seedExams([values]);
    return { message: `Created exam ${created?.id}, ${created?.name}.`, data: created };
  }),
  post(
    '/exams/assign',
    'Assign a participant to an exam by the rules of the service',
    pair,
    ({ control }, ids) => ({
      message: `Assigned participant ${ids.participant_id} to exam ${ids.exam_id}.`,
      data: control.assign(ids),
    }),
  ),
  post('/exams/unassign', 'Cancel an assignment by the rules of the service', pair, ({ control }, ids) => {
    control.unassign(ids);
    return { message: `Unassigned participant ${ids.participant_id} from exam ${ids.exam_id}.` };
  }),
  post('/exams/start', 'A participant starts an assigned exam', pair, ({ control }, ids) => ({
    message: `Participant ${ids.participant_id} started exam ${ids.exam_id}.`,
    data: control.startExam(ids),
  })),
  post(
    '/exams/finish',
    'A participant finishes a started exam, with a score',
    fields({ ...pair.shape, score: optional(score) }),
    ({ control }, pair) => {
      const result = control.finishExam(pair);
      const message = `Participant ${pair.participant_id} finished exam ${pair.exam_id}: result ${result.id}, ${result.score === null ? 'no score yet' : `score ${result.score}`}.`;
      return { message, data: result };
    },
  ),
  post(
    '/results/rescore',
    'Change the score of a result',
    fields({ result_id: id, score: number }),
    ({ control }, { result_id, score }) => ({
      message: `Result ${result_id} has the score ${score}.`,
      data: control.rescore(result_id, score),
    }),
  ),
  post(
    '/participants/state',
    'Activate or deactivate a participant, or set whether the email is verified',
    fields({ participant_id: id, active: optional(flag), verified: optional(flag) }),
    ({ control }, { participant_id, ...state }) => ({
      message: `Participant ${participant_id} was changed.`,
      data: control.setParticipant(participant_id, state),
    }),
  ),
];
