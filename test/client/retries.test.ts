import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  ApiError,
  ConnectionError,
  type ExamClient,
  ExamServiceError,
  type Fetch,
  ResponseFormatError,
  ResponseValidationError,
  TimeoutError,
} from '../../src/index.ts';
import { createClient, failure, nowhere } from '../helpers/client.ts';
import { operations } from '../helpers/operations.ts';
import { type Handler, startService, unusedUrl } from '../helpers/server.ts';

beforeEach(() => {
  // Full jitter makes the wait a random part of its limit: none of it here.
  vi.spyOn(Math, 'random').mockReturnValue(0);
});

const pair = { participant_id: 7, exam_id: 3 };
const idempotent = (client: ExamClient) => client.exams.retrieve(3);
const unprocessed = (client: ExamClient) => client.examParticipants.assign(pair);

/** How often the two kinds of operation are sent with two retries allowed. */
async function countAttempts(handler: Handler) {
  const counts: number[] = [];
  for (const call of [idempotent, unprocessed]) {
    await using server = startService(handler);
    const error = await failure(call(createClient(server, { maxRetries: 2 })), ExamServiceError);
    expect(error).toMatchObject({ attempts: server.requests.length });
    counts.push(server.requests.length);
  }
  return { idempotent: counts[0], unprocessed: counts[1] };
}

const both = { idempotent: 3, unprocessed: 3 };
const onlyIdempotent = { idempotent: 3, unprocessed: 1 };
const never = { idempotent: 1, unprocessed: 1 };

const tried = [
  [both, 429, 503],
  [onlyIdempotent, 408, 425, 500, 502, 504, 506, 507, 509, 511, 520, 527, 528, 529, 530],
  [never, 304, 400, 401, 403, 404, 405, 409, 413, 419, 422, 501, 505],
] as const;

test.each(tried.flatMap(([expected, ...statuses]) => statuses.map((status) => [status, expected] as const)))(
  'status %i is tried: %o',
  async (status, expected) => {
    const headers = status === 429 ? { 'Retry-After': '0.01' } : {};
    expect(await countAttempts(() => ({ status, headers }))).toEqual(expected);
  },
);

test.each<[string, Handler]>([
  ['before the response', (_, { reset }) => reset()],
  [
    'in the middle of the body',
    (_, { begin, reset }) => {
      begin({ headers: { 'Content-Length': '100' } }, '{');
      return reset();
    },
  ],
])('a connection that is reset %s is tried again only where that does no harm', async (_, handler) => {
  expect(await countAttempts(handler)).toEqual(onlyIdempotent);
});

test('a refused connection is tried again for every operation, as nothing arrived', async () => {
  const client = createClient({ url: await unusedUrl() }, { maxRetries: 2 });
  for (const { name, call } of operations) {
    const error = await failure(call(client), ConnectionError);
    expect([name, error.attempts]).toEqual([name, 3]);
  }
});

test.each(operations)('$name is repeated like any $retry operation', async ({ call, retry, response }) => {
  await using failing = startService({ status: 500 });
  await failure(call(createClient(failing, { maxRetries: 1 })), ApiError);
  expect(failing.requests).toHaveLength(retry === 'idempotent' ? 2 : 1);
  await using busy = startService([{ status: 503 }, response]);
  await call(createClient(busy, { maxRetries: 1 }));
  expect(busy.requests).toHaveLength(2);
});

test.each([
  ['GET', 2],
  ['PUT', 2],
  ['DELETE', 2],
  ['POST', 1],
  ['PATCH', 1],
] as const)('a custom %s is sent %i times where the service fails with 500', async (method, attempts) => {
  await using server = startService({ status: 500 });
  const client = createClient(server, { maxRetries: 1 });
  const error = await failure(client.request({ method, path: '/x', auth: 'bearer' }), ApiError);
  expect(error.attempts).toBe(attempts);
});

const system = (code: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
const several = (...codes: string[]) =>
  new TypeError('fetch failed', {
    cause: new AggregateError(
      codes.map((code) => system(code).cause),
      '',
    ),
  });

test.each([
  [system('ECONNREFUSED'), 2],
  [system('ENOTFOUND'), 2],
  [system('EAI_AGAIN'), 2],
  [Object.assign(new Error('Unable to connect'), { code: 'ConnectionRefused' }), 2],
  // Words of Deno, which may be about the second time that it sends a request, after the first has come through.
  [new TypeError('error sending request: tcp connect error: Connection refused (os error 111)'), 1],
  [new TypeError('error sending request: dns error: failed to lookup address information'), 1],
  [several('ECONNREFUSED', 'ECONNREFUSED'), 2],
  [several('ECONNREFUSED', 'ECONNRESET'), 1],
  [several(), 1],
  [Object.assign(new Error('reset: the proxy says connection refused'), { code: 'ECONNRESET' }), 1],
  [system('ECONNRESET'), 1],
  [system('ETIMEDOUT'), 1],
  [system('UND_ERR_SOCKET'), 1],
  [system('EPIPE'), 1],
  [new TypeError('Failed to fetch'), 1],
  [new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } }), 1],
  ['ECONNREFUSED', 1],
  [undefined, 1],
])('an assignment that fails with %s is sent %i times', async (reason, attempts) => {
  const fetch: Fetch = () => Promise.reject(reason);
  const client = createClient(nowhere, { fetch, maxRetries: 1 });
  expect((await failure(unprocessed(client), ConnectionError)).attempts).toBe(attempts);
  expect((await failure(idempotent(client), ConnectionError)).attempts).toBe(2);
});

test('an attempt that takes too long is repeated only where that does no harm', async () => {
  const fetch: Fetch = () => new Promise(() => {});
  const client = createClient(nowhere, { fetch, maxRetries: 2, timeout: 1 });
  expect((await failure(idempotent(client), TimeoutError)).attempts).toBe(3);
  expect((await failure(unprocessed(client), TimeoutError)).attempts).toBe(1);
});

describe('a success that cannot be read is never repeated', () => {
  test.each([
    ['HTML', '<html>', ResponseFormatError],
    ['cut JSON', '{"id":', ResponseFormatError],
    ['another shape', '{"name":"Logic"}', ResponseValidationError],
  ])('%s', async (_, body, expected) => {
    await using server = startService({ body });
    const error = await failure<ExamServiceError>(
      idempotent(createClient(server, { maxRetries: 2 })),
      expected,
    );
    expect(error).toMatchObject({ attempts: 1 });
    expect(server.requests).toHaveLength(1);
  });
});

describe('maxRetries', () => {
  test.each([0, 1, 4])('of %i allows so many attempts more', async (maxRetries) => {
    await using server = startService({ status: 503 });
    const error = await failure(idempotent(createClient(server, { maxRetries })), ApiError);
    expect(error.attempts).toBe(maxRetries + 1);
    expect(error.message).toMatch(maxRetries > 0 ? `(after ${maxRetries + 1} attempts)` : /Unavailable\.$/);
    expect(server.requests).toHaveLength(maxRetries + 1);
  });

  test('is 2 by default', async () => {
    await using server = startService({ status: 503 });
    await failure(idempotent(createClient(server, { maxRetries: undefined })), ApiError);
    expect(server.requests).toHaveLength(3);
  });

  test('of a call wins over that of the client, 0 included', async () => {
    await using server = startService({ status: 503 });
    const client = createClient(server, { maxRetries: 5 });
    await failure(client.exams.retrieve(3, { maxRetries: 0 }), ApiError);
    expect(server.requests).toHaveLength(1);
  });
});

test('every attempt sends the same body, also when the caller changes the input meanwhile', async () => {
  await using server = startService([{ status: 500 }, { status: 502 }, { status: 201, body: {} }]);
  const row = { email: 'ada@example.test', name: 'Ada', password: 'first-password' };
  const rows = [row];
  const call = createClient(server, {
    maxRetries: 2,
    hooks: { onRequest: () => Object.assign(row, { name: 'changed' }) },
  }).participants.import(rows);
  await call;
  const texts = server.requests.map(({ text }) => text);
  expect(texts).toHaveLength(3);
  expect(new Set(texts).size).toBe(1);
  expect(server.requests[2]?.body).toMatchObject({ participants: [{ name: 'Ada' }] });
});

test('the result says how many attempts it took', async () => {
  await using server = startService([{ status: 503 }, { body: { id: 3 } }]);
  const { meta } = await idempotent(createClient(server, { maxRetries: 2 })).withResponse();
  expect(meta.attempts).toBe(2);
});

test('a page fetched later has retries of its own', async () => {
  const page = (id: number) => ({ body: { data: [{ id }], current_page: id, last_page: 2 } });
  await using server = startService([{ status: 503 }, page(1), { status: 503 }, page(2)]);
  const exams = createClient(server, { maxRetries: 1 }).exams.list();
  expect((await exams.toArray({ maxItems: 10 })).map(({ id }) => id)).toEqual([1, 2]);
});

test('what was rejected before a connection failed was sent, and did nothing', async () => {
  const cause = Object.assign(new Error('connect'), { syscall: 'connect', code: 'ECONNREFUSED' });
  let sent = 0;
  const fetch: Fetch = async () => {
    sent += 1;
    if (sent > 1) throw new TypeError('fetch failed', { cause });
    return Response.json({}, { status: 503 });
  };
  const client = createClient(nowhere, { fetch, maxRetries: 1 });
  const error = await failure(client.examParticipants.assign(pair), ConnectionError);
  expect(error).toMatchObject({ outcome: 'rejected', retryable: true, attempts: 2 });
});
