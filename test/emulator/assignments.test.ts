import { expect, test } from 'vitest';
import { fieldErrors, pair, seedPair, startService, textAt } from './helpers.ts';

const ASSIGN = '/exam-participants/assign';
const UNASSIGN = '/exam-participants/unassign';
const LINK = '/exam-participants/link?participant_id=1&exam_id=1';

test('a participant is assigned, unassigned and assigned again', async () => {
  await using service = await startService();
  seedPair(service);
  expect((await service.call('POST', ASSIGN, { body: pair })).status).toBe(201);
  expect((await service.call('POST', UNASSIGN, { body: pair })).status).toBe(200);
  expect((await service.call('POST', ASSIGN, { body: pair })).status).toBe(201);
});

test('a participant is registered for an exam only once', async () => {
  await using service = await startService();
  seedPair(service);
  await service.call('POST', ASSIGN, { body: pair });
  expect(await service.call('POST', ASSIGN, { body: pair })).toMatchObject({
    status: 400,
    json: { message: 'Participant is already registered for this exam.' },
  });
});

test.each([
  [{ active: false }, 'Participant is not active.'],
  [{ verified: false }, 'Participant email is not verified.'],
])('a participant who is %j is not assigned, until that changes', async (state, message) => {
  await using service = await startService();
  service.emulator.control.seedParticipants([state]);
  service.emulator.control.seedExams(1);
  expect(await service.call('POST', ASSIGN, { body: pair })).toMatchObject({
    status: 400,
    json: { message },
  });
  service.emulator.control.setParticipant(1, { active: true, verified: true });
  expect((await service.call('POST', ASSIGN, { body: pair })).status).toBe(201);
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

test('an assignment that was never made cannot be cancelled', async () => {
  await using service = await startService();
  seedPair(service);
  expect(await service.call('POST', UNASSIGN, { body: pair })).toMatchObject({
    status: 400,
    json: { message: 'Participant is not registered for this exam.' },
  });
});

test.each(['started', 'finished'])('an exam that is %s cannot be cancelled', async (state) => {
  await using service = await startService();
  seedPair(service);
  await service.call('POST', ASSIGN, { body: pair });
  service.emulator.control.startExam(pair);
  if (state === 'finished') service.emulator.control.finishExam({ ...pair, score: 50 });
  expect(await service.call('POST', UNASSIGN, { body: pair })).toMatchObject({
    status: 400,
    json: { message: 'Participant has already started this exam.' },
  });
  expect((await service.call('GET', LINK)).status).toBe(200);
});

test.each([ASSIGN, UNASSIGN])(
  '%s answers 404 for a participant or an exam that is not there',
  async (path) => {
    await using service = await startService();
    seedPair(service);
    expect(await service.call('POST', path, { body: { participant_id: 2, exam_id: 1 } })).toMatchObject({
      status: 404,
      json: { message: 'No query results for model [App\\Models\\Participant] 2' },
    });
    expect(await service.call('POST', path, { body: { participant_id: 1, exam_id: 2 } })).toMatchObject({
      status: 404,
      json: { message: 'No query results for model [App\\Models\\Exam] 2' },
    });
  },
);

test.each([ASSIGN, UNASSIGN])('%s answers 422 with every wrong field', async (path) => {
  await using service = await startService();
  const answer = await service.call('POST', path, { body: { participant_id: 'x' } });
  expect(answer.status).toBe(422);
  expect(fieldErrors(answer)).toEqual({
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

test.each([
  ['participant_id=1&exam_id=1', 'Participant is not assigned to this exam.'],
  ['participant_id=2&exam_id=1', 'Participant is not assigned to this exam.'],
  ['participant_id=1&exam_id=2', 'Participant is not assigned to this exam.'],
])('a link for %s is answered 404', async (query, message) => {
  await using service = await startService();
  seedPair(service);
  expect(await service.call('GET', `/exam-participants/link?${query}`)).toMatchObject({
    status: 404,
    json: { message },
  });
});

test('a link needs both ids', async () => {
  await using service = await startService();
  const answer = await service.call('GET', '/exam-participants/link?exam_id=x');
  expect(answer.status).toBe(422);
  expect(fieldErrors(answer)).toEqual({
    participant_id: ['The participant id field is required.'],
    exam_id: ['The exam id field must be an integer.'],
  });
});
