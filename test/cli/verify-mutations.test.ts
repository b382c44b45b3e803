import { expect, test } from 'vitest';
import { asking, instead, is, type Passing, returning, sent, startDeviating, when } from './deviations.ts';
import { key, startFilled, testRounds, verify } from './verify-helpers.ts';

const UNKNOWN_ID = '2147483647';
const person = /^\/participants\/\d+$/;
const people = is('GET', /^\/participants$/);
const exams = is('GET', /^\/exams$/);
const results = is('GET', /^\/exam-results$/);
const imports = is('POST', /\/import$/);
const assigns = is('POST', /\/assign$/);
const unassigns = is('POST', /\/unassign$/);
const links = is('GET', /\/link$/);

/** Whether the ids of a request are those of records. */
const hasIds = (request: Passing) => {
  const { participant_id, exam_id } = sent(request);
  return [participant_id, exam_id].every((id) => Number.isInteger(id) && id < 1000);
};

testRounds([
  [
    [
      'shows another exam than asked for',
      when(
        is('GET', /^\/exams\/\d+$/),
        ({ json }) => void Object.assign(json.data, { id: json.data.id + 1 }),
      ),
      ['exams.retrieve'],
    ],
    [
      'gives two participants one id',
      when(people, ({ json }) => {
        for (const one of json.data?.slice(0, 2) ?? []) one.id = 1;
      }),
      ['participant.id'],
    ],
    [
      'fails at a limit of 0',
      returning(500, (request) => exams(request) && request.query.get('limit') === '0'),
      ['exams.limit'],
    ],
    [
      'fails at page 0',
      returning(500, (request) => exams(request) && request.query.get('page') === '0'),
      ['exams.page'],
    ],
    [
      'has 15 results on a page by default',
      asking(
        (request) => results(request) && !request.query.has('limit') && !request.query.has('exam_id'),
        ({ query }) => query.set('limit', '15'),
      ),
      ['examResults.default'],
    ],
    [
      'ignores the second of two filters',
      asking(
        (request) => results(request) && request.query.has('participant_id'),
        ({ query }) => query.delete('exam_id'),
      ),
      ['examResults.both'],
    ],
    [
      'accepts any key',
      asking(
        () => true,
        ({ headers }) => headers.has('x-client-key') && headers.set('x-client-key', key),
      ),
      ['auth.refused'],
    ],
    [
      'updates a participant who is not there',
      returning(200, ({ method, path }) => method === 'PUT' && path.endsWith(UNKNOWN_ID)),
      ['errors.update'],
    ],
    [
      'rejects an assignment of unknown ids with 400',
      returning(400, (request, status) => assigns(request) && status === 404),
      ['errors.assignment'],
    ],
    [
      'creates an assignment with 200',
      returning(200, (request, status) => assigns(request) && status === 201),
      ['assign.201'],
    ],
    [
      'fails without the ids of a link',
      returning(500, (request, status) => links(request) && status === 422),
      ['link.required'],
    ],
    [
      'fails at a name that is not a string',
      returning(500, (request, status) => is('PUT', person)(request) && status === 422),
      ['errors.422'],
    ],
    ['returns 404 to half a body', returning(404, ({ body }) => body.endsWith('[')), ['errors.json']],
  ],
  [
    [
      'creates a second participant of an imported email',
      when(people, ({ json }) => {
        const found = json.data?.find((one: { email: string }) => one.email.includes('verify'));
        if (found) json.data.push({ ...found, id: found.id + 1000 });
      }),
      ['participant.email'],
    ],
    [
      'forgets the email when the name is changed',
      (() => {
        let isUpdated = false;
        return (request: Passing) => {
          if (is('PUT', person)(request)) isUpdated = true;
          return when(
            (one) => isUpdated && is('GET', person)(one),
            ({ json }) => {
              if (json.data) json.data.email = '';
            },
          )(request);
        };
      })(),
      ['update.partial'],
    ],
    [
      'ignores the limit of results',
      asking(results, ({ query }) => query.delete('limit')),
      ['examResults.limit', 'examResults.200'],
    ],
    ['ignores the page of exams', asking(exams, ({ query }) => query.delete('page')), ['exams.200']],
    [
      'gives more than 100 exams of a page',
      (request) => {
        if (!exams(request) || request.query.get('limit') !== '101') return undefined;
        request.query.set('limit', '100');
        return when(exams, ({ json }) => {
          json.data.push({ ...json.data[0], id: 101 });
          json.meta.per_page = 101;
        })(request);
      },
      ['exams.limit'],
    ],
    [
      'rejects an assignment without ids with 400',
      returning(400, (request, status) => assigns(request) && status === 422),
      ['errors.422'],
    ],
    [
      'rejects the cancellation of what is not assigned with 404',
      returning(404, (request, status) => unassigns(request) && status === 400),
      ['unassign.unregistered'],
    ],
    [
      'has a link without an address',
      when(links, (passed) => {
        if (passed.status === 200) passed.json = { data: { id: 1 } };
      }),
      ['link.200'],
    ],
    [
      'creates a link of a participant who is not there',
      returning(
        200,
        (request, status) => links(request) && status === 404 && request.query.get('exam_id') === UNKNOWN_ID,
      ),
      ['link.404'],
    ],
    ['rejects a wrong key with 404', returning(404, (_request, status) => status === 401), ['auth.refused']],
    [
      'returns a participant who is not there',
      returning(200, ({ method, path }) => method === 'GET' && path.endsWith(UNKNOWN_ID)),
      ['errors.404'],
    ],
  ],
  [
    [
      'imports with 200',
      returning(200, (request, status) => imports(request) && status === 201),
      ['import.201'],
    ],
    [
      'imports nobody',
      instead((request) => imports(request) && request.body.includes('"participants":[]'), 201),
      ['import.required', 'errors.422'],
    ],
    [
      'writes ids as strings',
      when(exams, ({ json }) => {
        for (const exam of json.data ?? []) exam.id = String(exam.id);
      }),
      ['exam.id'],
    ],
    [
      'counts the pages of exams from 0',
      asking(
        (request) => exams(request) && request.query.has('page'),
        ({ query }) => query.set('page', String(Number(query.get('page')) + 1)),
      ),
      ['exams.200', 'exams.page'],
    ],
    [
      'ignores the filter by participant',
      asking(results, ({ query }) => query.delete('participant_id')),
      ['examResults.participant', 'examResults.both'],
    ],
  ],
  [
    [
      'cancels nothing',
      instead((request) => unassigns(request) && hasIds(request), 200),
      ['unassign.200', 'unassign.unregistered'],
    ],
    [
      'assigns twice',
      returning(201, (request, status) => assigns(request) && status === 400),
      ['assign.once'],
    ],
  ],
]);

test('a service that takes the client key for webhooks is contradicted by reading alone', async () => {
  await using service = startFilled();
  const deviation = asking(
    ({ path }) => path.startsWith('/webhooks'),
    ({ headers }) => headers.set('authorization', `Bearer ${headers.get('x-client-key')}`),
  );
  await using deviating = startDeviating(service, deviation);
  const { code, contradicted } = await verify(deviating.url);
  expect(contradicted).toEqual(['auth.bearer: GET /webhooks: 401']);
  expect(code).toBe(1);
});
