import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  ApiError,
  type ExamClient,
  type Fetch,
  NotFoundError,
  type RequestOptions,
} from '../../../src/index.ts';
import { createClient, failure, nowhere, testKey } from '../../helpers/client.ts';

beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));

const pair = { participant_id: 7, exam_id: 3 };
const exams = (client: ExamClient, options?: RequestOptions) => client.exams.list({}, options);
const assign = (client: ExamClient) => client.examParticipants.assign(pair);

/** A client whose requests get these responses, one by one, the last one for ever. */
function connect(...responses: (() => Response)[]) {
  const fetch = vi.fn<Fetch>(async () => {
    const next = responses.length > 1 ? responses.shift() : responses[0];
    return (next ?? Response.error)();
  });
  return { fetch, client: createClient(nowhere, { fetch, maxRetries: 1 }) };
}

const nginx =
  (status: number, headers: HeadersInit = {}) =>
  () =>
    new Response(
      `<html>\r\n<head><title>${status} Not Found</title></head><body><center>nginx</center></body></html>`,
      { status, headers: { 'Content-Type': 'text/html', ...headers } },
    );
const raw = (body: BodyInit | null, type?: string) => () =>
  new Response(body, { status: 404, headers: type === undefined ? {} : { 'Content-Type': type } });
const broken = (text: string) =>
  new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
    pull: (controller) => controller.error(new Error('reset')),
  });

const text = 'text/html';
const json = 'application/json';
const page = '<!DOCTYPE html>\n<html><head><title>Not Found</title>';

/** As Laravel, nginx, ingresses and challenges send them, with what the message quotes. */
const bodies: Record<'service' | 'gateway', [what: string, response: () => Response, quoted: string][]> = {
  service: [
    ['JSON of Laravel', raw('{\n    "message": ""\n}', json), '404'],
    ['JSON without a content type', raw('{"message":"Gone"}'), 'Gone'],
    ['a JSON array', raw('["Gone"]'), '404'],
    ['JSON behind a warning of PHP', raw('Warning: x in y.php\n{"message":"Gone"}', text), 'Gone'],
    ['JSON cut off by the connection', raw(broken('{"mess'), json), '404'],
    ['JSON that is longer than is read', raw(`{"a":"${'x'.repeat(70_000)}"}`, json), '404'],
  ],
  gateway: [
    ['a page of nginx', nginx(404), 'a page titled "404 Not Found" (text/html)'],
    [
      'a page of Laravel',
      raw(page, `${text}; charset=UTF-8`),
      `a page titled "Not Found" (${text}; charset=UTF-8)`,
    ],
    ['a default backend', raw('default backend - 404', 'text/plain'), '"default backend - 404" (text/plain)'],
    [
      'a page without a title',
      raw('<style>p{}</style><p>No&nbsp;route\n here</p>', text),
      '"No&nbsp;route here" (text/html)',
    ],
    ['a long text', raw('word '.repeat(99)), `"${'word '.repeat(16)}…"`],
    ['an empty body', raw(null), 'an empty body'],
    ['an empty body that is said to be JSON', raw('', json), 'an empty body (application/json)'],
    [
      'a page cut off by the connection',
      raw(broken(`<p>${testKey.slice(0, 6)}`), text),
      'a body that was cut off (text/html)',
    ],
    ['a JSON text', raw('"Gone"', json), '(application/json)'],
    ['null', raw('null', json), '(application/json)'],
  ],
};

test.each(bodies.service)('%s is the service’s', async (_, response, quoted) => {
  const { client, fetch } = connect(response);
  const error = await failure(exams(client), NotFoundError);
  expect(error).toMatchObject({ code: 'not_found', status: 404, origin: 'service', retryable: false });
  expect(error).toMatchObject({ outcome: 'rejected', fieldErrors: {} });
  expect(error.message).toContain(quoted);
  expect(error.message).not.toContain('probably not from the service');
  expect(fetch).toHaveBeenCalledTimes(1);
});

test.each(bodies.gateway)('%s is a gateway’s', async (_, response, quoted) => {
  const { client, fetch } = connect(response);
  const error = await failure(exams(client), ApiError);
  expect(error).toMatchObject({
    name: 'ApiError',
    code: 'api',
    status: 404,
    origin: 'gateway',
    retryable: true,
  });
  expect(error).toMatchObject({ outcome: 'rejected', fieldErrors: {}, serviceMessage: null });
  expect(error.message).toContain(quoted);
  expect(error.message).toContain('probably not from the service');
  // Worth another try for a queue, and not at once.
  expect(fetch).toHaveBeenCalledTimes(1);
});

test('a page that echoes the key is quoted without it', async () => {
  const { client } = connect(raw(`no such key: ${testKey}`, `text/plain; ${testKey}`));
  const error = await failure(exams(client), ApiError);
  expect(error.message).toContain('no such key: [redacted]');
  expect(error.message).not.toContain(testKey);
});

test.each([401, 403])('a page with %i names the key last, as the other possibility', async (status) => {
  const { client } = connect(nginx(status, { 'Retry-After': '3' }));
  const error = await failure(exams(client), ApiError);
  expect(error).toMatchObject({ code: 'api', status, origin: 'gateway' });
  expect(error.message).toMatch(/not from the service.*API key\.$/);
});

describe('a gateway', () => {
  test.each([
    [408, 'api', 'unknown', 2],
    [413, 'api', 'rejected', 1],
    [422, 'api', 'rejected', 1],
    [425, 'api', 'unknown', 2],
    [429, 'rate_limit', 'rejected', 2],
    [500, 'internal_server', 'unknown', 2],
    [501, 'internal_server', 'unknown', 1],
    [502, 'internal_server', 'unknown', 2],
    [503, 'internal_server', 'unknown', 2],
  ] as const)(
    'with %i gives the code %s, the outcome %s and %i attempts',
    async (status, code, outcome, sent) => {
      const { client, fetch } = connect(nginx(status, status === 429 ? { 'Retry-After': '0.001' } : {}));
      const error = await failure(exams(client), ApiError);
      expect(error).toMatchObject({ code, outcome, retryable: true, origin: 'gateway' });
      expect(fetch).toHaveBeenCalledTimes(sent);
    },
  );

  test('with 503 may have sent an assignment on, unless it asks to come again', async () => {
    const { client, fetch } = connect(nginx(503));
    expect(await failure(assign(client), ApiError)).toMatchObject({ outcome: 'unknown', retryable: false });
    expect(fetch).toHaveBeenCalledTimes(1);
    const busy = connect(nginx(503, { 'Retry-After': '0' }));
    expect(await failure(assign(busy.client), ApiError)).toMatchObject({ outcome: 'rejected', attempts: 2 });
  });
});

describe('nothing is concluded from a page with 404', () => {
  test('a DELETE whose response was lost has not succeeded', async () => {
    const { client } = connect(nginx(502), nginx(404));
    expect(await failure(client.webhooks.delete(3), ApiError)).toMatchObject({
      status: 404,
      origin: 'gateway',
      outcome: 'unknown',
      retryable: true,
    });
  });

  test('a list has not ended', async () => {
    const first = () => Response.json([{ id: 1 }, { id: 2 }]);
    const { client } = connect(first, nginx(404));
    const error = await failure(client.exams.list().toArray({ maxItems: 9 }), ApiError);
    expect(error).toMatchObject({ status: 404, origin: 'gateway' });
  });

  test('a pair is not settled', async () => {
    const taken = () => Response.json({ message: 'Registered already.' }, { status: 400 });
    const { client } = connect(taken, nginx(404));
    const error = await failure(client.examParticipants.ensure(pair), ApiError);
    expect(error).toMatchObject({ status: 404, origin: 'gateway' });
  });
});
