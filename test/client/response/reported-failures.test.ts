import { describe, expect, test } from 'vitest';
import { type ExamClient, ResponseFormatError } from '../../../src/index.ts';
import { createClient, failure, nowhere } from '../../helpers/client.ts';

/** A client whose service sends this body with a status of success. */
function respondingWith(body: unknown): ExamClient {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return createClient(nowhere, { fetch: async () => new Response(text, { status: 201 }) });
}

type Run = (client: ExamClient) => Promise<unknown>;

const pair = { participant_id: 7, exam_id: 3 };
const row = { email: 'a@example.test', name: 'Ana', password: 'long-secret' };
const assign: Run = ({ examParticipants }) => examParticipants.assign(pair);
const link: Run = ({ examParticipants }) => examParticipants.link(pair);
const importOne: Run = ({ participants }) => participants.import([row]);
const retrieve: Run = ({ exams }) => exams.retrieve(7);
const update: Run = ({ participants }) => participants.update(7, { name: 'Ana' });
const list: Run = ({ exams }) => exams.list();
const remove: Run = ({ webhooks }) => webhooks.delete(3);
const webhooks: Run = (client) => client.webhooks.list();

const full = 'Exam is full';

/** For each body, the operation that reads it and what became of the request. */
test.each<[what: string, body: unknown, run: Run, outcome: 'rejected' | 'unknown']>([
  ['false', false, assign, 'rejected'],
  ['success: false', { success: false, message: full }, assign, 'rejected'],
  ['success: false beside data', { success: false, data: [{ id: 1 }] }, list, 'rejected'],
  [
    'success: false beside a link',
    { success: false, message: full, url: 'https://h.test' },
    link,
    'rejected',
  ],
  ['success: 0', { success: 0, message: full }, assign, 'rejected'],
  ['success: 0 beside data', { success: 0, data: { id: 1 } }, assign, 'rejected'],
  ['success: 0 as a string', { success: '0', message: full }, assign, 'rejected'],
  ['success: false as a string', { success: 'false', message: full }, assign, 'rejected'],
  ['success: false behind a warning', 'Warning: x\n{"success":false,"message":"Full"}', assign, 'rejected'],
  ['ok: false', { ok: false, message: full }, assign, 'rejected'],
  ['ok: false beside an empty list', { ok: false, data: [] }, list, 'rejected'],
  ['status: false', { status: false, message: full }, assign, 'rejected'],
  ['status: false as a string', { status: 'false', message: full }, assign, 'rejected'],
  ['status: false beside a list', { status: false, data: [{ id: 1 }] }, list, 'rejected'],
  ['status: false beside a record', { status: false, data: { id: 7 } }, retrieve, 'rejected'],
  ['status: false beside a link', { status: false, url: 'https://h.test' }, link, 'rejected'],
  ['status: failed', { status: 'failed', message: full }, assign, 'unknown'],
  ['status: failed beside a list', { status: 'failed', data: [{ id: 1 }] }, list, 'unknown'],
  ['status: error', { status: 'error', message: full }, assign, 'unknown'],
  ['status: error beside an id', { id: 'r-1', status: 'error', message: full }, assign, 'unknown'],
  ['status: fail beside its reasons', { status: 'fail', data: { exam_id: full } }, assign, 'unknown'],
  ['status: fail beside an empty list', { status: 'fail', message: full, data: [] }, list, 'unknown'],
  ['an error', { error: full }, assign, 'unknown'],
  ['an error of true', { error: true, message: full }, assign, 'unknown'],
  ['an error with a code', { error: { code: 7, message: full } }, assign, 'unknown'],
  ['an error beside empty companions', { error: full, data: null, meta: [] }, assign, 'unknown'],
  ['an error beside data of false', { error: full, data: false }, assign, 'unknown'],
  ['an error beside the id of the request', { error: full, request_id: 'r-1' }, assign, 'unknown'],
  ['an error beside the ids that were sent', { error: full, ...pair }, assign, 'unknown'],
  ['an error beside a success', { success: true, error: full }, assign, 'unknown'],
  ['a count of errors', { error: 1, message: full }, assign, 'unknown'],
  ['errors', { message: full, errors: { exam_id: [full] } }, assign, 'unknown'],
  ['errors of an import alone', { message: 'Invalid', errors: ['row 1'] }, importOne, 'unknown'],
  ['errors of an import beside its id', { errors: ['row 1'], request_id: 'r-1' }, importOne, 'unknown'],
  ['an error beside a trace', { error: full, trace: [{ file: 'x' }], data: [] }, assign, 'unknown'],
  ['an error without a link', { error: full, see: 'https://h.test' }, link, 'unknown'],
  ['an error without a record', { error: full, name: 'Algebra' }, retrieve, 'unknown'],
  ['an error beside an empty list', { error: 'db down', data: [], total: 0 }, list, 'unknown'],
  ['errors beside an empty list', { errors: ['db down'], exams: [], meta: { page: 1 } }, list, 'unknown'],
  ['an error of a deletion', { error: 'locked' }, remove, 'unknown'],
  ['an error beside no webhooks', { success: true, error: 'db down', data: [] }, webhooks, 'unknown'],
])('a success that says %s is an error', async (_, body, run, outcome) => {
  const error = await failure(run(respondingWith(body)), ResponseFormatError);
  expect(error).toMatchObject({ status: 201, outcome, retryable: false });
});

describe('a remark beside what was asked for:', () => {
  test.each<[what: string, body: object, run: Run]>([
    ['an error beside data', { error: 'one row', data: [1] }, assign],
    ['a success that counts', { success: 10, data: [1] }, assign],
    ['an error of null', { message: 'Assigned', error: null }, assign],
    ['an empty error', { message: 'Assigned', error: '' }, assign],
    ['errors that PHP leaves empty', { message: 'Assigned', error: [], errors: {} }, assign],
    ['an error of false', { message: 'Assigned', error: false }, assign],
    ['a status of success', { status: 'success', message: 'Assigned' }, assign],
    ['errors of rows beside those taken', { imported: 2, errors: ['row 3'] }, importOne],
    ['a count of errors beside rows taken', { data: { imported: 2 }, errors: 1 }, importOne],
    ['an error beside a link', { url: 'https://h.test', error: 'expires soon' }, link],
    ['a record with a status of its own', { id: 7, status: 'error' }, retrieve],
    ['a record whose status is failed', { id: 7, status: 'failed' }, retrieve],
    ['a record whose status is false', { id: 7, status: false }, retrieve],
    ['a record with such a status that a change returns', { id: 7, status: false }, update],
    ['an error beside a record', { exam: { id: 7 }, error: 'no picture' }, retrieve],
    ['an error in a record', { id: 7, error: 'no picture' }, retrieve],
    ['an error beside rows under their name', { exams: [{ id: 1 }], error: 'no pictures' }, list],
  ])('%s', async (_, body, run) => {
    await expect(run(respondingWith(body))).resolves.toBeDefined();
  });
});

test.each<[what: string, body: object]>([
  ['a code', { code: 409, message: 'Noted' }],
  ['a status as a number', { status: 404, message: 'Noted' }],
  ['a status of 0, the code of a success', { status: 0, message: 'Noted' }],
])('nothing is concluded from %s in the body', async (_, body) => {
  expect(await assign(respondingWith(body))).toMatchObject({ message: 'Noted', body });
});

test('the error quotes the service, up to a length that can be read', async () => {
  const error = await failure(
    assign(respondingWith({ error: `${full}. `.repeat(500) })),
    ResponseFormatError,
  );
  expect(error.message).toContain(`${full}. ${full}.`);
  expect(error.message.length).toBeLessThan(1_000);
});

test('a failure reported on a later page is an error, and not a shorter list', async () => {
  const bodies = [
    { data: [{ id: 1 }], next_page_url: '/exams?page=2' },
    { error: 'db down', data: [] },
  ];
  const fetch = async () => Response.json(bodies.shift());
  const exams = createClient(nowhere, { fetch }).exams.list();
  await failure(exams.toArray({ maxItems: 9 }), ResponseFormatError);
});

test('the body of an acknowledgement holds what stands beside its data', async () => {
  const body = { success: true, message: 'Imported', data: [{ id: 1 }], skipped: 2, request_id: 'r-1' };
  expect(await importOne(respondingWith(body))).toEqual({ message: 'Imported', data: [{ id: 1 }], body });
});

test.each(['success', 'ok', 'status', 'code', 'total', 'last_page', 'next', 'meta'])(
  'a %s that is an object with a toString of its own says nothing, and breaks nothing',
  async (name) => {
    const odd = { toString: 1, valueOf: 1 };
    const body = { data: [{ id: 1 }], [name]: name === 'total' ? [odd] : odd };
    expect(await list(respondingWith(body))).toMatchObject({ data: [{ id: 1 }] });
    expect(await assign(respondingWith(body))).toMatchObject({ data: [{ id: 1 }] });
  },
);
