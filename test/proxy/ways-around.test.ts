import { describe, expect, test } from 'vitest';
import { apiKey, baseUrl, createProxied, json, origin, pageRequest } from './helpers.ts';

/** The participant who is signed in; every request about results is about them. */
const ME = 1;

function createGuarded() {
  return createProxied({
    allow: ['exams.retrieve', 'examResults.list', 'examParticipants.assign', 'webhooks.update'],
    authorize: (_, { operation }) => {
      if (operation === 'examResults.list') return { query: { participant_id: ME } };
      if (operation === 'examParticipants.assign') return { body: { participant_id: ME } };
      return true;
    },
  });
}

type Row = [name: string, target: string, init?: RequestInit];

const list = '/api/v1/exam-results';
const record = '/api/v1/exams/1';
const assign = '/api/v1/exam-participants/assign';

/** A request with these headers. */
const having = (headers: Record<string, string>): RequestInit => ({ headers });
/** A request from this origin, in a browser that does not say which site it comes from. */
const from = (other: string) => having({ 'sec-fetch-site': 'none', origin: other });
const post = (body: BodyInit, headers = {}): RequestInit => ({ method: 'POST', body, headers });

/** What never reaches the service, with the status that the page gets. */
const rejected: Readonly<Record<number, readonly Row[]>> = {
  403: [
    ['another operation', '/api/v1/participants'],
    ['another operation below an allowed path', '/api/v1/exams'],
    ['a record of another operation', '/api/v1/participants/7'],
    ['the prefix alone', '/api/v1'],
    ['the prefix and a slash', '/api/v1/'],
    ['the prefix twice', '/api/v1/api/v1/exam-results'],
    ['dot segments', '/api/v1/exam-results/../participants'],
    ['encoded dot segments', '/api/v1/exam-results/%2e%2e/participants'],
    ['dot segments behind an id', '/api/v1/exams/1/../../participants'],
    ['an encoded slash', '/api/v1/exams/1%2F..%2F..%2Fparticipants'],
    ['an encoded slash in lower case', '/api/v1/exams%2f1'],
    ['an encoded backslash', '/api/v1/exams/1%5C..%5Cparticipants'],
    ['a backslash', '/api/v1/exams/1\\..\\..\\participants'],
    ['a doubled slash', '/api/v1//exam-results'],
    ['a doubled slash before an id', '/api/v1/exams//1'],
    ['a slash at the end', '/api/v1/exam-results/'],
    ['a dot at the end', '/api/v1/exam-results.'],
    ['an extension', '/api/v1/exam-results.json'],
    ['a path parameter', '/api/v1/exam-results;participant_id=2'],
    ['a path parameter behind an id', '/api/v1/exams/1;a=b'],
    ['upper case', '/api/v1/Exam-Results'],
    ['an encoded letter', '/api/v1/exam%2Dresults'],
    ['an encoded question mark', '/api/v1/exam-results%3Fparticipant_id=2'],
    ['an encoded null', '/api/v1/exam-results%00'],
    ['an encoded line break', '/api/v1/exam-results%0d%0aX-Client-Key:%20k'],
    ['the template itself', '/api/v1/exams/{id}'],
    ['an id that is a word', '/api/v1/exams/mine'],
    ['an id of zero', '/api/v1/exams/0'],
    ['an id with a leading zero', '/api/v1/exams/01'],
    ['a negative id', '/api/v1/exams/-1'],
    ['a fraction', '/api/v1/exams/1.5'],
    ['an exponent', '/api/v1/exams/1e3'],
    ['an id beyond the safe integers', '/api/v1/exams/9007199254740993'],
    ['digits of another script', '/api/v1/exams/١'],
    ['a path below an id', '/api/v1/exams/1/results'],
    ['HEAD', list, { method: 'HEAD' }],
    ['OPTIONS', list, { method: 'OPTIONS' }],
    ['POST to a list', list, json({})],
    ['DELETE of a record', record, { method: 'DELETE' }],
    ['PUT in place of PATCH', '/api/v1/webhooks/4', json({ is_active: false }, 'PUT')],
    ['a method in lower case', '/api/v1/webhooks/4', json({ is_active: false }, 'patch')],
    ['a method of one’s own', list, { method: 'PURGE' }],
    ['a new secret by the route of an update', '/api/v1/webhooks/4', json({ rotate_secret: true }, 'PATCH')],
    ['another origin, as the browser says', record, having({ 'sec-fetch-site': 'cross-site' })],
    ['a sibling domain', record, having({ 'sec-fetch-site': 'same-site' })],
    ['two values of what the browser says', record, having({ 'sec-fetch-site': 'same-origin, cross-site' })],
    ['another origin, in an older browser', record, from('https://evil.example.test')],
    ['an origin that begins like ours', record, from(`${origin}.evil.test`)],
    ['an opaque origin', record, from('null')],
    ['an extension that is not listed', record, from('chrome-extension://abc')],
  ],
  404: [
    ['no prefix', '/exam-results'],
    ['another version', '/api/v2/exam-results'],
    ['a longer prefix', '/api/v1x/exam-results'],
    ['a path outside the prefix', '/participants'],
  ],
  400: [
    ['an undocumented parameter', '/api/v1/exam-results?debug=1'],
    ['a parameter in upper case', '/api/v1/exam-results?Participant_Id=2'],
    ['a parameter as PHP reads an array', '/api/v1/exam-results?participant_id[]=2'],
    ['a parameter as PHP reads a dot', '/api/v1/exam-results?participant.id=2'],
    ['a parameter as PHP reads a space', '/api/v1/exam-results?participant%20id=2'],
    ['a parameter with a null', '/api/v1/exam-results?participant_id%00=2'],
    ['a parameter of every object', '/api/v1/exam-results?__proto__=2&constructor=3'],
    ['a method override in the query', '/api/v1/exam-results?_method=DELETE'],
    ['a parameter of the body in the query', `${assign}?participant_id=2`, json({ exam_id: 3 })],
    ['a number in another notation', '/api/v1/exam-results?exam_id=0x10'],
    ['a number with a space', '/api/v1/exam-results?exam_id=%201'],
    ['an empty parameter', '/api/v1/exam-results?exam_id='],
    ['another parameter sent twice', '/api/v1/exam-results?exam_id=1&exam_id=2'],
    ['an undocumented field', assign, json({ exam_id: 3, is_admin: true })],
    ['a method override in the body', assign, json({ exam_id: 3, _method: 'DELETE' })],
    ['a field of every object', assign, json('{"__proto__":{"participant_id":2}}')],
    ['a list in place of an id', assign, json({ exam_id: [3] })],
    ['an object in place of an id', assign, json({ exam_id: { id: 3 } })],
    ['a list in place of the body', assign, json([{ exam_id: 3 }])],
    ['null in place of the body', assign, json('null')],
    ['a body that is not JSON', assign, json('{exam_id: 3}')],
    ['truth in another notation', '/api/v1/webhooks/4', json({ rotate_secret: 1 }, 'PATCH')],
  ],
  415: [
    ['a form', assign, post(new URLSearchParams({ exam_id: '3' }))],
    ['text, as a form can send it', assign, post('{"exam_id":3}')],
    ['a type that ends like JSON', assign, post('{}', { 'content-type': 'text/plain; application/json' })],
  ],
};

describe.each(Object.entries(rejected))('rejected with %s', (status, ways) => {
  test.each(ways)('%s: %s, of which the service hears nothing', async (_, target, init) => {
    const { proxy, sent, errors } = createGuarded();
    const response = await proxy(pageRequest(target, init));
    expect(response.status).toBe(Number(status));
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    if (init?.method !== 'HEAD') expect(await response.json()).toEqual({ message: expect.any(String) });
    expect(sent).toEqual([]);
    expect(errors).toEqual([]);
  });
});

const results = `${baseUrl}/exam-results?participant_id=${ME}`;
const exam = `${baseUrl}/exams/1`;

/** What reaches the service as the documented request that it is, and as no other. */
const rebuilt: [expected: string, ...Row][] = [
  [results, 'results without a filter', list],
  [results, 'results of somebody else', '/api/v1/exam-results?participant_id=2'],
  [results, 'a filter sent twice', '/api/v1/exam-results?participant_id=1&participant_id=2'],
  [results, 'an encoded name', '/api/v1/exam-results?p%61rticipant_id=2'],
  [results, 'an empty query', '/api/v1/exam-results?'],
  [results, 'a fragment', '/api/v1/exam-results#?participant_id=2'],
  [results, 'dot segments that lead to an allowed path', '/api/v1/exams/../exam-results'],
  [exam, 'an override of the method', record, having({ 'x-http-method-override': 'DELETE' })],
  [exam, 'an override of the address', record, having({ 'x-original-url': '/participants' })],
  [exam, 'another rewritten address', record, having({ 'x-rewrite-url': '/participants' })],
  [exam, 'a host', record, having({ 'x-forwarded-host': 'evil.test', forwarded: 'host=evil.test' })],
  [exam, 'cookies', record, having({ cookie: 'session=1', cookie2: 'a=b' })],
  [exam, 'credentials of the page', record, having({ authorization: 'Bearer x', 'x-client-key': 'mine' })],
  [exam, 'another type asked for', record, having({ accept: 'text/html', range: 'bytes=0-1' })],
];

test.each(rebuilt)('the service gets %s alone, for %s', async (expected, _, target, init) => {
  const { proxy, sent } = createGuarded();
  const response = await proxy(pageRequest(target, init));
  expect(response.status).toBe(200);
  const headers = { accept: 'application/json', 'x-client-key': apiKey };
  const rest = { method: 'GET', redirect: 'manual', signal: expect.any(AbortSignal) };
  expect(sent).toEqual([{ url: expected, headers, ...rest }]);
});

test.each(['/api/v1/participants/../exams/1', '/api/v1/x/%2E%2e/exams/1', '/api/v1\\exams/1'])(
  'the request of a library that keeps the path %s is not one for an exam',
  async (path) => {
    const { proxy, sent } = createGuarded();
    const request = pageRequest(path);
    expect(new URL(request.url).pathname).toBe(record);
    Object.defineProperty(request, 'url', { value: origin + path });
    expect((await proxy(request)).status).toBe(403);
    expect(sent).toEqual([]);
  },
);

test.each([
  ['left out', { exam_id: 3 }],
  ['of somebody else', { exam_id: 3, participant_id: 2 }],
  ['sent twice', '{"participant_id":2,"exam_id":3,"participant_id":4}'],
])('a participant in a body that is %s is the one who is signed in', async (_, body) => {
  const { proxy, sent } = createGuarded();
  await proxy(pageRequest(assign, json(body)));
  expect(sent.map(({ body }) => JSON.parse(String(body)))).toEqual([{ exam_id: 3, participant_id: ME }]);
});
