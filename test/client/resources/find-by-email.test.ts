import { describe, expect, test } from 'vitest';
import {
  AmbiguousEmailsError,
  ConfigurationError,
  RequestValidationError,
  ResponseFormatError,
} from '../../../src/index.ts';
import { createClient, failure, rejection, throwing } from '../../helpers/client.ts';
import { nextTurn } from '../../helpers/gate.ts';
import { numRuns } from '../../helpers/requirements.ts';
import { type FetchService, startService } from '../../helpers/server.ts';
import { MovingList } from './moving-list.ts';

interface Person {
  readonly id: number;
  readonly email?: unknown;
  readonly name?: string;
}

const people: Person[] = Array.from({ length: 250 }, (_, index) => ({
  id: index + 1,
  email: `Zoë${index}@Example.test`,
}));

/** A service that lists these people, `size` on a page; for each pass over the list others, the last ones for ever. */
function listing(passes: readonly (readonly Person[])[], size = 100): FetchService {
  let pass = 0;
  return startService(({ query }) => {
    const page = Number(query.get('page') ?? 1);
    if (page === 1) pass += 1;
    const all = passes[pass - 1] ?? passes.at(-1) ?? [];
    const data = all.slice((page - 1) * size, page * size);
    return { body: { data, meta: { current_page: page, last_page: Math.ceil(all.length / size) } } };
  });
}

const find = (server: FetchService, ...emails: string[]) =>
  createClient(server).participants.findByEmail(emails);
const idsOf = (found: ReadonlyMap<string, Person>) => [...found].map(([email, { id }]) => [email, id]);

test('finds participants as an import compares emails, by the emails as they were given', async () => {
  await using server = listing([people]);
  const given = [
    'zoë3@example.test',
    ' ZOË249@example.TEST',
    'zoë3@example.test'.normalize('NFD'),
    'nobody@x.test',
  ];
  const { found, missing } = await find(server, ...given);
  expect(idsOf(found)).toEqual([
    [given[0], 4],
    [given[1], 250],
    [given[2], 4],
  ]);
  expect(missing).toEqual(['nobody@x.test']);
});

describe('reads the whole list', () => {
  const [one = '', other = ''] = ['Zoë150@Example.test', 'ZOË151@example.test'];
  test.each([
    ['once where everybody is found as spelled', [one], 3],
    ['again where a spelling differs, since the exact one may be there', [one, other], 6],
    ['again where somebody is missing', [one, 'nobody@x.test'], 6],
    ['not for nobody', [], 0],
  ])('%s', async (_, emails, requests) => {
    await using server = listing([people]);
    await find(server, ...emails);
    expect(server.requests).toHaveLength(requests);
    expect(new Set(server.requests.map(({ query }) => query.get('limit')))).toEqual(
      new Set(requests > 0 ? ['100'] : []),
    );
  });
});

test.each([
  [50, 4],
  [2, 2],
])(
  'reads four pages at once, or as many as the client may have in flight (%i)',
  async (maxConcurrency, most) => {
    let inFlight = 0;
    let highest = 0;
    await using server = startService(async ({ query }) => {
      inFlight += 1;
      highest = Math.max(highest, inFlight);
      await nextTurn();
      inFlight -= 1;
      const data = query.has('page') ? [] : people.slice(0, 1);
      return { body: { data, last_page: 9 } };
    });
    const { participants } = createClient(server, { maxConcurrency });
    await participants.findByEmail(['a@b.test']);
    await participants.importAll([], { existing: 'skip' });
    expect(highest).toBe(most);
  },
);

const [ana, annie, ben, nobody] = [
  { id: 1, email: 'ana@x.test' },
  { id: 2, email: 'Ana@x.test' },
  { id: 3, email: 'ben@x.test' },
  { id: 4, email: null },
];

describe('of several passes', () => {
  test.each<[what: string, passes: Person[][], emails: string[], ids: number[]]>([
    ['whoever was in one', [[ana], [ben, ana]], ['ana@x.test', 'ben@x.test'], [1, 3]],
    ['who was deleted meanwhile', [[ana, ben], [ben]], ['ANA@x.test', 'ben@x.test'], [1, 3]],
    ['an exact spelling, however late', [[annie], [annie, ana]], ['ana@x.test'], [1]],
    ['an exact spelling before others', [[annie, ana]], ['Ana@x.test', 'ana@x.test'], [2, 1]],
  ])('finds %s', async (_, passes, emails, ids) => {
    await using server = listing(passes);
    const { found, missing } = await find(server, ...emails);
    expect(idsOf(found)).toEqual(emails.map((email, index) => [email, ids[index]]));
    expect(missing).toEqual([]);
  });

  test('each as the latest pass showed them', async () => {
    await using server = listing([[{ ...ana, name: 'A.' }], [{ ...ana, name: 'Ana' }]]);
    expect((await find(server, 'ANA@x.test')).found.get('ANA@x.test')).toEqual({ ...ana, name: 'Ana' });
  });

  test('who registers meanwhile, without a further pass', async () => {
    await using server = listing([[ana], [ana, ben]]);
    const { missing } = await find(server, 'ana@x.test', 'ben@x.test', 'nobody@x.test');
    expect(missing).toEqual(['nobody@x.test']);
    expect(server.requests).toHaveLength(2);
  });

  test('everybody, in whatever spelling: five are enough then, whatever moves', async () => {
    // Somebody stands on two pages.
    await using server = listing([[ana, ben, ana]], 1);
    expect(idsOf((await find(server, 'ANA@x.test', 'ben@x.test')).found)).toHaveLength(2);
    expect(server.requests).toHaveLength(15);
    const error = await failure(find(server, 'ANA@x.test', 'nobody@x.test'), ResponseFormatError);
    expect(error).toMatchObject({
      retryable: false,
      message: expect.stringMatching(/same 1 row on two pages/),
    });
  });

  test('others who register meanwhile delay nothing', async () => {
    const growing = Array.from({ length: 9 }, (_, index) => [ben, ...people.slice(0, index)]);
    await using server = listing(growing);
    expect((await find(server, 'nobody@x.test', 'ben@x.test')).missing).toEqual(['nobody@x.test']);
    expect(server.requests).toHaveLength(2);
  });

  test('five that each found somebody are an error', async () => {
    const [newest, ...older] = [...people.slice(0, 9)].reverse();
    const appearing = [0, 1, 2, 3, 4].map((index) => [newest ?? ana, ...older.slice(0, index)]);
    await using server = listing(appearing);
    const emails = people.slice(0, 9).map(({ email }) => String(email).toLowerCase());
    const error = await failure(find(server, ...emails), ResponseFormatError);
    expect(error).toMatchObject({ retryable: true, message: expect.stringMatching(/\b1 new\b/) });
  });
});

test('two people for one email, and none as spelled, are an error that names all such emails', async () => {
  const others = [
    { id: 5, email: 'BEN@x.test' },
    { id: 6, email: 'Eva@x.test' },
  ];
  await using server = listing([[ana, annie, ben, ...others]]);
  const error = await failure(
    find(server, 'ANA@x.test', 'ben@x.test', 'Ben@X.test', 'eva@x.test'),
    AmbiguousEmailsError,
  );
  expect(error).toMatchObject({
    code: 'ambiguous_emails',
    emails: ['ANA@x.test', 'Ben@X.test'],
    outcome: 'not_sent',
    retryable: false,
  });
  expect(error.message).toContain('ANA@x.test');
});

describe('a record without an email', () => {
  test('is nobody', async () => {
    await using server = listing([[nobody, ana]]);
    const { found, missing } = await find(server, 'ana@x.test', '', 'null');
    expect(idsOf(found)).toEqual([['ana@x.test', 1]]);
    expect(missing).toEqual(['', 'null']);
  });

  test.each([undefined, null, 7])(
    'is an error where no other has one: the service lists none (%j)',
    async (email) => {
      await using server = listing([[{ id: 7, email }, { id: 8 }]]);
      const error = await failure(find(server, 'a@b.test'), ConfigurationError);
      expect(error.message).toContain('does not list emails');
      expect(server.requests).toHaveLength(1);
    },
  );

  test('is none where nobody is listed', async () => {
    await using server = listing([[]]);
    expect((await find(server, 'a@b.test')).missing).toEqual(['a@b.test']);
  });
});

test.each([
  'a@b.test',
  [7],
  null,
  undefined,
  {},
  {
    *[Symbol.iterator]() {
      yield throwing(new Error('unreadable'))();
    },
  },
])('takes nothing but a list of emails: %j', async (emails) => {
  const { participants } = createClient({ url: 'https://h.test' });
  await failure(participants.findByEmail(emails as never), RequestValidationError);
});

test('passes the options of the call to each request', async () => {
  await using server = listing([people]);
  const controller = new AbortController();
  const options = { headers: { 'X-Job': '9' }, signal: controller.signal };
  await createClient(server).participants.findByEmail(['Zoë249@Example.test'], options);
  expect(server.requests.map(({ headers }) => headers['x-job'])).toEqual(['9', '9', '9']);
  controller.abort(new Error('enough'));
  expect(await rejection(createClient(server).participants.findByEmail(['a@b.test'], options))).toBe(
    controller.signal.reason,
  );
});

test('misses nobody who is there all the time while rows move and vanish', {
  timeout: 60_000,
}, async () => {
  let lost = 0;
  let failed = 0;
  let moved = 0;
  for (let seed = 1; seed <= numRuns(200); seed += 1) {
    const list = new MovingList(seed);
    await using server = startService(list.respond);
    const asked = [...list.staying, 'nobody@x.test'];
    const { missing } = await find(server, ...asked).catch((error: unknown) => {
      // An error is no silence.
      expect(error).toBeInstanceOf(ResponseFormatError);
      failed += 1;
      return { missing: ['nobody@x.test'] };
    });
    if (missing.length > 1) lost += 1;
    const passes = server.requests.filter(({ query }) => Number(query.get('page')) < 2).length;
    if (passes > 2) moved += 1;
    expect(missing).toContain('nobody@x.test');
  }
  expect(lost).toBe(0);
  expect(failed).toBeLessThan(numRuns(15));
  // One pass over the list misses somebody in half of the runs.
  expect(moved).toBeGreaterThan(numRuns(60));
});
