import { describe, expect, test, vi } from 'vitest';
import {
  type ClientOptions,
  ConfigurationError,
  ConnectionError,
  type ExamClient,
  ExamServiceError,
  type Fetch,
  InternalServerError,
  RedirectError,
  type RequestOptions,
  ResponseFormatError,
  ResponseValidationError,
  TimeoutError,
} from '../../../src/index.ts';
import { createClient, failure, nowhere } from '../../helpers/client.ts';
import { type Handler, type ServiceResponse, startService, unusedUrl } from '../../helpers/server.ts';

type Verdict = Pick<ExamServiceError, 'outcome' | 'retryable'>;

const rows = [{ email: 'ada@example.test', name: 'Ada', password: 'first-password-1' }];

/** An operation that may be sent twice, and one that may not. */
const idempotent = (client: ExamClient, options?: RequestOptions) =>
  client.participants.import(rows, options);
const unprocessed = (client: ExamClient, options?: RequestOptions) =>
  client.examParticipants.assign({ participant_id: 7, exam_id: 3 }, options);

const again = (outcome: Verdict['outcome']): Verdict => ({ outcome, retryable: true });
const never = (outcome: Verdict['outcome']): Verdict => ({ outcome, retryable: false });

const rejectedStatuses = [400, 401, 402, 403, 404, 405, 409, 410, 413, 415, 418, 419, 422, 423, 451, 499];

/** What each response says of an idempotent operation and of one that may not be done twice. */
const verdicts: [string, ServiceResponse, Verdict, Verdict][] = [
  ...rejectedStatuses.map((status): [string, ServiceResponse, Verdict, Verdict] => [
    `status ${status}`,
    { status, body: {} },
    never('rejected'),
    never('rejected'),
  ]),
  ['status 304', { status: 304 }, again('unknown'), never('unknown')],
  ['status 408', { status: 408 }, again('unknown'), never('unknown')],
  ['status 429', { status: 429 }, again('rejected'), again('rejected')],
  ['status 500', { status: 500 }, again('unknown'), never('unknown')],
  ['status 501', { status: 501 }, never('unknown'), never('unknown')],
  ['status 502', { status: 502 }, again('unknown'), never('unknown')],
  ['status 503', { status: 503 }, again('rejected'), again('rejected')],
  ['status 504', { status: 504 }, again('unknown'), never('unknown')],
  ['status 520', { status: 520 }, again('unknown'), never('unknown')],
  ['status 599', { status: 599 }, again('unknown'), never('unknown')],
  ['a redirect to where the service moved', { status: 308 }, never('rejected'), never('rejected')],
  ['a redirect as after a form that was taken', { status: 302 }, never('unknown'), never('unknown')],
  ['a redirect to see the result', { status: 303 }, never('unknown'), never('unknown')],
  ['a page of HTML', { body: '<html>' }, again('unknown'), never('unknown')],
  ['a text that is no JSON', { body: 'Down for maintenance' }, again('unknown'), never('unknown')],
  ['JSON that is cut short and not marked as such', { body: '{"message"' }, again('done'), never('done')],
  [
    'JSON that is cut short',
    { body: '{"message"', headers: { 'Content-Type': 'application/json' } },
    again('done'),
    never('done'),
  ],
  ['success: false', { body: { success: false } }, never('rejected'), never('rejected')],
  ['success: 0', { body: { success: 0 } }, never('rejected'), never('rejected')],
  ['an error and nothing else', { body: { error: 'Exam is full' } }, never('unknown'), never('unknown')],
];

test.each(verdicts)('%s has its verdict, by what the operation allows', async (_, response, safe, unsafe) => {
  await using server = startService(response);
  const client = createClient(server);
  expect(await failure(idempotent(client), ExamServiceError)).toMatchObject(safe);
  expect(await failure(unprocessed(client), ExamServiceError)).toMatchObject(unsafe);
});

async function verdictsOf(fetch: Fetch, options: ClientOptions = {}): Promise<[unknown, unknown]> {
  const client = createClient(nowhere, { fetch, ...options });
  const read = async (call: PromiseLike<unknown>) => {
    const { outcome, retryable } = await failure(call, ExamServiceError);
    return { outcome, retryable };
  };
  return [await read(idempotent(client)), await read(unprocessed(client))];
}

describe('without a response', () => {
  test('a connection that never came to be has sent nothing', async () => {
    const client = createClient({ url: await unusedUrl() });
    for (const call of [idempotent, unprocessed]) {
      expect(await failure(call(client), ConnectionError)).toMatchObject(again('not_sent'));
    }
  });

  test('a connection that broke leaves open what happened', async () => {
    const verdicts = await verdictsOf(() => Promise.reject(new TypeError('terminated')));
    expect(verdicts).toEqual([again('unknown'), never('unknown')]);
  });

  test('an attempt that took too long leaves open what happened', async () => {
    const verdicts = await verdictsOf(() => new Promise(() => {}), { timeout: 1 });
    expect(verdicts).toEqual([again('unknown'), never('unknown')]);
  });

  test.each([302, 303])('a %i rejects what is read, and leaves open what was to be done', async (status) => {
    await using server = startService({ status });
    expect(await failure(createClient(server).exams.list(), RedirectError)).toMatchObject(never('rejected'));
    expect(await failure(unprocessed(createClient(server)), RedirectError)).toMatchObject(never('unknown'));
  });

  test('a redirect that the fetch followed, or hides, leaves open what happened', async () => {
    for (const kind of [{ redirected: true }, { type: 'opaqueredirect', status: 0, ok: false }]) {
      const response = Object.defineProperties(
        new Response('{}'),
        Object.fromEntries(Object.entries(kind).map(([name, value]) => [name, { value }])),
      );
      const call = unprocessed(createClient(nowhere, { fetch: async () => response }));
      expect(await failure(call, RedirectError)).toMatchObject(never('unknown'));
    }
  });

  test('a total time that ends before anything was sent says so, and that the call may come again', async () => {
    const fetch = vi.fn<Fetch>(() => new Promise(() => {}));
    const client = createClient(nowhere, { fetch, maxConcurrency: 1 });
    const controller = new AbortController();
    const first = unprocessed(client, { signal: controller.signal }).catch(() => {});
    for (const call of [idempotent, unprocessed]) {
      const error = await failure(call(client, { totalTimeout: 1 }), TimeoutError);
      expect(error).toMatchObject({ scope: 'total', attempts: 0, ...again('not_sent') });
    }
    expect(fetch).toHaveBeenCalledTimes(1);
    controller.abort();
    await first;
  });

  test('a key function that hangs until the time is over has sent nothing', async () => {
    const apiKey = () => new Promise<string>(() => {});
    const verdicts = await verdictsOf(() => Promise.reject(new Error('sent')), { apiKey, timeout: 1 });
    expect(verdicts).toEqual([again('not_sent'), again('not_sent')]);
  });
});

describe('before anything is sent', () => {
  test('a key that could not be had may be had later, and one that cannot be sent not', async () => {
    const sealed = createClient(nowhere, { apiKey: () => Promise.reject(new Error('vault sealed')) });
    expect(await failure(unprocessed(sealed), ConfigurationError)).toMatchObject(again('not_sent'));
    const blank = createClient(nowhere, { apiKey: () => ' ' });
    expect(await failure(unprocessed(blank), ConfigurationError)).toMatchObject(never('not_sent'));
  });
});

describe('an earlier attempt that may have taken effect', () => {
  const lost: Handler = (_, { reset }) => reset();

  test.each<[string, Handler, string, boolean]>([
    ['a 404', () => ({ status: 404 }), 'NotFoundError', false],
    ['a 422', () => ({ status: 422 }), 'UnprocessableEntityError', false],
    ['a 503', () => ({ status: 503 }), 'InternalServerError', true],
    ['a 429', () => ({ status: 429 }), 'RateLimitError', true],
    ['a redirect', () => ({ status: 301 }), 'RedirectError', false],
    ['a 2xx that rejects', () => ({ body: { error: 'known already' } }), 'ResponseFormatError', false],
  ])('keeps the outcome unknown through %s', async (_, last, name, retryable) => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    await using server = startService((request, exchange) =>
      (exchange.number === 1 ? lost : last)(request, exchange),
    );
    const error = await failure(idempotent(createClient(server, { maxRetries: 1 })), ExamServiceError);
    expect(error).toMatchObject({
      name,
      attempts: name === 'RateLimitError' ? 3 : 2,
      outcome: 'unknown',
      retryable,
    });
  });

  test('is known to have taken effect by a 2xx, also by one that cannot be read', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const headers = { 'Content-Type': 'application/json' };
    await using server = startService((request, exchange) =>
      exchange.number === 1 ? lost(request, exchange) : { headers, body: '{"message": "Participants impo' },
    );
    const call = idempotent(createClient(server, { maxRetries: 1 }));
    expect(await failure(call, ResponseFormatError)).toMatchObject({ attempts: 2, ...again('done') });
  });

  test('leaves it unknown what the responses mean together where the first was cut short and the next is a rejection', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const cut = new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) });
    const responses = [new Response(cut), Response.json({}, { status: 401 })];
    const fetch: Fetch = async () => responses.shift() ?? Response.error();
    const error = await failure(
      idempotent(createClient(nowhere, { fetch, maxRetries: 1 })),
      ExamServiceError,
    );
    expect(error).toMatchObject({ name: 'AuthenticationError', attempts: 2, ...never('unknown') });
  });

  test.each([
    ['could not be had', () => Promise.reject(new Error('vault sealed')), true],
    ['cannot be sent', () => 'two words', false],
  ])('keeps the outcome unknown through a key that %s', async (_, second, retryable) => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const keys = [() => 'first-key', second].values();
    await using server = startService(lost);
    const client = createClient(server, { apiKey: () => keys.next().value?.() ?? '', maxRetries: 1 });
    const error = await failure(idempotent(client), ConfigurationError);
    expect(error).toMatchObject({ outcome: 'unknown', retryable });
  });

  test('keeps the outcome unknown where the next one finds nobody', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const reasons = [new Error('reset'), Object.assign(new Error('rejected'), { code: 'ECONNREFUSED' })];
    const client = createClient(nowhere, { fetch: () => Promise.reject(reasons.shift()), maxRetries: 1 });
    const error = await failure(idempotent(client), ConnectionError);
    expect(error).toMatchObject({ attempts: 2, ...again('unknown') });
  });
});

const endpoint = { url: 'https://a.test', events: ['exam_result.scored'] } as const;

test('a success that is not understood is done, whoever says so', async () => {
  await using server = startService({ body: { id: 'seven' } });
  const create = createClient(server).webhooks.create(endpoint);
  expect(await failure(create, ResponseValidationError)).toMatchObject(never('done'));
});

test('an error in place of a record is an error, so that nobody takes the endpoint for created', async () => {
  await using server = startService({ body: { error: { message: 'Five endpoints are enough' } } });
  const create = createClient(server).webhooks.create(endpoint);
  const error = await failure(create, ResponseFormatError);
  expect(error).toMatchObject(never('unknown'));
  expect(error.message).toContain('failed: Five endpoints are enough');
});

describe('the message', () => {
  test.each<[string, ServiceResponse]>([
    ['a failure', { status: 500 }],
    ['a redirect', { status: 302 }],
    ['a page of HTML', { body: '<html>' }],
    ['a rejection with a status of success', { body: { success: false } }],
    ['a record of another shape', { body: { id: 'seven' } }],
  ])('of %s names the id of the request', async (_, response) => {
    await using server = startService({ ...response, headers: { 'X-Request-Id': 'req-81' } });
    const error = await failure(createClient(server).exams.retrieve(3), ExamServiceError);
    expect(error.message).toContain('(request id req-81)');
  });
});

test.each([400, 404, 408, 422, 429, 500, 503])('a %i reports its Retry-After in ms', async (status) => {
  await using server = startService([{ status, headers: { 'Retry-After': '7' } }, { status }]);
  const client = createClient(server);
  expect(await failure(unprocessed(client), ExamServiceError)).toMatchObject({ status, retryAfterMs: 7_000 });
});

test('a failure whose wait does not fit into totalTimeout is thrown itself, also while others hold the client back', async () => {
  await using server = startService([{ status: 429, headers: { 'Retry-After': '30' } }, { status: 500 }]);
  const client = createClient(server, { maxRetries: 0 });
  const [limited, failed] = [unprocessed(client), idempotent(client, { totalTimeout: 5_000, maxRetries: 3 })];
  await failure(limited, ExamServiceError);
  const error = await failure(failed, InternalServerError);
  expect(error).toMatchObject({ status: 500, attempts: 1, ...again('unknown') });
});
