import { describe, expect, test } from 'vitest';
import {
  ConfigurationError,
  type ExamClient,
  type JobOptions,
  type RequestOptions,
} from '../../../src/index.ts';
import { createClient, failure } from '../../helpers/client.ts';
import { operations } from '../../helpers/operations.ts';
import { startService } from '../../helpers/server.ts';

const further = { search: 'a b&c', state: ['active', 'new'], verified: true, group: 5, left: undefined };
const sent = [
  ['search', 'a b&c'],
  ['state', 'active'],
  ['state', 'new'],
  ['verified', 'true'],
  ['group', '5'],
];

test.each(operations)('$name sends what its options have in `query` beside its own', async (operation) => {
  await using server = startService(operation.response);
  await operation.call(createClient(server), { query: further });
  const own = Object.entries(operation.query ?? {});
  expect([...server.request.query]).toEqual(expect.arrayContaining([...own, ...sent]));
  expect(server.request.query.size).toBe(own.length + sent.length);
});

test('`query` may be a URLSearchParams', async () => {
  await using server = startService({ body: [] });
  await createClient(server).exams.list({}, { query: new URLSearchParams('state=a&state=b&search=') });
  expect(server.request.target.split('?')[1]).toBe('state=a&state=b&search=');
});

test('a list sends it with every page, as it was when the call was made', async () => {
  await using server = startService(({ query }) => ({
    body: Number(query.get('page')) > 2 ? [] : [{ id: Number(query.get('page')) || 1 }],
  }));
  const query = { tag: ['a', 'b'] };
  const list = createClient(server).exams.list({ limit: 1 }, { query });
  query.tag.push('c');
  await list.toArray({ maxItems: 9 });
  expect(server.requests.map(({ target }) => target.split('?')[1])).toEqual([
    'limit=1&tag=a&tag=b',
    'limit=1&tag=a&tag=b&page=2',
    'limit=1&tag=a&tag=b&page=3',
  ]);
});

const own: [string, (client: ExamClient, options: RequestOptions) => PromiseLike<unknown>, string][] = [
  ['exams.list', ({ exams }, options) => exams.list({}, options), 'page'],
  ['participants.list', ({ participants }, options) => participants.list({}, options), 'limit'],
  ['examResults.list', ({ examResults }, options) => examResults.list({}, options), 'exam_id'],
  ['webhooks.deliveries', ({ webhooks }, options) => webhooks.deliveries(3, {}, options), 'per_page'],
  [
    'examParticipants.link',
    ({ examParticipants }, options) => examParticipants.link({ participant_id: 1, exam_id: 2 }, options),
    'exam_id',
  ],
  [
    'request',
    (client, options) =>
      client.request({ method: 'GET', path: '/x', auth: 'bearer', query: { sort: 'name' } }, options),
    'sort',
  ],
];

test.each(own)('a parameter that %s takes itself is rejected there', async (name, call, parameter) => {
  await using server = startService({ body: [] });
  const error = await failure(call(createClient(server), { query: { [parameter]: 5 } }), ConfigurationError);
  expect(error.message).toBe(`\`query\` must not contain \`${parameter}\`, which ${name} takes itself.`);
  expect(server.requests).toEqual([]);
});

class Filter {
  readonly search = 'a';
}

describe('is rejected with its name', () => {
  test.each<[string, unknown, string]>([
    ['null for a value', { search: null }, '`query.search`'],
    ['a value that is an object', { filter: { name: 'a' } }, '`query.filter`'],
    ['NaN', { group: Number.NaN }, '`query.group`'],
    ['half a character', { search: '\ud83d' }, '`query.search`'],
    ['a text', 'search=a', '`query`'],
    ['null', null, '`query`'],
    ['a list', ['search'], '`query`'],
    ['a Map, whose entries would be left out', new Map([['search', 'a']]), '`query`'],
    ['an instance of a class', new Filter(), '`query`'],
  ])('%s', async (_, query, name) => {
    await using server = startService({ body: [] });
    const call = createClient(server).exams.list({}, { query } as RequestOptions);
    expect((await failure(call, ConfigurationError)).message).toContain(`${name} must be a`);
    expect(server.requests).toEqual([]);
  });
});

const endpoint = { url: 'https://receiver.example.test/', events: ['exam_result.scored'] } as const;

test.each<[string, (client: ExamClient, options: JobOptions) => PromiseLike<unknown>]>([
  ['importAll', ({ participants }, options) => participants.importAll([], options)],
  ['findByEmail', ({ participants }, options) => participants.findByEmail(['a@b.test'], options)],
  [
    'ensure',
    ({ examParticipants }, options) => examParticipants.ensure({ participant_id: 1, exam_id: 2 }, options),
  ],
  ['ensure', ({ webhooks }, options) => webhooks.ensure(endpoint, options)],
  ['assignAll', async ({ examParticipants }, options) => examParticipants.assignAll([], options)],
])('is no option of %s, which sends several requests', async (name, call) => {
  await using server = startService({ body: [] });
  const options: JobOptions & RequestOptions = { query: { search: 'a' } };
  const error = await failure(call(createClient(server), options), ConfigurationError);
  expect(error.message).toContain(`${name}: \`query\``);
  expect(server.requests).toEqual([]);
});
