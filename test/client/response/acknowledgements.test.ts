import { describe, expect, test } from 'vitest';
import { type ExamClient, ResponseFormatError } from '../../../src/index.ts';
import { connect } from '../../fixtures/responses/client.ts';
import { participant } from '../../fixtures/responses/records.ts';
import { failure } from '../../helpers/client.ts';

const commands: ReadonlyArray<readonly [name: string, run: (client: ExamClient) => Promise<unknown>]> = [
  [
    'participants.import',
    (client) =>
      client.participants.import([{ email: 'a@example.test', name: 'Ana', password: 'long-secret' }]),
  ],
  ['participants.update', (client) => client.participants.update(31, { name: 'Sari' })],
  ['examParticipants.assign', (client) => client.examParticipants.assign({ participant_id: 31, exam_id: 7 })],
  [
    'examParticipants.unassign',
    (client) => client.examParticipants.unassign({ participant_id: 31, exam_id: 7 }),
  ],
];

const nothing = { message: null, data: null };

const bodies: ReadonlyArray<readonly [what: string, body: unknown, read: unknown]> = [
  ['a message', { message: 'Participant assigned' }, { message: 'Participant assigned', data: null }],
  ['an empty message', { message: '' }, nothing],
  ['a message of null in an envelope', { success: true, message: null, data: null, meta: [] }, nothing],
  [
    'a message and data',
    { message: 'Imported', data: [participant] },
    { message: 'Imported', data: [participant] },
  ],
  ['data alone', { data: participant }, { message: null, data: participant }],
  [
    'data that is false',
    { message: 'Nothing changed', data: false },
    { message: 'Nothing changed', data: false },
  ],
  [
    'an envelope around a named record',
    { success: true, message: 'OK', data: { participant } },
    { message: 'OK', data: { participant } },
  ],
  ['a bare record', participant, { message: null, data: participant }],
  ['a message beside other keys', { message: 'OK', imported: 2 }, { message: 'OK', data: { imported: 2 } }],
  ['success alone', { success: true }, nothing],
  ['an empty object', {}, nothing],
  ['an empty array', [], { message: null, data: [] }],
  ['an array', [{ id: 1 }], { message: null, data: [{ id: 1 }] }],
  ['true', true, { message: null, data: true }],
  ['1, as a framework prints true', '1', { message: null, data: 1 }],
  ['a number', 5, { message: null, data: 5 }],
  ['a JSON text', '"done"', { message: null, data: 'done' }],
  ['null', null, nothing],
  ['an empty body', '', nothing],
  ['nothing but a line break', '\r\n', nothing],
];

const assign = (client: ExamClient) => client.examParticipants.assign({ participant_id: 31, exam_id: 7 });

test.each(commands)('%s is acknowledged by a message, and not by a failure', async (name, run) => {
  await using service = await connect([{ body: { message: 'OK' } }, { body: false }]);
  expect(await run(service.client)).toEqual({ message: 'OK', data: null, body: { message: 'OK' } });
  const error = await failure(run(service.client), ResponseFormatError);
  expect(error).toMatchObject({ operation: name, status: 200, outcome: 'rejected' });
});

describe('a command is acknowledged by', () => {
  test.each(bodies)('%s', async (_what, body, read) => {
    await using service = await connect({ body });
    const parsed = typeof body === 'string' ? (body.trim() === '' ? null : JSON.parse(body)) : body;
    expect(await assign(service.client)).toEqual({ ...Object(read), body: parsed });
  });

  test.each([201, 202, 204])('the status %i without a body', async (status) => {
    await using service = await connect({ status });
    expect(await assign(service.client)).toEqual({ ...nothing, body: null });
  });
});

describe('a command is not acknowledged by', () => {
  test.each([
    ['false', false, 'says that the operation failed.'],
    ['success: false', { success: false, message: 'The exam is full.' }, 'failed: The exam is full.'],
    ['success: false with errors alone', { success: false, errors: ['full'] }, 'failed: full.'],
    ['success: false without a message', { success: false, code: 7 }, 'says that the operation failed.'],
    ['status: "fail"', { status: 'fail', message: null }, 'says that the operation failed.'],
    ['a page of HTML', '<!DOCTYPE html><title>Sign in</title>', 'is a page of HTML or XML'],
    ['a truncated body', '{"message":"Participants impo', 'is not valid JSON; it may have been cut short'],
    ['plain text', 'Participant assigned', 'is not valid JSON'],
  ])('%s', async (_what, body, problem) => {
    await using service = await connect({ body });
    expect(String(await failure(assign(service.client), ResponseFormatError))).toContain(problem);
  });
});
