import { expect, test } from 'vitest';
import { someOf } from '../helpers/requirements.ts';
import {
  answering,
  type Deviation,
  instead,
  is,
  type Passing,
  sent,
  startDeviating,
  when,
} from './deviations.ts';
import { startFilled, verify } from './verify-helpers.ts';

const person = /^\/participants\/\d+$/;
const assign = /\/assign$/;
const unassign = /\/unassign$/;
const link = /\/link$/;

const mutations: [what: string, deviation: Deviation, claims: string[]][] = [
  [
    'shows another exam than asked for',
    when(is('GET', /^\/exams\/\d+$/), ({ json }) => void Object.assign(json.data, { id: json.data.id + 1 })),
    ['exams.retrieve'],
  ],
  [
    'gives two participants one id',
    when(is('GET', /^\/participants$/), ({ json }) => {
      for (const one of json.data?.slice(0, 2) ?? []) one.id = 1;
    }),
    ['participant.id'],
  ],
  [
    'makes a second participant of an imported email',
    when(is('GET', /^\/participants$/), ({ json }) => {
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
    'updates a participant who is not there',
    answering(200, (request) => is('PUT', /2147483647$/)(request)),
    ['errors.update'],
  ],
  [
    'answers 400 to an assignment of unknown ids',
    answering(400, (request, status) => is('POST', assign)(request) && status === 404),
    ['errors.assignment'],
  ],
  [
    'answers an assignment with 200',
    answering(200, (request, status) => is('POST', assign)(request) && status === 201),
    ['assign.201'],
  ],
  [
    'answers 400 to an assignment without ids',
    answering(400, (request, status) => is('POST', assign)(request) && status === 422),
    ['errors.422'],
  ],
  [
    'answers 404 to the cancellation of what is not assigned',
    answering(404, (request, status) => is('POST', unassign)(request) && status === 400),
    ['unassign.unregistered'],
  ],
  [
    'cancels nothing',
    instead(
      (request) =>
        is('POST', unassign)(request) &&
        Number.isInteger(sent(request).exam_id) &&
        Number.isInteger(sent(request).participant_id) &&
        sent(request).exam_id < 1000 &&
        sent(request).participant_id < 1000,
      200,
    ),
    ['unassign.200', 'unassign.unregistered'],
  ],
  [
    'has a link without an address',
    when(is('GET', link), (passed) => {
      if (passed.status === 200) passed.json = { data: { id: 1 } };
    }),
    ['link.200'],
  ],
  [
    'fails without the ids of a link',
    answering(500, (request, status) => is('GET', link)(request) && status === 422),
    ['link.required'],
  ],
  [
    'ignores the limit of results',
    (request) => {
      if (request.path === '/exam-results') request.query.delete('limit');
      return undefined;
    },
    ['examResults.limit', 'examResults.200'],
  ],
  [
    'fails at a limit of 0',
    answering(500, ({ path, query }) => path === '/exams' && query.get('limit') === '0'),
    ['exams.limit'],
  ],
  [
    'fails at page 0',
    answering(500, ({ path, query }) => path === '/exams' && query.get('page') === '0'),
    ['exams.page'],
  ],
  [
    'ignores the page',
    (request) => {
      if (request.path === '/exams') request.query.delete('page');
      return undefined;
    },
    ['exams.200'],
  ],
  [
    'ignores the second of two filters',
    (request) => {
      if (request.query.has('participant_id') && request.path === '/exam-results')
        request.query.delete('exam_id');
      return undefined;
    },
    ['examResults.both'],
  ],
  [
    'takes any key',
    (request) => {
      request.headers.set('x-client-key', 'a-key-that-nobody-may-see');
      return undefined;
    },
    ['auth.refused'],
  ],
  [
    'imports nobody with 201',
    instead((request) => is('POST', /\/import$/)(request) && request.body.includes('"participants":[]'), 201),
    ['import.required', 'errors.422'],
  ],
  [
    'fails at a name that is no string',
    answering(500, (request, status) => is('PUT', person)(request) && status === 422),
    ['errors.422'],
  ],
];

test.each(someOf(mutations))(
  'a service that %s contradicts the claims about that, and no others',
  async (_what, deviation, expected) => {
    await using service = await startFilled();
    await using deviating = await startDeviating(service, deviation);
    const { contradicted } = await verify(deviating.url, '--write', '--listen', '0');
    expect(contradicted.map((text) => text.split(':')[0]).toSorted()).toEqual(expected.toSorted());
  },
);
