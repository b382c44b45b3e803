import { expect, test } from 'vitest';
import { at, pair, type Service, seedPair, startService, startWithPair, textAt } from './helpers.ts';

const ASSIGN = '/exam-participants/assign';
const UNASSIGN = '/exam-participants/unassign';
const LINK = '/exam-participants/link?participant_id=1&exam_id=1';

const unverified = (service: Service) => service.emulator.control.setParticipant(1, { verified: false });
const finished = ({ emulator: { control } }: Service) => {
  control.seedAssignments([pair]);
  control.startExam(pair);
  control.finishExam({ ...pair, score: 50 });
};

test.each<[string, (service: Service) => unknown, string, object, string]>([
  ['unverified', unverified, ASSIGN, pair, 'Participant email is not verified.'],
  ['finished', finished, UNASSIGN, pair, 'Participant has already started this exam.'],
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
