import { describe, expect, test } from 'vitest';
import {
  type ExamClient,
  type Fetch,
  type FetchInit,
  type ListOptions,
  RequestValidationError,
} from '../../src/index.ts';
import { createClient, failure, nowhere } from '../helpers/client.ts';
import { withGetters } from '../helpers/getters.ts';

interface Sent extends FetchInit {
  readonly url: string;
  readonly [option: string]: unknown;
}

/** A client that notes what is sent; its lists have three pages of one item. */
function recording() {
  const sent: Sent[] = [];
  const fetch: Fetch = async (url, init) => {
    sent.push({ ...init, url });
    const page = Number(new URL(url).searchParams.get('page') ?? 1);
    return Response.json(page > 3 ? [] : [{ id: page }]);
  };
  return { client: createClient(nowhere, { fetch }), sent };
}

const bodies: [
  string,
  (client: ExamClient, change: (undo: () => void) => void) => Promise<unknown>,
  unknown,
][] = [
  [
    'the rows of an import',
    (client, later) => {
      const rows = [{ email: 'a@b.test', name: 'Ada', password: 'first-1' }];
      const call = client.participants.import(rows);
      later(() => {
        Object.assign(rows[0] ?? {}, { password: 'second-2' });
        rows.push({ email: 'c@d.test', name: 'Bo', password: 'third-3' });
      });
      return call;
    },
    { participants: [{ email: 'a@b.test', name: 'Ada', password: 'first-1' }] },
  ],
  [
    'the changes of an update',
    (client, later) => {
      const changes = { name: 'Ada' };
      const call = client.participants.update(3, changes);
      later(() => Object.assign(changes, { name: 'Bo', password: 'late' }));
      return call;
    },
    { name: 'Ada' },
  ],
  [
    'a pair',
    (client, later) => {
      const pair = { participant_id: 1, exam_id: 2 };
      const call = client.examParticipants.assign(pair);
      later(() => Object.assign(pair, { exam_id: 9 }));
      return call;
    },
    { participant_id: 1, exam_id: 2 },
  ],
  [
    'the body of a request of its own',
    (client, later) => {
      const inner = { deep: [1] };
      const request = { method: 'POST', path: '/x', auth: 'bearer', body: { inner } } as const;
      const call = client.request(request);
      later(() => {
        inner.deep.push(2);
        Object.assign(request, { path: '/other' });
      });
      return call;
    },
    { inner: { deep: [1] } },
  ],
];

test.each(bodies)('%s are sent as they were at the call', async (_, run, expected) => {
  const { client, sent } = recording();
  await run(client, (change) => change()).catch(() => {});
  expect(JSON.parse(String(sent[0]?.body))).toEqual(expected);
  expect(sent[0]?.url).not.toContain('other');
});

test.each([
  ['a plain object', (headers: Record<string, string>) => headers],
  ['Headers', (headers: Record<string, string>) => new Headers(headers)],
])('headers as %s are sent as they were at the call', async (_, make) => {
  const { client, sent } = recording();
  const headers = make({ 'x-tag': 'first' });
  const call = client.exams.list({}, { headers });
  if (headers instanceof Headers) headers.set('x-tag', 'second');
  else headers['x-tag'] = 'second';
  await call;
  expect(sent[0]?.headers['x-tag']).toBe('first');
});

test('options and fetchOptions are used as they were at the call', async () => {
  const { client, sent } = recording();
  const fetchOptions = { cache: 'no-store' };
  const options = { fetchOptions, headers: { 'x-tag': 'first' } };
  const call = client.exams.list({}, options);
  fetchOptions.cache = 'reload';
  options.headers = { 'x-tag': 'second' };
  Object.assign(options, { timeout: -1, signal: AbortSignal.abort(), unknown: 1 });
  await call;
  expect(sent[0]).toMatchObject({ cache: 'no-store', headers: { 'x-tag': 'first' } });
});

describe('an iteration', () => {
  test('sends the query and options of the call with every page', async () => {
    const { client, sent } = recording();
    const query = { limit: 1 };
    const options = {
      headers: { 'x-tag': 'first' },
      fetchOptions: { cache: 'no-store' },
      query: { tag: ['a', 'b'] },
    };
    for await (const _ of client.participants.list(query, options)) {
      Object.assign(query, { limit: 50, late: 'x' });
      options.query.tag.push('c');
      options.headers['x-tag'] = 'second';
      options.fetchOptions.cache = 'reload';
    }
    expect(sent.length).toBeGreaterThan(2);
    for (const { url, headers, cache } of sent) {
      expect(url).toMatch(/\?limit=1&tag=a&tag=b(&page=\d)?$/);
      expect({ cache, tag: headers['x-tag'] }).toEqual({ cache: 'no-store', tag: 'first' });
    }
  });

  test('keeps to the bounds and the signal of the call', async () => {
    const { client } = recording();
    const options = { maxItems: 2 };
    const list = client.exams.list({}, options);
    Object.assign(options, { maxItems: 1, signal: AbortSignal.abort('late') });
    expect(await list.toArray({ maxItems: 10 })).toEqual([{ id: 1 }, { id: 2 }]);
  });
});

test('an import of many batches sends the headers of its call with each', async () => {
  const { client, sent } = recording();
  const headers = { 'x-tag': 'first' };
  const row = { email: 'a@b.test', name: 'Ada', password: 'first-1' };
  const onProgress = () => {
    headers['x-tag'] = 'second';
  };
  await client.participants.importAll([row, { ...row, email: 'c@d.test' }], {
    batchSize: 1,
    headers,
    onProgress,
  });
  expect(sent.map((each) => each.headers['x-tag'])).toEqual(['first', 'first']);
});

describe('a getter is called once', () => {
  const once = (reads: Record<string, number>, names: string[]) =>
    expect(reads).toEqual(Object.fromEntries(names.map((name) => [name, 1])));

  test('in a row, a query and the changes of a call', async () => {
    const { client } = recording();
    const row = withGetters({ email: 'a@b.test', name: 'Ada', password: 'first-1' });
    await client.participants.import([row.object]);
    once(row.reads, ['email', 'name', 'password']);
    const query = withGetters({ limit: 1, page: 1 });
    const further = withGetters({ tag: 'a' });
    await client.participants.list(query.object, { query: further.object }).toArray({ maxItems: 3 });
    once(query.reads, ['limit', 'page']);
    once(further.reads, ['tag']);
  });

  test('in a request of its own', async () => {
    const { client } = recording();
    const query = withGetters({ tag: ['a', 'b'] });
    const body = withGetters({ deep: 1 });
    const parts = {
      method: 'POST',
      path: '/x',
      auth: 'bearer',
      query: query.object,
      body: body.object,
    } as const;
    const request = withGetters(parts);
    await client.request(request.object);
    once(query.reads, ['tag']);
    once(body.reads, ['deep']);
    once(request.reads, Object.keys(parts));
  });

  test('to judge a request of its own: what it says later changes nothing', async () => {
    const { client, sent } = recording();
    const methods = ['PURGE', 'DELETE'];
    const request = {
      get method() {
        return (methods.shift() ?? 'DELETE') as 'DELETE';
      },
      path: '/x',
      auth: 'bearer',
    } as const;
    const { issues } = await failure(client.request(request), RequestValidationError);
    expect(issues).toEqual([{ path: 'method', message: 'must be one of GET, POST, PUT, PATCH, DELETE' }]);
    expect(sent).toEqual([]);
  });

  test('in the options of a call, and in what they hold', async () => {
    const { client } = recording();
    const headers = withGetters({ 'x-tag': 'first' });
    const fetchOptions = withGetters({ cache: 'no-store' });
    const given: ListOptions = {
      ...{ timeout: 1_000, totalTimeout: 2_000, maxRetries: 0, validation: 'report' as const },
      ...{ maxItems: 3, maxPages: 3, concurrency: 2, signal: new AbortController().signal },
      ...{ headers: headers.object, fetchOptions: fetchOptions.object },
    };
    const options = withGetters(given);
    await client.exams.list({}, options.object).toArray({ maxItems: 3 });
    once(options.reads, Object.keys(given));
    once(headers.reads, ['x-tag']);
    once(fetchOptions.reads, ['cache']);
  });
});

test('options that are inherited hold as well', async () => {
  const { client, sent } = recording();
  await client.exams.list({}, Object.create({ headers: { 'x-tag': 'inherited' } }));
  expect(sent[0]?.headers['x-tag']).toBe('inherited');
});
