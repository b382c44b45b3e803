import { expect, test } from 'vitest';
import {
  at,
  fieldErrors,
  pair,
  type Service,
  seedPair,
  startService,
  startWithPair,
  textAt,
} from './helpers.ts';

const ASSIGN = '/exam-participants/assign';
const UNASSIGN = '/exam-participants/unassign';
const LINK = '/exam-participants/link?participant_id=1&exam_id=1';

const inactive = (service: Service) => service.emulator.control.setParticipant(1, { active: false });
const unverified = (service: Service) => service.emulator.control.setParticipant(1, { verified: false });
const assigned = (service: Service) => service.emulator.control.seedAssignments([pair]);
const finished = ({ emulator: { control } }: Service) => {
  control.seedAssignments([pair]);
  control.startExam(pair);
  control.finishExam({ ...pair, score: 50 });
};

test.each<[string, (service: Service) => unknown, string, object, string]>([
  ['inactive', inactive, ASSIGN, pair, 'Participant is not active.'],
  ['unverified', unverified, ASSIGN, pair, 'Participant email is not verified.'],
  ['assigned', assigned, ASSIGN, pair, 'Participant is already registered for this exam.'],
  ['not assigned', () => {}, UNASSIGN, pair, 'Participant is not registered for this exam.'],
  ['finished', finished, UNASSIGN, pair, 'Participant has already started this exam.'],
  ['unknown', () => {}, ASSIGN, { ...pair, exam_id: 2 }, 'No query results for model [App\\Models\\Exam] 2'],
])('the message names the rule: %s', async (_state, prepare, path, body, message) => {
  await using service = await startWithPair();
  prepare(service);
  expect(at((await service.call('POST', path, { body })).json, 'message')).toBe(message);
});

test('an exam takes no more participants than its ceiling, and an unassignment makes room', async () => {
  await using service = await startService({ maxParticipantsPerExam: 1 });
  service.emulator.control.seedParticipants(2);
  service.emulator.control.seedExams(2);
  await service.call('POST', ASSIGN, { body: pair });
  const second = { body: { participant_id: 2, exam_id: 1 } };
  expect(await service.call('POST', ASSIGN, second)).toMatchObject({
    status: 400,
    json: { message: 'Exam participants exceed the limit of 1.' },
  });
  expect((await service.call('POST', ASSIGN, { body: { participant_id: 2, exam_id: 2 } })).status).toBe(201);
  await service.call('POST', UNASSIGN, { body: pair });
  expect((await service.call('POST', ASSIGN, second)).status).toBe(201);
});

test.each([ASSIGN, UNASSIGN])('%s rejects every wrong field with 422', async (path) => {
  await using service = await startService();
  const response = await service.call('POST', path, { body: { participant_id: 'x' } });
  expect(response.status).toBe(422);
  expect(fieldErrors(response)).toEqual({
    participant_id: ['The participant id field must be an integer.'],
    exam_id: ['The exam id field is required.'],
  });
  const fraction = await service.call('POST', path, { body: { participant_id: 1.5, exam_id: 1 } });
  expect(fieldErrors(fraction)).toEqual({ participant_id: ['The participant id field must be an integer.'] });
  expect((await service.call('POST', path, { body: '{' })).status).toBe(400);
});

test('a link lasts as long as the assignment, and no two are alike', async () => {
  await using service = await startService();
  seedPair(service);
  service.emulator.control.seedExams(1);
  await service.call('POST', ASSIGN, { body: pair });
  await service.call('POST', ASSIGN, { body: { participant_id: 1, exam_id: 2 } });
  const link = textAt((await service.call('GET', LINK)).json, 'data', 'link');
  expect(URL.canParse(link)).toBe(true);
  expect(textAt((await service.call('GET', LINK)).json, 'data', 'link')).toBe(link);
  const other = await service.call('GET', '/exam-participants/link?participant_id=1&exam_id=2');
  expect(textAt(other.json, 'data', 'link')).not.toBe(link);
  await service.call('POST', UNASSIGN, { body: pair });
  await service.call('POST', ASSIGN, { body: pair });
  expect(textAt((await service.call('GET', LINK)).json, 'data', 'link')).not.toBe(link);
});

test('a link needs both ids', async () => {
  await using service = await startService();
  const response = await service.call('GET', '/exam-participants/link?exam_id=x');
  expect(response.status).toBe(422);
  expect(fieldErrors(response)).toEqual({
    participant_id: ['The participant id field is required.'],
    exam_id: ['The exam id field must be an integer.'],
  });
});
