import { expect, test } from 'vitest';
import { ConfigurationError, RequestValidationError } from '../../../src/index.ts';
import { createClient, failure } from '../../helpers/client.ts';
import { startService } from '../../helpers/server.ts';

const people = Array.from({ length: 250 }, (_, index) => ({
  id: index + 1,
  email: `Zoë${index}@Example.test`,
}));

/** A service that lists these people, 100 on a page. */
const listing = (all: readonly object[]) =>
  startService(({ query }) => {
    const page = Number(query.get('page') ?? 1);
    const data = all.slice((page - 1) * 100, page * 100);
    return {
      body: { data, meta: { current_page: page, last_page: Math.ceil(all.length / 100), total: all.length } },
    };
  });

test('finds participants as an import compares emails, by the emails as they were given', async () => {
  await using server = await listing(people);
  const given = [
    'zoë3@example.test',
    ' ZOË249@example.TEST',
    'zoë3@example.test'.normalize('NFD'),
    'nobody@x.test',
  ];
  const { found, missing } = await createClient(server).participants.findByEmail(given);
  expect([...found].map(([email, { id }]) => [email, id])).toEqual([
    [given[0], 4],
    [given[1], 250],
    [given[2], 4],
  ]);
  expect(missing).toEqual(['nobody@x.test']);
});

test('reads no further than it has to, and nothing for nobody', async () => {
  await using server = await listing(people);
  const { participants } = createClient(server);
  expect(await participants.findByEmail(new Set())).toEqual({ found: new Map(), missing: [] });
  expect(server.requests).toHaveLength(0);
  await participants.findByEmail(['zoë150@example.test']);
  expect(server.requests.map(({ query }) => query.get('page'))).toEqual([null, '2']);
});

test.each([undefined, null, 7])('says that the service does not list emails: %j', async (email) => {
  await using server = await listing([people[0] ?? {}, { id: 7, email }]);
  const error = await failure(
    createClient(server).participants.findByEmail(['a@b.test']),
    ConfigurationError,
  );
  expect(error.message).toContain('does not list emails');
  expect(error.message).toContain('7');
});

test.each(['a@b.test', [7], null, undefined, {}])(
  'takes nothing but a list of emails: %j',
  async (emails) => {
    const { participants } = createClient({ url: 'https://h.test' });
    await failure(participants.findByEmail(emails as never), RequestValidationError);
  },
);

test('passes the options of the call to each request', async () => {
  await using server = await listing(people);
  const controller = new AbortController();
  const options = { headers: { 'X-Job': '9' }, signal: controller.signal };
  await createClient(server).participants.findByEmail(['zoë249@example.test'], options);
  expect(server.requests.map(({ headers }) => headers['x-job'])).toEqual(['9', '9', '9']);
});
