import { describe, expect, test } from 'vitest';
import { bearerOperations, clientKeyOperations, pair, startWithPair, statusOf } from './helpers.ts';

/**
 * The documented authentication and errors of the service's API, each case under the name of its group, against the
 * emulator over HTTP.
 */

const IMPORT = '/participants/import';
const ASSIGN = '/exam-participants/assign';
const UNASSIGN = '/exam-participants/unassign';
const ana = { email: 'ana@example.test', name: 'Ana', password: 'secret' };

describe('Authentication', () => {
  test('participant, exam-assignment, exam and exam-result operations: X-Client-Key', async () => {
    await using service = await startWithPair();
    for (const [method, path] of clientKeyOperations) {
      const answer = await service.call(method, path, { headers: { 'X-Client-Key': 'test-key' } });
      expect([401, 403]).not.toContain(answer.status);
    }
  });

  test('webhook management operations: Authorization with Bearer', async () => {
    await using service = await startWithPair();
    for (const [method, path] of bearerOperations) {
      const answer = await service.call(method, path, { headers: { Authorization: 'Bearer test-key' } });
      expect([401, 403]).not.toContain(answer.status);
    }
  });
});

describe('Errors', () => {
  test('400, import: invalid JSON', async () => {
    await using service = await startWithPair();
    expect(await statusOf(service, 'POST', IMPORT, '{')).toBe(400);
  });

  test('400, import: the total number of participants would exceed the limit', async () => {
    await using service = await startWithPair({ maxParticipants: 1 });
    expect(await statusOf(service, 'POST', IMPORT, { participants: [ana] })).toBe(400);
    expect(service.emulator.snapshot().participants).toHaveLength(1);
  });

  test.each([
    ['participant not active', { active: false }],
    ['email not verified', { verified: false }],
  ])('400, assign: %s', async (_row, state) => {
    await using service = await startWithPair();
    service.emulator.control.setParticipant(1, state);
    expect(await statusOf(service, 'POST', ASSIGN, pair)).toBe(400);
  });

  test('400, assign: number of exam participants exceeds the limit', async () => {
    await using service = await startWithPair({ maxParticipantsPerExam: 0 });
    expect(await statusOf(service, 'POST', ASSIGN, pair)).toBe(400);
  });

  test('400, assign: participant already registered for the exam', async () => {
    await using service = await startWithPair();
    await service.call('POST', ASSIGN, { body: pair });
    expect(await statusOf(service, 'POST', ASSIGN, pair)).toBe(400);
  });

  test('400, unassign: participant not registered for the exam', async () => {
    await using service = await startWithPair();
    expect(await statusOf(service, 'POST', UNASSIGN, pair)).toBe(400);
  });

  test('400, unassign: participant already started it', async () => {
    await using service = await startWithPair();
    service.emulator.control.seedAssignments([pair]);
    service.emulator.control.startExam(pair);
    expect(await statusOf(service, 'POST', UNASSIGN, pair)).toBe(400);
  });

  test.each(clientKeyOperations)('401, %s %s: key invalid', async (method, path) => {
    await using service = await startWithPair();
    expect((await service.call(method, path, { headers: { 'X-Client-Key': 'wrong' } })).status).toBe(401);
  });

  test.each([...clientKeyOperations, ...bearerOperations])(
    '403, %s %s: client inactive',
    async (method, path) => {
      await using service = await startWithPair();
      service.emulator.control.setClientActive(false);
      expect(await statusOf(service, method, path)).toBe(403);
    },
  );

  test.each([
    [ASSIGN, 'participant', { ...pair, participant_id: 9 }],
    [ASSIGN, 'exam', { ...pair, exam_id: 9 }],
    [UNASSIGN, 'participant', { ...pair, participant_id: 9 }],
    [UNASSIGN, 'exam', { ...pair, exam_id: 9 }],
  ])('404, POST %s: %s not found', async (path, _row, body) => {
    await using service = await startWithPair();
    expect(await statusOf(service, 'POST', path, body)).toBe(404);
  });

  test.each([
    ['participant not assigned to the exam', 1, 1],
    ['participant not found', 9, 1],
    ['exam not found', 1, 9],
  ])('404, GET /exam-participants/link: %s', async (_row, participant, exam) => {
    await using service = await startWithPair();
    const path = `/exam-participants/link?participant_id=${participant}&exam_id=${exam}`;
    expect(await statusOf(service, 'GET', path)).toBe(404);
  });

  test.each(['GET', 'PUT'])('404, %s /participants/{id}: participant not found', async (method) => {
    await using service = await startWithPair();
    expect(
      await statusOf(service, method, '/participants/9', method === 'PUT' ? { name: 'New' } : undefined),
    ).toBe(404);
  });

  const four = [
    ['participants.import', 'POST', IMPORT, { participants: [{}] }],
    ['participants.update', 'PUT', '/participants/1', { name: 5 }],
    ['examParticipants.assign', 'POST', ASSIGN, { participant_id: 'x' }],
    ['examParticipants.unassign', 'POST', UNASSIGN, { participant_id: 'x' }],
  ] as const;

  test.each(four)('422, %s: validation error in the submitted data', async (_row, method, path, body) => {
    await using service = await startWithPair();
    expect(await statusOf(service, method, path, body)).toBe(422);
  });

  test.each(four)('500, %s: internal server error, retry later', async (on, method, path) => {
    await using service = await startWithPair();
    service.emulator.faults.inject({ on, effect: { type: 'respond', status: 500 } });
    expect(await statusOf(service, method, path, {})).toBe(500);
    expect(await statusOf(service, method, path, {})).not.toBe(500);
  });
});
