import { expect, test } from 'vitest';
import type { ExamClient, RequestOptions } from '../../../src/index.ts';
import { connect } from '../../fixtures/responses/client.ts';
import { rejection } from '../../helpers/client.ts';
import { skipWaits } from '../../helpers/fake-time.ts';
import type { Answer } from '../../helpers/server.ts';

skipWaits();

type Run = (client: ExamClient, options?: RequestOptions) => PromiseLike<unknown>;

const exam: Run = ({ exams }, options) => exams.retrieve(3, options);
const exams: Run = ({ exams }, options) => exams.list({}, options);
const link: Run = ({ examParticipants }) => examParticipants.link({ participant_id: 7, exam_id: 3 });
const endpoints: Run = ({ webhooks }) => webhooks.list();
const assign: Run = ({ examParticipants }) => examParticipants.assign({ participant_id: 7, exam_id: 3 });

const html = { 'Content-Type': 'text/html' };
const ofExam = 'exams.retrieve: GET /exams/3';
const shape = 'succeeded with 200, but the response has an unexpected shape:';
const mode = "Use `validation: 'report'` to log such responses instead of throwing.";

test.each<[what: string, run: Run, answer: Answer, sentence: string]>([
  ['an empty body', exam, {}, `${ofExam} returned 200, but its body is empty.`],
  [
    'a page',
    exam,
    { headers: html, body: '<html>' },
    `${ofExam} returned 200, but its body is a page of HTML or XML (text/html), not JSON: check the base URL.`,
  ],
  [
    'a text',
    exam,
    { headers: html, body: 'ready' },
    `${ofExam} returned 200, but its body (text/html) is not valid JSON; it may have been cut short.`,
  ],
  [
    'a text of no type',
    exam,
    { body: 'ready' },
    `${ofExam} returned 200, but its body (no content type) is not valid JSON; it may have been cut short.`,
  ],
  [
    'a rejection',
    exam,
    { body: { success: false, message: 'Closed.' } },
    `${ofExam} returned 200, but its body says that the operation failed: Closed.`,
  ],
  [
    'a rejection without a reason',
    exam,
    { body: false },
    `${ofExam} returned 200, but its body says that the operation failed.`,
  ],
  ['no record', exam, { body: [] }, `${ofExam} ${shape} should be a record. The body is an array.`],
  [
    'no list',
    exams,
    { body: {} },
    `exams.list: GET /exams ${shape} should be a list. The body is an empty object.`,
  ],
  [
    'no link',
    link,
    { body: { message: 'sent' } },
    `examParticipants.link: GET /exam-participants/link ${shape} should be a link, as a string or under \`url\` or \`link\`. ` +
      'The body is an object with the keys message.',
  ],
  [
    'no envelope',
    endpoints,
    { body: [] },
    `webhooks.list: GET /webhooks ${shape} should be an envelope with \`data\`. The body is an array.`,
  ],
  [
    'a record of another shape',
    exam,
    { body: { id: 'x' } },
    `${ofExam} ${shape} id must be a positive integer, not a string. The body is an object with the keys id. ${mode}`,
  ],
  [
    'a redirect',
    assign,
    { status: 302, headers: { Location: 'https://other.test/login?a=b' } },
    'examParticipants.assign: POST /exam-participants/assign returned a redirect to https://other.test/login, ' +
      'which is not followed, because the API key would be sent along. ' +
      'Check the base URL: a wrong scheme, host or prefix is the usual reason.',
  ],
  [
    'a 401',
    exam,
    { status: 401, body: { message: 'Unauthenticated.' } },
    `${ofExam} failed with 401: Unauthenticated. Check the API key.`,
  ],
  [
    'a 403',
    exam,
    { status: 403, body: { message: 'No. .\n' } },
    `${ofExam} failed with 403: No. The key may be wrong or expired, or the account lacks permission.`,
  ],
  [
    'a 422 with three fields',
    assign,
    { status: 422, body: { message: 'Invalid', errors: { a: ['x'], b: ['x'], c: ['x'] } } },
    'examParticipants.assign: POST /exam-participants/assign failed with 422: Invalid. Fields: a, b, c. a: x.',
  ],
  [
    'a 422 with a field of which nothing is said',
    assign,
    { status: 422, body: { message: 'Invalid', errors: { a: [''] } } },
    'examParticipants.assign: POST /exam-participants/assign failed with 422: Invalid. Fields: a.',
  ],
  [
    'a 422 whose message holds that of its field',
    assign,
    {
      status: 422,
      body: { message: 'Exam is full (and 1 more error)', errors: { exam_id: ['Exam is full.'] } },
    },
    'examParticipants.assign: POST /exam-participants/assign failed with 422: Exam is full (and 1 more error). Fields: exam_id.',
  ],
  [
    'a 422 whose field says more than its message',
    assign,
    { status: 422, body: { message: 'Exam is full', errors: { exam_id: ['Exam is full of people.'] } } },
    'examParticipants.assign: POST /exam-participants/assign failed with 422: Exam is full. Fields: exam_id. ' +
      'exam_id: Exam is full of people.',
  ],
  [
    'a 422 that names no field',
    assign,
    { status: 422, body: { message: 'Invalid', errors: ['x'] } },
    'examParticipants.assign: POST /exam-participants/assign failed with 422: Invalid.',
  ],
  [
    'a 429 that asks to wait',
    exam,
    { status: 429, headers: { 'Retry-After': '0.5' }, body: { message: 'Slow down' } },
    `${ofExam} failed with 429: Slow down. Retry after 0.5 s.`,
  ],
])('%s is reported in sentences that say what to do', async (_, run, answer, sentence) => {
  await using service = await connect(answer);
  expect(await rejection(run(service.client))).toMatchObject({ message: sentence });
});

test('a response that was not understood says that the request is done', async () => {
  await using service = await connect([
    {},
    { body: [] },
    { body: 'ready', headers: { 'Content-Type': 'text/plain' } },
    { body: '[{"id":1},', headers: { 'Content-Type': 'text/plain' } },
  ]);
  const done = { outcome: 'done', status: 200 };
  expect(await rejection(link(service.client))).toMatchObject(done);
  expect(await rejection(exam(service.client))).toMatchObject(done);
  expect(await rejection(exam(service.client))).toMatchObject({ ...done, outcome: 'unknown' });
  expect(await rejection(exam(service.client))).toMatchObject(done);
});

test('a call that a pause leaves no time for says until when, and which limit that exceeds', async () => {
  await using service = await connect(
    { status: 429, headers: { 'Retry-After': '10' } },
    { totalTimeout: 5_000 },
  );
  await rejection(exam(service.client));
  expect(await rejection(exam(service.client))).toMatchObject({
    message: expect.stringMatching(
      /was not sent: the service asks to wait until \d{4}-\S+Z \(\d+ ms\), longer than `totalTimeout` \(5000 ms\) allows\.$/,
    ),
  });
  expect(service.server.requests).toHaveLength(1);
});

test('how often a request was tried stands at the end, where it was more than once', async () => {
  await using service = await connect({ status: 503, headers: { 'Retry-After': '0' } }, { maxRetries: 2 });
  const reported = `${ofExam} failed with 503: Service Unavailable.`;
  expect(await rejection(exam(service.client))).toMatchObject({
    message: `${reported} (after 3 attempts)`,
    attempts: 3,
  });
  expect(await rejection(exam(service.client, { maxRetries: 0 }))).toMatchObject({
    message: reported,
    attempts: 1,
  });
});

test('a list whose rest cannot be read says what speaks against its end', async () => {
  const meta = { current_page: 1, last_page: 3, total: 3 };
  await using service = await connect([{ body: { data: [{ id: 1 }], meta } }, { body: { data: [], meta } }]);
  expect(await rejection(service.client.exams.list().toArray({ maxItems: 3 }))).toMatchObject({
    message:
      'exams.list: GET /exams returned 200, but page 2 is empty, although its metadata says that there is more. ' +
      'The rest of the list cannot be read.',
  });
});

test('an item without an id gets advice on what to use instead of distinct: true', async () => {
  await using service = await connect({ body: [{ code: 'P-1' }] });
  const list = service.client.examResults.list({}, { distinct: true });
  expect(await rejection(list.toArray({ maxItems: 5 }))).toMatchObject({
    code: 'response_format',
    message:
      'examResults.list: GET /exam-results returned 200, but an item has no `id`, which `distinct: true` compares; ' +
      'use `distinct: (item) => key` instead.',
  });
});
