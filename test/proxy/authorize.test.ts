import { runInNewContext } from 'node:vm';
import { describe, expect, test, vi } from 'vitest';
import { ExamServiceError, type ProxyCall, type ProxyOptions } from '../../src/proxy/index.ts';
import { throwing } from '../helpers/client.ts';
import { createGate, never } from '../helpers/gate.ts';
import { createProxied, everything, json, pageRequest, read } from './helpers.ts';

type Authorize = ProxyOptions['authorize'];

const deciding = (authorize: Authorize) => createProxied({ authorize });
/** What no typed program returns, and a program without types may. */
const returning = (decision: unknown) => deciding((() => decision) as Authorize);
/** As an ORM or a session library may give it. */
class Scope {
  exam_id = 1;
  get participant_id() {
    return 1;
  }
}
class Decision {
  query = { participant_id: 1 };
}

const results = () => pageRequest('/api/v1/exam-results?limit=5');

describe('`authorize`', () => {
  test('gets the request and what the page asks for, with numbers as numbers', async () => {
    const calls: [Request, ProxyCall][] = [];
    const { proxy } = deciding((request, call) => {
      calls.push([request, call]);
      return true;
    });
    const requests = [
      pageRequest('/api/v1/exam-results?participant_id=7&limit=5', { headers: { cookie: 'session=1' } }),
      pageRequest('/api/v1/webhooks/4', json({ description: null }, 'PATCH')),
      pageRequest('/api/v1/exam-participants/assign', json({ exam_id: '3' })),
    ];
    for (const request of requests) await proxy(request);
    expect(calls.map(([, call]) => call)).toEqual([
      { operation: 'examResults.list', path: {}, query: { participant_id: 7, limit: 5 }, body: undefined },
      { operation: 'webhooks.update', path: { id: 4 }, query: {}, body: { description: null } },
      { operation: 'examParticipants.assign', path: {}, query: {}, body: { exam_id: 3 } },
    ]);
    expect(calls.map(([request]) => request)).toEqual(requests);
    expect(calls[0]?.[0].headers.get('cookie')).toBe('session=1');
  });

  test('does not see a parameter that is sent twice, which is rejected unless it is forced', async () => {
    const queries: object[] = [];
    const { proxy, sent } = deciding((_, { query }) => {
      queries.push(query);
      return true;
    });
    const twice = pageRequest('/api/v1/exam-results?participant_id=1&participant_id=2');
    expect(await read(proxy(twice))).toEqual([400, 'The query has `participant_id` more than once.']);
    expect(queries).toEqual([{}]);
    expect(sent).toEqual([]);
  });

  describe.each([
    ['neither cookie nor Authorization', {}],
    ['a cookie', { cookie: 'session=1' }],
    ['an Authorization header', { authorization: 'Bearer x' }],
  ])('alone says who is known: to a request with %s', (_, headers) => {
    test.each([
      ['null', 401, null],
      ['false', 403, false],
    ])('%s is %i', async (_name, status, decision) => {
      const { proxy, sent, errors } = deciding(async () => decision);
      expect((await proxy(pageRequest('/api/v1/exams', { headers }))).status).toBe(status);
      expect(sent).toEqual([]);
      expect(errors).toEqual([]);
    });
  });

  test.each([
    ['returned', () => Response.redirect('https://login.example.test/', 303)],
    ['thrown', throwing(Response.redirect('https://login.example.test/', 303))],
  ])('gives the response itself with a Response that is %s', async (_, give) => {
    const { proxy, sent, errors } = deciding(give);
    const response = await proxy(results());
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe('https://login.example.test/');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(sent).toEqual([]);
    expect(errors).toEqual([]);
  });

  test.each([
    ['used up, as one made once and given to every request', new Response('Not you.', { status: 403 })],
    ['an error of the network', Response.error()],
  ])('fails the request with a Response that is %s, and `onError` hears of it', async (_, shared) => {
    await shared.text();
    const { proxy, sent, errors } = deciding(() => shared);
    expect((await proxy(results())).status).toBe(500);
    expect(errors).toMatchObject([{ name: 'ConfigurationError', cause: expect.any(Error) }]);
    expect(sent).toEqual([]);
  });

  test('forces parameters and fields over what the page sent', async () => {
    const query = { participant_id: '7', exam_id: 3 };
    const { proxy, sent } = deciding((_, { operation }) =>
      operation === 'examResults.list' ? { query } : { body: { name: 'Ana' } },
    );
    await proxy(pageRequest('/api/v1/exam-results?participant_id=1&exam_id=2&page=4'));
    await proxy(pageRequest('/api/v1/participants/7', json({ name: 'x', password: 'p' }, 'PUT')));
    expect(sent.map(({ url, body }) => [new URL(url).search, body])).toEqual([
      ['?participant_id=7&exam_id=3&page=4', undefined],
      ['', '{"name":"Ana","password":"p"}'],
    ]);
  });

  test.each([
    ['an error', new Error('The session store is down.')],
    ['anything else', 'no'],
  ])('fails the request when it throws %s, and `onError` hears of it', async (_, thrown) => {
    const { proxy, sent, errors } = deciding(throwing(thrown));
    expect(await read(proxy(results()))).toEqual([500, 'The proxy failed.']);
    expect(errors).toEqual([thrown]);
    expect(sent).toEqual([]);
  });

  test.each([
    ['nothing', undefined],
    ['a word', 'yes'],
    ['a number', 1],
    ['an empty object', {}],
    ['an empty query', { query: {} }],
    ['an empty body beside a query', { query: { participant_id: 1 }, body: {} }],
    ['a list', [{ query: { participant_id: 1 } }]],
    ['an instance of a class with getters', { query: new Scope() }],
    ['a decision that is an instance of a class', new Decision()],
    ['an object that inherits its values', { query: Object.create({ participant_id: 1 }) }],
    ['a decision that inherits its query', Object.create({ query: { participant_id: 1 } })],
    ['a Map', { query: new Map([['participant_id', 1]]) }],
    ['a Map of values beside a value', { query: Object.assign(new Map(), { exam_id: 1 }) }],
    ['a misspelt part', { querry: { participant_id: 1 } }],
    ['one part too many', { query: {}, path: { id: 1 } }],
    ['a misspelt parameter', { query: { participantId: 1 } }],
    ['a parameter that is missing', { query: { participant_id: undefined } }],
    ['a parameter that is null', { query: { participant_id: null } }],
    ['a parameter that is no id', { query: { participant_id: Number.NaN } }],
    ['a list of ids', { query: { participant_id: [1, 2] } }],
    ['a query that is missing', { query: undefined }],
    ['two parts that are missing', { query: undefined, body: undefined }],
    ['a body where there is none', { body: { participant_id: 1 } }],
  ])('opens nothing when it returns %s', async (_, decision) => {
    const { proxy, sent, errors } = returning(decision);
    const response = await proxy(results());
    expect(response.status).toBe(500);
    const message = expect.stringMatching(/^`authorize\(examResults\.list\)/);
    expect(errors).toMatchObject([{ name: 'ConfigurationError', outcome: 'not_sent', message }]);
    expect(sent).toEqual([]);
  });

  test('forces the one part where the other is undefined', async () => {
    const { proxy, sent } = returning({ query: { participant_id: 7 }, body: undefined });
    await proxy(pageRequest('/api/v1/exam-results'));
    expect(sent.map(({ url }) => new URL(url).search)).toEqual(['?participant_id=7']);
  });

  test.each([
    ['without a prototype', Object.assign(Object.create(null), { participant_id: 7 })],
    ['of another realm', runInNewContext('({ participant_id: 7 })')],
    ['with a getter', Object.defineProperty({}, 'participant_id', { get: () => 7, enumerable: true })],
  ])('may return a plain object %s', async (_, query) => {
    const { proxy, sent, errors } = returning({ query });
    await proxy(pageRequest('/api/v1/exam-results?participant_id=1'));
    expect(errors).toEqual([]);
    expect(sent.map(({ url }) => new URL(url).search)).toEqual(['?participant_id=7']);
  });

  test('that never decides is given up after `timeout`, and `onError` hears of it', async () => {
    const { proxy, sent, errors } = createProxied({ timeout: 20, authorize: never });
    expect(await read(proxy(results()))).toEqual([500, 'The proxy failed.']);
    const facts = { reason: 'authorize_timeout', outcome: 'not_sent', operation: 'examResults.list' };
    expect(errors).toMatchObject([{ name: 'ProxyError', ...facts }]);
    expect(errors[0]).toBeInstanceOf(ExamServiceError);
    expect(sent).toEqual([]);
  });

  test('is not waited for when the page has gone', async () => {
    const page = new AbortController();
    const asked = createGate();
    const { proxy, sent, errors } = deciding(() => {
      asked.open();
      return never();
    });
    const responding = proxy(pageRequest('/api/v1/exams', { signal: page.signal }));
    await asked.promise;
    page.abort();
    expect((await responding).status).toBe(500);
    expect([sent, errors]).toEqual([[], []]);
  });

  test('is not asked about what is not allowed or not understood', async () => {
    const authorize = vi.fn(() => true);
    const { proxy } = createProxied({ allow: everything.filter((id) => id !== 'exams.list'), authorize });
    await proxy(pageRequest('/api/v1/exams'));
    await proxy(pageRequest('/api/v1/exam-results?limit=x'));
    await proxy(pageRequest('/api/v1/exam-results', { headers: { 'sec-fetch-site': 'cross-site' } }));
    expect(authorize).not.toHaveBeenCalled();
  });
});
