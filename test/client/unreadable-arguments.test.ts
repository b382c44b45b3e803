import { describe, expect, test } from 'vitest';
import { type ExamClient, type Fetch, RequestValidationError } from '../../src/index.ts';
import { createClient, failure, nowhere, throwing } from '../helpers/client.ts';
import { nextTurn } from '../helpers/gate.ts';
import { operations } from '../helpers/operations.ts';

/** Arguments that cannot be read, of any type; `field` is one that the operation asks for. */
const unreadable: [what: string, make: (field: PropertyKey) => unknown][] = [
  [
    'a revoked Proxy',
    () => {
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      return proxy;
    },
  ],
  [
    'a getter that throws',
    (field) => Object.defineProperty({}, field, { enumerable: true, get: throwing(new Error('gone')) }),
  ],
];

type Run = (client: ExamClient, argument: never) => PromiseLike<unknown>;

const pair = { participant_id: 7, exam_id: 3 };
const endpoint = { url: 'https://receiver.example.test', events: ['exam_result.completed' as const] };

/** A field of each argument; of options, it is `timeout`. */
const fieldOf: Readonly<Record<string, PropertyKey>> = {
  row: 'email',
  rows: Symbol.asyncIterator,
  changes: 'name',
  query: 'page',
  pair: 'exam_id',
  endpoint: 'url',
  event: 'event',
  request: 'path',
  body: 'deep',
};

/** Every argument of every method that sends one request or ensures something, by the name of the method. */
const runs: Record<string, Record<string, Run>> = {
  'participants.import': {
    rows: ({ participants }, rows) => participants.import(rows),
    row: ({ participants }, row) => participants.import([row]),
    options: ({ participants }, options) =>
      participants.import([{ email: 'a@b.test', name: 'Ada', password: 'first-1' }], options),
  },
  'participants.retrieve': {
    id: ({ participants }, id) => participants.retrieve(id),
    options: ({ participants }, options) => participants.retrieve(7, options),
  },
  'participants.update': {
    id: ({ participants }, id) => participants.update(id, { name: 'Ada' }),
    changes: ({ participants }, changes) => participants.update(7, changes),
    options: ({ participants }, options) => participants.update(7, { name: 'Ada' }, options),
  },
  'participants.list': {
    query: ({ participants }, query) => participants.list(query),
    options: ({ participants }, options) => participants.list({}, options),
    'options, read as items': ({ participants }, options) =>
      participants.list({}, options).toArray({ maxItems: 1 }),
  },
  'participants.findByEmail': {
    emails: ({ participants }, emails) => participants.findByEmail(emails),
    options: ({ participants }, options) => participants.findByEmail(['a@b.test'], options),
  },
  'participants.importAll': {
    rows: ({ participants }, rows) => participants.importAll(rows),
    options: ({ participants }, options) => participants.importAll([], options),
  },
  'examParticipants.assignAll': {
    rows: ({ examParticipants }, rows) => examParticipants.assignAll(rows),
    options: ({ examParticipants }, options) => examParticipants.assignAll([], options),
  },
  'examParticipants.assign': {
    pair: ({ examParticipants }, input) => examParticipants.assign(input),
    options: ({ examParticipants }, options) => examParticipants.assign(pair, options),
  },
  'examParticipants.unassign': {
    pair: ({ examParticipants }, input) => examParticipants.unassign(input),
    options: ({ examParticipants }, options) => examParticipants.unassign(pair, options),
  },
  'examParticipants.link': {
    pair: ({ examParticipants }, input) => examParticipants.link(input),
    options: ({ examParticipants }, options) => examParticipants.link(pair, options),
  },
  'examParticipants.ensure': {
    pair: ({ examParticipants }, input) => examParticipants.ensure(input),
    options: ({ examParticipants }, options) => examParticipants.ensure(pair, options),
  },
  'exams.list': {
    query: ({ exams }, query) => exams.list(query),
    options: ({ exams }, options) => exams.list({}, options),
  },
  'exams.retrieve': {
    id: ({ exams }, id) => exams.retrieve(id),
    options: ({ exams }, options) => exams.retrieve(3, options),
  },
  'examResults.list': {
    query: ({ examResults }, query) => examResults.list(query),
    options: ({ examResults }, options) => examResults.list({}, options),
  },
  'webhooks.list': { options: ({ webhooks }, options) => webhooks.list(options) },
  'webhooks.availableEvents': { options: ({ webhooks }, options) => webhooks.availableEvents(options) },
  'webhooks.create': {
    endpoint: ({ webhooks }, input) => webhooks.create(input),
    options: ({ webhooks }, options) => webhooks.create(endpoint, options),
  },
  'webhooks.ensure': {
    endpoint: ({ webhooks }, input) => webhooks.ensure(input),
    options: ({ webhooks }, options) => webhooks.ensure(endpoint, options),
  },
  'webhooks.update': {
    id: ({ webhooks }, id) => webhooks.update(id, { is_active: true }),
    endpoint: ({ webhooks }, changes) => webhooks.update(4, changes),
    options: ({ webhooks }, options) => webhooks.update(4, { is_active: true }, options),
  },
  'webhooks.rotateSecret': {
    id: ({ webhooks }, id) => webhooks.rotateSecret(id),
    options: ({ webhooks }, options) => webhooks.rotateSecret(4, options),
  },
  'webhooks.delete': {
    id: ({ webhooks }, id) => webhooks.delete(id),
    options: ({ webhooks }, options) => webhooks.delete(4, options),
  },
  'webhooks.deliveries': {
    id: ({ webhooks }, id) => webhooks.deliveries(id),
    query: ({ webhooks }, query) => webhooks.deliveries(4, query),
    options: ({ webhooks }, options) => webhooks.deliveries(4, {}, options),
  },
  'webhooks.test': {
    id: ({ webhooks }, id) => webhooks.test(id),
    event: ({ webhooks }, input) => webhooks.test(4, input),
    options: ({ webhooks }, options) => webhooks.test(4, {}, options),
  },
  request: {
    request: (client, request) => client.request(request),
    query: (client, query) => client.request({ method: 'GET', path: '/x', auth: 'bearer', query }),
    body: (client, body) => client.request({ method: 'POST', path: '/x', auth: 'bearer', body }),
    options: (client, options) => client.request({ method: 'GET', path: '/x', auth: 'bearer' }, options),
  },
};

const cases = Object.entries(runs).flatMap(([method, ways]) =>
  Object.entries(ways).flatMap(([argument, run]) =>
    unreadable.map(
      ([what, make]) => [what, argument, method, run, make(fieldOf[argument] ?? 'timeout')] as const,
    ),
  ),
);

// A rejection that nobody handles fails the run.
describe('nothing is sent, nothing throws, and the call rejects for', () => {
  test.each(cases)('%s in the place of %s of %s', async (_, _argument, method, run, given) => {
    const sent: string[] = [];
    const fetch: Fetch = async (url) => {
      sent.push(url);
      return Response.json({});
    };
    const call = run(createClient(nowhere, { fetch }), given as never);
    expect(await failure(call, RequestValidationError)).toMatchObject({
      operation: method,
      outcome: 'not_sent',
      retryable: false,
    });
    await nextTurn();
    expect(sent).toEqual([]);
  });
});

test.each(unreadable)('%s in the place of a row of an import is that row’s fault', async (_, make) => {
  const fetch: Fetch = async () => Response.json({ message: 'Imported' }, { status: 201 });
  const good = { email: 'a@b.test', name: 'Ada', password: 'first-1' };
  const rows = [make('email') as typeof good, good];
  const { participants } = createClient(nowhere, { fetch });
  expect(await participants.importAll(rows, { invalidRows: 'reject' })).toMatchObject({
    imported: 1,
    rejections: [{ index: 0, outcome: 'not_sent', message: expect.stringContaining('cannot be read') }],
  });
});

test('every operation is among them', () => {
  expect(Object.keys(runs)).toEqual(expect.arrayContaining(operations.map(({ name }) => name)));
});
