import { describe, expect, test } from 'vitest';
import { type ExamClient, RequestValidationError } from '../../src/index.ts';
import { createClient, failure, nowhere } from '../helpers/client.ts';
import { startService } from '../helpers/server.ts';

/** Calls the client as plain JavaScript may, and gives the paths that were rejected with their messages. */
async function rejected(act: (client: ExamClient) => PromiseLike<unknown>, operation: string) {
  await using server = startService({ body: {} });
  const error = await failure(act(createClient(server, { maxRetries: 2 })), RequestValidationError);
  expect(server.requests).toHaveLength(0);
  expect(error.name).toBe('RequestValidationError');
  expect(error.code).toBe('request_validation');
  expect(error.operation).toBe(operation);
  expect(error.message).toMatch(new RegExp(`^${operation}: .+ Nothing was sent\\.$`));
  for (const { path } of error.issues.slice(0, 3)) expect(error.message).toContain(path);
  return Object.fromEntries(error.issues.map(({ path, message }) => [path, message]));
}

/** A value that the types would reject. */
const unchecked = <T>(value: unknown) => value as T;

const ID_RULE = 'must be an integer from 1 to 9007199254740991';

const TOO_LARGE = `${ID_RULE}: this one is above 2^53, where numbers lose digits, so it may be another id`;

const badIds: [description: string, id: unknown, message?: string][] = [
  ['0', 0],
  ['-1', -1],
  ['1.5', 1.5],
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['2^53', 2 ** 53, TOO_LARGE],
  ['2^53 + 1 as a bigint', 2n ** 53n + 1n, TOO_LARGE],
  ['2^53 + 1 as a string', '9007199254740993', TOO_LARGE],
  ['-2^53', -(2 ** 53)],
  ["'1/../2'", '1/../2'],
  ["'7'", '7', `${ID_RULE}, not a string: use Number(id)`],
  ['a bigint', 7n, `${ID_RULE}, not a bigint: use Number(id)`],
  ['an array', [7]],
  ['an object', { id: 7 }],
  ['true', true],
  ['null', null],
];

describe.each(badIds)('an id of %s is rejected', (_, value, message = ID_RULE) => {
  const id = unchecked<number>(value);

  test.each<[string, (client: ExamClient) => PromiseLike<unknown>]>([
    ['participants.retrieve', (client) => client.participants.retrieve(id)],
    ['participants.update', (client) => client.participants.update(id, { name: 'A' })],
    ['exams.retrieve', (client) => client.exams.retrieve(id)],
    ['webhooks.update', (client) => client.webhooks.update(id, { is_active: true })],
    ['webhooks.rotateSecret', (client) => client.webhooks.rotateSecret(id)],
    ['webhooks.delete', (client) => client.webhooks.delete(id)],
    ['webhooks.deliveries', (client) => client.webhooks.deliveries(id)],
    ['webhooks.test', (client) => client.webhooks.test(id)],
  ])('by %s', async (operation, act) => {
    expect(await rejected(act, operation)).toEqual({ id: message });
  });

  test('as participant_id and as exam_id', async () => {
    const input = { participant_id: id, exam_id: id };
    const expected = { participant_id: message, exam_id: message };
    const { examParticipants, examResults } = createClient(nowhere);
    expect(await rejected(() => examParticipants.assign(input), 'examParticipants.assign')).toEqual(expected);
    expect(await rejected(() => examParticipants.unassign(input), 'examParticipants.unassign')).toEqual(
      expected,
    );
    expect(await rejected(() => examParticipants.link(input), 'examParticipants.link')).toEqual(expected);
    expect(await rejected(() => examResults.list(input), 'examResults.list')).toEqual(expected);
  });
});

test('the largest safe integer is an id, and is sent with all its digits', async () => {
  await using server = startService({ body: { id: 1 } });
  await createClient(server).exams.retrieve(Number.MAX_SAFE_INTEGER);
  expect(server.request.path).toBe('/exams/9007199254740991');
});

test.each([
  ['participants.retrieve', (client: ExamClient) => client.participants.retrieve(unchecked(undefined))],
  ['webhooks.delete', (client: ExamClient) => client.webhooks.delete(unchecked(undefined))],
])('a missing id is distinguished from a wrong one (%s)', async (operation, act) => {
  expect(await rejected(act, operation)).toEqual({ id: 'is required' });
});

const SIZE_RULE = 'must be an integer from 1 to 100';
const PAGE_RULE = 'must be an integer of 1 or more';

describe.each([
  [
    'participants.list',
    'limit',
    (client: ExamClient, query: object) => client.participants.list(unchecked(query)),
  ],
  ['exams.list', 'limit', (client: ExamClient, query: object) => client.exams.list(query)],
  ['examResults.list', 'limit', (client: ExamClient, query: object) => client.examResults.list(query)],
  [
    'webhooks.deliveries',
    'per_page',
    (client: ExamClient, query: object) => client.webhooks.deliveries(1, query),
  ],
] as const)('%s', (operation, size, list) => {
  test.each([0, 101, -1, 1.5, Number.NaN, '10', null])(`rejects a ${size} of %j`, async (value) => {
    expect(await rejected((client) => list(client, { [size]: value }), operation)).toEqual({
      [size]: value === '10' ? `${SIZE_RULE}, not a string: use Number()` : SIZE_RULE,
    });
  });

  test.each([0, -1, 1.5, Number.NaN, '2', null])('rejects a page of %j', async (page) => {
    const message = page === '2' ? `${PAGE_RULE}, not a string: use Number()` : PAGE_RULE;
    expect(await rejected((client) => list(client, { page }), operation)).toEqual({ page: message });
  });

  test.each([1, 100])(`takes a ${size} of %j`, async (value) => {
    await using server = startService({ body: [] });
    await list(createClient(server), { [size]: value });
    expect(server.request.query.get(size)).toBe(String(value));
  });

  test('names everything that is wrong at once', async () => {
    const issues = await rejected((client) => list(client, { page: 0, [size]: 0 }), operation);
    expect(issues).toEqual({ page: PAGE_RULE, [size]: SIZE_RULE });
  });

  test('rejects a query that is no object', async () => {
    const issues = await rejected((client) => list(client, unchecked('page=2')), operation);
    expect(issues).toEqual({ '': expect.stringMatching(/^takes one object \{ .*page\?.* \}$/) });
  });
});

test('unknown names are quoted only if all of them look like names, and three at most', async () => {
  const assign = (names: string[]) => (client: ExamClient) => {
    const others = Object.fromEntries(names.map((name) => [name, 1]));
    return client.examParticipants.assign({ participant_id: 1, exam_id: 2, ...others });
  };
  const issues = await rejected(assign(['force', 'Ana Putri']), 'examParticipants.assign');
  expect(issues['']).toMatch(/^unknown parameter names \(2\): it takes/);
  const many = await rejected(assign(['a', 'b', 'c', 'd', 'e']), 'examParticipants.assign');
  expect(many['']).toBe('unknown parameter `a`, `b`, `c` and 2 more: it takes participant_id, exam_id');
});

describe('another name for the size of a page is rejected with the one that is meant', () => {
  test.each(['perPage', 'per_page', 'pageSize', 'page_size'])('%s', async (name) => {
    const message = `unknown parameter \`${name}\` (did you mean \`limit\`?)`;
    const query = unchecked<object>({ [name]: 5 });
    expect(await rejected((client) => client.exams.list(query), 'exams.list')).toEqual({ '': message });
    expect(await rejected((client) => client.examResults.list(query), 'examResults.list')).toEqual({
      '': message,
    });
  });

  test.each(['limit', 'perPage', 'pageSize'])('%s of deliveries', async (name) => {
    const list = (client: ExamClient) => client.webhooks.deliveries(1, unchecked({ [name]: 5 }));
    const message = `unknown parameter \`${name}\` (did you mean \`per_page\`?)`;
    expect(await rejected(list, 'webhooks.deliveries')).toEqual({ '': message });
  });
});

test.each<[string, (client: ExamClient, query: object) => PromiseLike<unknown>, string]>([
  ['participants.list', (client, query) => client.participants.list(query), 'page, limit'],
  ['exams.list', (client, query) => client.exams.list(query), 'page, limit'],
  [
    'examResults.list',
    (client, query) => client.examResults.list(query),
    'page, limit, participant_id, exam_id',
  ],
  [
    'webhooks.deliveries',
    (client, query) => client.webhooks.deliveries(1, query),
    'event, status, page, per_page',
  ],
])(
  'a filter that is not documented is rejected by %s, and named with the option for it',
  async (name, list, known) => {
    const message = `unknown parameter \`search\`: it takes ${known}; pass others in the option \`query\``;
    expect(await rejected((client) => list(client, { search: 'a' }), name)).toEqual({ '': message });
  },
);

test('a list of participants by email is rejected, as a service may list everybody, and findByEmail named', async () => {
  const list = (client: ExamClient) => client.participants.list(unchecked({ email: 'a@b.test', page: 1 }));
  expect(await rejected(list, 'participants.list')).toEqual({
    '': '`email` is no filter of this list: participants.findByEmail(emails) finds people by email',
  });
});

test('rows are named by their number, of any length, and nothing else is', async () => {
  await using server = startService({});
  const { participants, webhooks } = createClient(server);
  const rows = Array.from({ length: 13 }, () => ({
    email: 'a@b.test',
    name: 'A',
    password: 'amber-quill-118',
  }));
  rows[12] = { email: 'a@b.test', name: '', password: 'amber-quill-118' };
  const inRow = await failure(participants.import(rows), RequestValidationError);
  expect(inRow.message).toContain('participants.import: row 12: name ');
  const created = { url: 'https://h.test', events: ['exam_result.scored', 7] };
  const inList = await failure(webhooks.create(unchecked(created)), RequestValidationError);
  expect(inList.message).toContain('webhooks.create: events.1 ');
});
