import { seedDemo } from '../emulator/demo.ts';
import { pair } from './fields.ts';
import * as inputs from './inputs.ts';
import { type ControlRoute, get, post } from './route.ts';
import { seedAll } from './seed-all.ts';
import { seed } from './seed-input.ts';

/** Routes for the data. */
export const dataRoutes: readonly ControlRoute[] = [
  post('/seed', 'Put data in place, past every rule and without an event', seed, ({ control }, data) => ({
    message: 'The data is in place.',
    data: seedAll(control, data),
  })),
  post('/demo', 'Put a made-up examination in place', inputs.nothing, ({ control }) => {
    seedDemo(control);
    return { message: 'A made-up examination is in place.' };
  }),
  post('/reset', 'Forget everything, and take changes of settings back', inputs.nothing, (emulator) => {
    emulator.reset();
    return { message: 'Everything is as at the start.' };
  }),
  get(
    '/state',
    'Everything that the emulator holds, passwords and secrets included',
    inputs.nothing,
    (emulator) => ({
      message: 'A snapshot.',
      data: emulator.snapshot(),
    }),
  ),
  post(
    '/state',
    'Reset, and take over what GET /state gave as data',
    inputs.anything,
    (emulator, snapshot) => {
      emulator.restore(snapshot);
      return { message: 'The snapshot is in place.' };
    },
  ),
  post('/exams/start', 'A participant starts an assigned exam', pair, ({ control }, ids) => ({
    message: `Participant ${ids.participant_id} started exam ${ids.exam_id}.`,
    data: control.startExam(ids),
  })),
  post(
    '/exams/finish',
    'A participant finishes a started exam, with a score',
    inputs.finishedPair,
    ({ control }, pair) => {
      const result = control.finishExam(pair);
      const message = `Participant ${pair.participant_id} finished exam ${pair.exam_id}: result ${result.id}, score ${result.score}.`;
      return { message, data: result };
    },
  ),
  post(
    '/results/rescore',
    'A result gets another score',
    inputs.rescoredResult,
    ({ control }, { result_id, score }) => ({
      message: `Result ${result_id} has the score ${score}.`,
      data: control.rescore(result_id, score),
    }),
  ),
  post(
    '/participants/state',
    'Activate or deactivate a participant, verify the email or take that back',
    inputs.participantState,
    ({ control }, { participant_id, ...state }) => ({
      message: `Participant ${participant_id} is changed.`,
      data: control.setParticipant(participant_id, state),
    }),
  ),
  post(
    '/webhooks/test',
    'Queue a test delivery',
    inputs.testDelivery,
    ({ control }, { endpoint_id, event }) => {
      control.testDelivery(endpoint_id, event);
      return { message: `Queued a test delivery to endpoint ${endpoint_id}.` };
    },
  ),
];
