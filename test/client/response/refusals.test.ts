import { describe, expect, test } from 'vitest';
import { type ExamClient, ResponseFormatError } from '../../../src/index.ts';
import { createClient, failure } from '../../helpers/client.ts';
import { startServer } from '../../helpers/server.ts';

const assign = ({ examParticipants }: ExamClient) =>
  examParticipants.assign({ participant_id: 7, exam_id: 3 });

test.each<[string, unknown, string]>([
  ['an error', { error: 'Exam is full' }, 'failed: Exam is full'],
  ['an error beside empty companions', { error: 'Exam is full', data: null, meta: [] }, 'Exam is full'],
  ['an error of true', { error: true, message: 'Exam is full' }, 'failed: Exam is full'],
  ['an error that ends with points', { error: 'Exam no. 3 is full...' }, 'failed: Exam no. 3 is full.'],
  ['an error with a code', { error: { code: 7, message: 'Exam is full' } }, 'failed: Exam is full'],
  ['false', false, 'failed.'],
  ['a status of false', { status: false, message: 'Exam is full' }, 'Exam is full'],
  ['a status of failure beside more', { status: 'fail', trace: 't-1' }, 'failed.'],
  ['success: 0', { success: 0, message: 'Exam is full' }, 'failed: Exam is full'],
  ['success: 0 as a string', { success: '0', message: 'Exam is full' }, 'failed: Exam is full'],
  ['success: false as a string', { success: 'false', message: 'Exam is full' }, 'Exam is full'],
  [
    'success: false behind a warning of PHP',
    'Warning: x\n{"success":false,"message":"Full"}',
    'failed: Full',
  ],
  ['success: 0 beside data', { success: 0, data: { id: 1 } }, 'failed.'],
  ['an error beside a count of nothing', { error: 'Exam is full', assigned: 0 }, 'Exam is full'],
  ['ok: false', { ok: false, message: 'Exam is full' }, 'Exam is full'],
  ['an error beside data that is false', { error: 'Exam is full', data: false }, 'Exam is full'],
  ['an error status as its code', { code: 409, message: 'Exam is full', data: [] }, 'Exam is full'],
  ['an error status as text', { status: '404', message: 'No exam' }, 'No exam'],
  [
    'an error status beside no data',
    { status: 404, message: 'No exam', data: null, trace: 't-1' },
    'No exam',
  ],
  ['an error status beside what is no data', { status: 500, trace: 't-1' }, 'failed.'],
  ['the least error status', { status: 400, message: 'Exam is full' }, 'Exam is full'],
  ['the greatest error status', { status: 599, message: 'Exam is full' }, 'Exam is full'],
])('a 2xx that only says %s is a refusal', async (_, body, told) => {
  await using server = await startServer({ status: 201, body });
  const error = await failure(assign(createClient(server)), ResponseFormatError);
  expect(error).toMatchObject({ status: 201, outcome: 'rejected', retryable: false });
  expect(error.message).toContain('its body says that the operation ');
  expect(error.message).toContain(told);
  expect(error.message).not.toContain('..');
});

test.each<[string, object]>([
  ['an id of the request', { error: 'Exam is full', request_id: 'r-1' }],
  ['a text that is no address', { error: 'Exam is full', see: 'on https://h.test' }],
  ['a text that begins like a no', { error: 'nullable', seat: 3 }],
  ['the ids that were sent', { error: 'Exam is full', participant_id: 7, exam_id: 3 }],
  ['a trace', { error: 'Exam is full', trace: [{ file: 'x' }], data: [] }],
])('an error beside %s and no data is no success: nobody can tell what was done', async (_, body) => {
  await using server = await startServer({ status: 201, body });
  const error = await failure(assign(createClient(server, { maxRetries: 0 })), ResponseFormatError);
  expect(error).toMatchObject({ status: 201, outcome: 'unknown' });
  expect(error.message).toContain('its body says that the operation failed');
});

test.each<[string, object]>([
  ['an error', { error: 'db down', data: [], total: 0 }],
  ['errors', { errors: [{ message: 'db down' }], data: [], meta: { request_id: 'r-1' } }],
  ['ok: false', { ok: false, data: [] }],
  ['a code of HTTP', { code: 500, message: 'db down', data: [] }],
])('%s on a later page is an error, and no shorter list', async (_, body) => {
  const exam = (id: number) => ({ id, name: 'Algebra' });
  await using server = await startServer(({ query }) => ({
    body: query.has('page') ? body : { data: [exam(1), exam(2)], next_page_url: '/exams?page=2' },
  }));
  const list = createClient(server, { maxRetries: 0 }).exams.list().toArray({ maxItems: 9 });
  expect((await failure(list, ResponseFormatError)).message).toContain('says that the operation failed');
});

test('a refusal of any length makes a message that can be read', async () => {
  await using server = await startServer({ body: { error: 'Exam is full. '.repeat(500) } });
  const error = await failure(assign(createClient(server)), ResponseFormatError);
  expect(error.message).toContain('Exam is full. Exam is full.');
  expect(error.message.length).toBeLessThan(1_000);
});

describe('is no refusal:', () => {
  test.each<[string, object, unknown]>([
    ['an error beside success: 1', { success: 1, error: 'none left' }, { error: 'none left' }],
    ['a status that only speaks of errors', { status: 'no error' }, { status: 'no error' }],
    ['a success that counts', { success: 10, data: [1] }, [1]],
    ['a status of success beside no data', { status: 200, data: null, trace: 't-1' }, null],
    ['a status that is none of HTTP', { status: 600, message: 'Assigned' }, { status: 600 }],
    ['an error status beside data', { status: 404, data: [1] }, [1]],
    ['a status that begins like one', { status: 'failed over' }, { status: 'failed over' }],
    ['an error that says nothing', { message: 'Assigned', error: '' }, { error: '' }],
    ['an error of null', { message: 'Assigned', error: null }, { error: null }],
    ['an error that PHP leaves empty', { message: 'Assigned', error: [] }, { error: [] }],
    ['an error of false', { message: 'Assigned', error: false }, { error: false }],
    [
      'an error beside a success',
      { success: true, error: 'No mail was sent' },
      { error: 'No mail was sent' },
    ],
    ['a count of errors beside what was done', { done: 2, error: 1 }, { done: 2, error: 1 }],
    ['an error beside success: "1"', { success: '1', error: 'none left' }, { error: 'none left' }],
    ['a code that is a text', { message: 'ok', code: '450' }, { code: '450' }],
    ['a number as code beside more', { message: 'ok', code: 450, seat: 3 }, { code: 450, seat: 3 }],
    [
      'an error beside a plain link',
      { url: 'http://h.test', error: 'x' },
      { url: 'http://h.test', error: 'x' },
    ],
    ['ok: false of a record', { id: 7, ok: false }, { id: 7, ok: false }],
    ['an error beside a link', { url: 'https://h.test', error: 'x' }, { url: 'https://h.test', error: 'x' }],
    ['a list of errors beside what was done', { errors: ['row 3'], done: 2 }, { errors: ['row 3'], done: 2 }],
    ['an error beside data', { error: 'one row', data: [1] }, [1]],
  ])('%s', async (_, body, data) => {
    await using server = await startServer({ body });
    const { message = null }: { message?: string | null } = body;
    expect(await assign(createClient(server))).toEqual({ message, data, body });
  });
});

test('the body of an acknowledgement holds what stands beside its data', async () => {
  const body = { success: true, message: 'Imported', data: [{ id: 1 }], skipped: 2, request_id: 'r-1' };
  await using server = await startServer({ status: 201, body });
  expect(await assign(createClient(server))).toEqual({ message: 'Imported', data: [{ id: 1 }], body });
});

test('an error beside rows under their own name is a remark', async () => {
  const body = { exams: [{ id: 1 }, { id: 2 }], total: 2, errors: ['no pictures'], error: 'no pictures' };
  await using server = await startServer({ body });
  expect((await createClient(server).exams.list()).data).toEqual(body.exams);
});

test.each(['success', 'ok', 'status', 'code', 'total', 'last_page', 'next', 'meta'])(
  'a %s that is an object with a toString of its own says nothing, and breaks nothing',
  async (name) => {
    const odd = { toString: 1, valueOf: 1 };
    await using server = await startServer({
      body: { data: [{ id: 1 }], [name]: name === 'total' ? [odd] : odd },
    });
    expect((await createClient(server).exams.list()).data).toEqual([{ id: 1 }]);
    expect((await assign(createClient(server))).data).toEqual([{ id: 1 }]);
  },
);
