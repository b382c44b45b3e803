import { describe, expect, test } from 'vitest';
import type { ExamClient, RequestOptions } from '../../../src/index.ts';
import { connect } from '../../fixtures/responses/client.ts';
import { bodyOf, serve } from '../../fixtures/responses/served.ts';
import { createClient, nowhere, rejection } from '../../helpers/client.ts';
import { skipWaits } from '../../helpers/fake-time.ts';
import { never } from '../../helpers/gate.ts';
import type { ServiceResponse } from '../../helpers/server.ts';

skipWaits();

type Run = (client: ExamClient, options?: RequestOptions) => PromiseLike<unknown>;

const exam: Run = ({ exams }, options) => exams.retrieve(3, options);
const exams: Run = ({ exams }, options) => exams.list({}, options);
const link: Run = ({ examParticipants }) => examParticipants.link({ participant_id: 7, exam_id: 3 });
const endpoints: Run = ({ webhooks }) => webhooks.list();
const assign: Run = ({ examParticipants }) => examParticipants.assign({ participant_id: 7, exam_id: 3 });

const html = { 'Content-Type': 'text/html' };
const ofExam = 'exams.retrieve: GET /exams/3';
const ofAssign = 'examParticipants.assign: POST /exam-participants/assign';
const shape = 'succeeded with 200, but the response has an unexpected shape:';
const mode = "Use `validation: 'report'` to log such responses instead of throwing.";
const cut = 'is not valid JSON; it may have been cut short.';

const invalid = (message: string, errors: unknown): ServiceResponse => ({
  status: 422,
  body: { message, errors },
});

/** What is said of each response, after the name of the call, by call. */
const sentences: [
  run: Run,
  call: string,
  of: [what: string, response: ServiceResponse, sentence: string][],
][] = [
  [
    exam,
    ofExam,
    [
      ['an empty body', {}, 'returned 200, but its body is empty.'],
      [
        'a page',
        { headers: html, body: '<html>' },
        'returned 200, but its body is a page of HTML or XML (text/html), not JSON: check the base URL.',
      ],
      ['a text', { headers: html, body: 'ready' }, `returned 200, but its body (text/html) ${cut}`],
      ['a text of no type', { body: 'ready' }, `returned 200, but its body (no content type) ${cut}`],
      [
        'a rejection',
        { body: { success: false, message: 'Closed.' } },
        'returned 200, but its body says that the operation failed: Closed.',
      ],
      [
        'a rejection without a reason',
        { body: false },
        'returned 200, but its body says that the operation failed.',
      ],
      ['no record', { body: [] }, `${shape} should be a record. The body is an array.`],
      [
        'a record of another shape',
        { body: { id: 'x' } },
        `${shape} id must be a positive integer, not a string. The body is an object with the keys id. ${mode}`,
      ],
      [
        'a 401',
        { status: 401, body: { message: 'Unauthenticated.' } },
        'failed with 401: Unauthenticated. Check the API key.',
      ],
      [
        'a 403',
        { status: 403, body: { message: 'No. .\n' } },
        'failed with 403: No. The key may be wrong or expired, or the account lacks permission.',
      ],
      [
        'a page of a gateway',
        { status: 502, headers: html, body: '<title>502 Bad Gateway</title>' },
        'failed with 502: a page titled "502 Bad Gateway" (text/html), probably not from the service but a proxy before it.',
      ],
      [
        'a page with a 500, as frameworks write it',
        { status: 500, headers: html, body: '<title>Server Error (500)</title>' },
        'failed with 500: a page titled "Server Error (500)" (text/html), from the service or something before it.',
      ],
      [
        'a page with a 503, as frameworks write it',
        { status: 503, headers: html, body: '<title>Service Unavailable</title>' },
        'failed with 503: a page titled "Service Unavailable" (text/html), from the service or something before it.',
      ],
      [
        'a page with a 401',
        { status: 401, headers: html, body: 'Sign in' },
        'failed with 401: "Sign in" (text/html), probably not from the service but a proxy before it. ' +
          'If it is, check the API key.',
      ],
      [
        'a 429 that asks to wait',
        { status: 429, headers: { 'Retry-After': '0.5' }, body: { message: 'Slow down' } },
        'failed with 429: Slow down. Retry after 0.5 s.',
      ],
    ],
  ],
  [
    exams,
    'exams.list: GET /exams',
    [['no list', { body: {} }, `${shape} should be a list. The body is an empty object.`]],
  ],
  [
    link,
    'examParticipants.link: GET /exam-participants/link',
    [
      [
        'no link',
        { body: { message: 'sent' } },
        `${shape} should be a link, as a string or under \`url\` or \`link\`. The body is an object with the keys message.`,
      ],
    ],
  ],
  [
    endpoints,
    'webhooks.list: GET /webhooks',
    [['no list', { body: {} }, `${shape} should be a list. The body is an empty object.`]],
  ],
  [
    ({ webhooks }) => webhooks.availableEvents(),
    'webhooks.availableEvents: GET /webhooks',
    [
      [
        'metadata without events',
        { body: { data: [], meta: {} } },
        `${shape} meta.available_events should be in the body. The body is an object with the keys data, meta (data: an array).`,
      ],
    ],
  ],
  [
    assign,
    ofAssign,
    [
      [
        'a redirect',
        { status: 302, headers: { Location: 'https://other.test/login?a=b' } },
        'returned a redirect to https://other.test/login, which is not followed, because the API key would be sent along. ' +
          'Check the scheme, host and prefix of the base URL, and whether paths have to end with a slash.',
      ],
      [
        'a 422 with three fields',
        invalid('Invalid', { a: ['x'], b: ['x'], c: ['x'] }),
        'failed with 422: Invalid. Fields: a, b, c. x.',
      ],
      [
        'a 422 with a field of which nothing is said',
        invalid('Invalid', { a: [''] }),
        'failed with 422: Invalid. Fields: a.',
      ],
      [
        'a 422 whose message holds that of its field',
        invalid('Exam is full (and 1 more error)', { exam_id: ['Exam is full.'] }),
        'failed with 422: Exam is full (and 1 more error). Fields: exam_id.',
      ],
      [
        'a 422 whose field says more than its message',
        invalid('Exam is full', { exam_id: ['Exam is full of people.'] }),
        'failed with 422: Exam is full. Fields: exam_id. Exam is full of people.',
      ],
      [
        'a 422 whose message names its field',
        { status: 422, body: { message: ['rows.0.email must be an email'] } },
        'failed with 422: rows.0.email must be an email.',
      ],
      ['a 422 that names no field', invalid('Invalid', ['x']), 'failed with 422: Invalid.'],
    ],
  ],
];

describe.each(sentences)('$1', (run, call, of) => {
  test.each(of)('%s is reported in sentences that say what to do', async (_, response, sentence) => {
    await using service = await connect(response);
    expect(await rejection(run(service.client))).toMatchObject({ message: `${call} ${sentence}` });
  });
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

test('what ensure has done by then stands in the error of a request for the link', async () => {
  await using service = await connect([
    { status: 201, body: {} },
    { status: 404, body: { message: 'No link.' }, headers: { 'X-Request-Id': '5' } },
  ]);
  const pair = { participant_id: 7, exam_id: 3 };
  expect(await rejection(service.client.examParticipants.ensure(pair, { link: true }))).toMatchObject({
    message:
      'examParticipants.ensure: GET /exam-participants/link failed with 404: No link. (request id 5) ' +
      'The pair is assigned; only its link is missing.',
  });
});

test('a call that a pause leaves no time for says how long, and which limit that exceeds', async () => {
  await using service = await connect(
    { status: 429, headers: { 'Retry-After': '10' } },
    { totalTimeout: 5_000 },
  );
  await rejection(exam(service.client));
  expect(await rejection(exam(service.client))).toMatchObject({
    message: expect.stringMatching(
      /was not sent: the service asks to wait for 10\d{3} ms, longer than `totalTimeout` \(5000 ms\) allows\.$/,
    ),
  });
  expect(service.server.requests).toHaveLength(1);
});

test('a time limit of the platform is told as one, before a response and within its body', async () => {
  const limit = (code: string) => Object.assign(new Error('Timeout Error'), { code });
  const stalled = new ReadableStream({ pull: (body) => body.error(limit('UND_ERR_BODY_TIMEOUT')) });
  const responses = [
    () => Promise.reject(limit('UND_ERR_HEADERS_TIMEOUT')),
    async () => new Response(stalled),
  ];
  const advice =
    'Timeout Error. This is a time limit of your `fetch`, in Node 300 s, whatever `timeout` says: ' +
    'pass a `dispatcher` with longer ones in `fetchOptions`.';
  const client = createClient(nowhere, {
    fetch: () => (responses.shift() as () => Promise<Response>)(),
    maxRetries: 0,
  });
  expect(await rejection(exam(client))).toMatchObject({ message: `${ofExam} got no response: ${advice}` });
  const message = `${ofExam} returned 200, but its body was cut short: ${advice}`;
  expect(await rejection(exam(client))).toMatchObject({ message, outcome: 'done' });
});

test.each([{ timeout: 20 }, { totalTimeout: 20 }])(
  'an attempt whose key did not come (%j) says so',
  async (limit) => {
    const client = createClient(nowhere, { ...limit, apiKey: never, maxRetries: 0 });
    const message = `${ofExam} was not sent within 20 ms: \`apiKey\` or a hook \`onRequest\` had not ended.`;
    expect(await rejection(exam(client))).toMatchObject({ message, outcome: 'not_sent', retryable: true });
  },
);

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
      'exams.list: GET /exams returned 200, but page 2 is empty, and `total` says 3: 1 row was shown; ' +
      "does the service count rows that it does not show? With `validation: 'report'` the list ends there.",
  });
});

test.each([
  [
    ['9 | 8', '9 | 7', '9 | 6', '9 | 5', '9 | 4'],
    'pass 5 still found 1 new. Try again when the list changes less.',
  ],
  [
    ['9 | 8 9'],
    'each pass showed the same 1 row on two pages: the list has no stable order, or several rows for one record; ' +
      'is the key unique? Read it once: `toArray` without `untilStable`.',
  ],
  [
    ['9 8 | 8', '9 8 | 9'],
    'pass 5 showed 1 row on two pages: rows move while it is read, or its order is not stable. ' +
      'Try again when the list changes less.',
  ],
])('a list that five passes cannot read says what the fifth showed: %j', async (passes, sentence) => {
  const { client, asked } = serve((page) => {
    const pass = asked.filter((number) => number === 1).length;
    return bodyOf((passes[pass - 1] ?? passes.at(-1))?.split('|')[page - 1] ?? '');
  });
  const reading = client.exams.list().toArray({ maxItems: 9, untilStable: true });
  expect(await rejection(reading)).toMatchObject({
    message: `exams.list: GET /exams returned 200, but ${sentence}`,
  });
});

test('an item without an id gets advice on what to use instead of distinct: true', async () => {
  await using service = await connect({ body: [{ code: 'P-1' }] });
  const list = service.client.examResults.list({}, { distinct: true });
  expect(await rejection(list.toArray({ maxItems: 5 }))).toMatchObject({
    code: 'response_format',
    message:
      'examResults.list: GET /exam-results returned 200, but an item has no `id` to compare, or one above 2^53; ' +
      'use `distinct: (item) => key` instead.',
  });
});
