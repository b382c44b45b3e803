import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { longOrShort } from '../helpers/requirements.ts';
import { apiKey, baseUrl, createProxied, origin } from './helpers.ts';

const runs = longOrShort(20_000, 2_000);
const ME = 1;

const pieces = fc.constantFrom(
  ...['/', '//', '/.', '/..', '%2f', '%2e%2e', '%5c', '\\', ';', '%00', '%', '#', '@', ':'],
  ...['1', '07', '9'.repeat(17)],
  ...['exams', 'exam-results', 'participants', 'import', 'webhooks', 'deliveries', 'api/v1', '{id}', 'é'],
);
const path = fc.oneof(
  fc.constantFrom('/exams/1', '/exam-results', '/webhooks/4'),
  fc.constantFrom('/exam-participants/assign', '/exam-participants/link'),
  fc.array(pieces, { maxLength: 6 }).map((parts) => `/${parts.join('')}`),
);
const name = fc.constantFrom(
  ...Array<string[]>(4).fill(['participant_id', 'exam_id', 'page']).flat(),
  ...['limit', 'participant_id[]', 'Participant_id', 'participant.id', '_method', '__proto__'],
  ...['constructor', 'is_admin', 'rotate_secret'],
);
const text = fc.constantFrom('1', '2', '', '01', '1e1', ' 1', 'x', '1,2', '٢');
const value = fc.oneof(text, fc.string({ maxLength: 5 }));
const filter = fc.tuple(fc.constantFrom('participant_id', 'page', 'exam_id'), fc.constantFrom('1', '2'));
const filters = fc.uniqueArray(filter, { maxLength: 3 });
const query = fc.oneof(fc.array(fc.tuple(name, value), { maxLength: 4 }), filters);
const any = fc.oneof(fc.integer({ min: -1, max: 3 }), value, fc.boolean(), fc.array(fc.integer()));
const fields = fc.dictionary(name, any, { maxKeys: 3 }).map((one) => JSON.stringify(one));
const body = fc.oneof(fc.constant(null), fc.string({ maxLength: 10 }), fields);
const header = fc.constantFrom<[string, string]>(
  ['cookie', 'session=secret-cookie'],
  ['authorization', 'Bearer of-the-page'],
  ['x-client-key', 'of-the-page'],
  ['x-http-method-override', 'DELETE'],
  ['x-original-url', '/api/v1/participants'],
  ['x-forwarded-for', '127.0.0.1'],
  ['sec-fetch-site', 'cross-site'],
  ['origin', 'https://evil.example.test'],
  ['content-type', 'application/json'],
  ['content-type', 'text/plain'],
  ['transfer-encoding', 'chunked'],
);

const common = ['GET', 'GET', 'GET', 'POST', 'POST', 'PATCH', 'PUT', 'DELETE'];
const method = fc.constantFrom(...common, 'HEAD', 'OPTIONS', 'PURGE', 'get', 'patch');
/** Every second one is an operation that is allowed: there query, body and headers decide. */
const operation = fc.oneof(
  fc.record({ method, path }),
  fc.constantFrom(
    { method: 'GET', path: '/exams/1' },
    { method: 'GET', path: '/exam-results' },
    { method: 'POST', path: '/exam-participants/assign' },
  ),
);
const headers = fc.oneof(fc.constant<[string, string][]>([]), fc.array(header, { maxLength: 4 }));
const request = fc
  .record({ operation, query, body, headers })
  .map(({ operation: { method, path }, ...rest }) => ({ method, path, ...rest }));

/** The only requests that the proxy of this test may send. */
const filtered = '(?=(.*&)?participant_id=1(&|$))((page|limit|exam_id|participant_id)=[1-9]\\d*&?)+';
const permitted = new RegExp(
  `^(GET /exams/[1-9]\\d*|GET /exam-results\\?${filtered}|POST /exam-participants/assign)$`,
);

test(`of ${runs} requests none reaches the service that is not allowed, and no response holds the key`, async () => {
  let reached = 0;
  const { proxy, sent } = createProxied(
    {
      allow: ['exams.retrieve', 'examResults.list', 'examParticipants.assign'],
      authorize: (_, { operation }) => {
        if (operation === 'examResults.list') return { query: { participant_id: ME } };
        return operation === 'examParticipants.assign' ? { body: { participant_id: ME } } : true;
      },
    },
    ({ headers }) =>
      Response.json(
        { message: `You sent ${JSON.stringify(headers)}`, headers },
        { status: 400, headers: { 'set-cookie': 'a=b' } },
      ),
  );
  await fc.assert(
    fc.asyncProperty(request, async ({ method, path: below, query: parameters, body: text, headers }) => {
      const search = parameters.length === 0 ? '' : `?${new URLSearchParams(parameters)}`;
      const hasBody = !/^(get|head)$/i.test(method);
      const target = `${origin}/api/v1${below}${search}`;
      const response = await proxy(new Request(target, { method, headers, body: hasBody ? text : null }));
      expect(await response.text()).not.toContain(apiKey);
      expect(JSON.stringify([...response.headers])).not.toMatch(/set-cookie|the\/key/);
      for (const { url, method: used, headers: given, body: content } of sent.splice(0)) {
        reached += 1;
        const line = `${used} ${url.slice(baseUrl.length)}`;
        expect(line).toMatch(permitted);
        const { 'content-type': type, ...others } = given;
        expect(others).toEqual({ accept: 'application/json', 'x-client-key': apiKey });
        if (content === undefined) continue;
        expect(type).toBe('application/json');
        const { participant_id, exam_id = 1, ...rest } = JSON.parse(content);
        expect([participant_id, Number.isSafeInteger(exam_id) && exam_id > 0, rest]).toEqual([ME, true, {}]);
      }
    }),
    { numRuns: runs },
  );
  // The requests are not so wild that all of them are rejected.
  expect(reached).toBeGreaterThan(runs / 50);
});
