import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ExamServiceError,
  InternalServerError,
  isApiError,
  isExamServiceError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
  UnprocessableEntityError,
} from '../../../src/index.ts';
import { createClient, failure, nowhere } from '../../helpers/client.ts';
import { createGate } from '../../helpers/gate.ts';
import { type ServiceResponse, startServer, startService } from '../../helpers/server.ts';

async function failWith(response: ServiceResponse): Promise<ApiError> {
  await using server = startService(response);
  return await failure(createClient(server).exams.retrieve(3), ApiError);
}

type Row = readonly [status: number, expected: unknown, name: string, code: string];
const classes: readonly Row[] = [
  [400, BadRequestError, 'BadRequestError', 'bad_request'],
  [401, AuthenticationError, 'AuthenticationError', 'authentication'],
  [403, PermissionDeniedError, 'PermissionDeniedError', 'permission_denied'],
  [404, NotFoundError, 'NotFoundError', 'not_found'],
  [422, UnprocessableEntityError, 'UnprocessableEntityError', 'unprocessable_entity'],
  [429, RateLimitError, 'RateLimitError', 'rate_limit'],
  ...[402, 405, 408, 409, 410, 413, 419, 451, 499].map(
    (status): Row => [status, ApiError, 'ApiError', 'api'],
  ),
  ...[500, 501, 502, 503, 504, 520, 599].map(
    (status): Row => [status, InternalServerError, 'InternalServerError', 'internal_server'],
  ),
];

test('a list that is not found asks for the version prefix in the base URL, a record does not', async () => {
  await using server = startService({ status: 404 });
  const { exams } = createClient(server);
  const advice = 'Does the base URL end with the version prefix, such as /api/v1?';
  expect((await failure(exams.list(), NotFoundError)).message).toContain(advice);
  expect((await failure(exams.retrieve(3), NotFoundError)).message).not.toContain(advice);
});

test('a client without a key asks whether its proxy adds one', async () => {
  await using server = startService({ status: 401 });
  const advice = 'The client sends no key (`apiKey: null`): does the proxy add it?';
  const keyless = createClient(server, { apiKey: null }).exams.list();
  expect((await failure(keyless, AuthenticationError)).message).toContain(advice);
  const keyed = await failure(createClient(server).exams.list(), AuthenticationError);
  expect(keyed.message).not.toContain(advice);
});

test('an error of the service asks for neither', async () => {
  await using server = startService({ status: 500 });
  const { exams } = createClient(server, { apiKey: null, maxRetries: 0 });
  const { message } = await failure(exams.list(), InternalServerError);
  expect(message).toMatch(/failed with 500[^?]*$/);
});

test.each(classes)('status %i is a $2', async (status, expected, name, code) => {
  const error = await failWith({
    status,
    headers: { 'X-Request-Id': 'req-1', 'X-Extra': 'kept' },
    body: { message: 'Not now', errors: { 'rows.0.email': ['Taken'] } },
  });
  expect(error.constructor).toBe(expected);
  expect(error).toMatchObject({
    name,
    code,
    status,
    attempts: 1,
    requestId: 'req-1',
    operation: 'exams.retrieve',
  });
  expect(error.message).toContain(`exams.retrieve: GET /exams/3 failed with ${status}: Not now.`);
  expect(error.serviceMessage).toBe('Not now');
  expect(error.fieldErrors).toEqual({ 'rows.0.email': ['Taken'] });
  expect(error.headers.get('x-extra')).toBe('kept');
  expect(error).toBeInstanceOf(ExamServiceError);
  expect([isExamServiceError(error), isApiError(error)]).toEqual([true, true]);
});

test('fields whose names are the same when they are shown keep the messages of all', async () => {
  const name = 'participants.0.'.padEnd(250, 'x');
  const error = await failWith({
    status: 422,
    body: { errors: { [`${name}a`]: ['no a'], [`${name}b`]: ['no b'] } },
  });
  expect(Object.values(error.fieldErrors)).toEqual([['no a', 'no b']]);
});

test('a 304 that nobody asked for is an error like any other status outside 2xx', async () => {
  const error = await failWith({ status: 304 });
  expect(error).toMatchObject({ name: 'ApiError', code: 'api', status: 304 });
});

describe('the message', () => {
  test.each<[string, unknown]>([
    ['absent', undefined],
    ['empty', { message: '' }],
    ['blank', { message: '  ' }],
    ['no text', { message: { en: 'Gone' } }],
  ])('is the status text where that of the service is %s', async (_, body) => {
    const error = await failWith({ status: 404, statusText: 'Nothing Here', body });
    expect(error.message).toContain('404: Nothing Here.');
    expect(error.serviceMessage).toBeNull();
  });

  test('says so where nothing at all explains the status', async () => {
    const client = createClient(nowhere, { fetch: async () => Response.json({}, { status: 499 }) });
    expect((await failure(client.exams.list(), ApiError)).message).toContain(
      '499: no explanation was given.',
    );
  });
});

test('a body that comes in pieces is read whole, also where a piece ends within a character', async () => {
  const bytes = Buffer.from('{"message":"Zoë"}');
  const fetch = async () => {
    const body = new ReadableStream({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    return new Response(body, { status: 400 });
  };
  const error = await failure(createClient(nowhere, { fetch }).exams.list(), ApiError);
  expect(error.serviceMessage).toBe('Zoë');
});

test('a request id of any length leaves the message short', async () => {
  const error = await failWith({ status: 500, headers: { 'X-Request-Id': 'r'.repeat(5_000) } });
  expect(error.requestId).toBe('r'.repeat(200));
  expect(error.message.length).toBeLessThan(400);
});

test('the request id is also read from X-Correlation-Id, and is null where there is none', async () => {
  expect((await failWith({ status: 400, headers: { 'X-Correlation-Id': 'c-1' } })).requestId).toBe('c-1');
  expect((await failWith({ status: 400 })).requestId).toBeNull();
});

describe('the body of an error', () => {
  test('is kept as text, out of what is printed', async () => {
    const error = await failWith({ status: 500, body: { trace: 'Oops' } });
    expect(error.body).toBe('{"trace":"Oops"}');
    expect(inspect(error, { showHidden: true })).not.toContain('Oops');
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('Oops');
  });

  test('is cut at 64 KiB, and the rest is not waited for', async () => {
    const closed = createGate();
    await using server = await startServer((_, { begin, response }) => {
      response.once('close', () => closed.open());
      return begin({ status: 500 }, 'x'.repeat(70_000));
    });
    const error = await failure(createClient(server).exams.list(), InternalServerError);
    expect(error.body).toHaveLength(64 * 1024);
    await closed.promise;
  });

  test('may be cut off by the connection: the status that came is what counts', async () => {
    await using server = await startServer((_, { response, begin, reset }) => {
      begin(
        { status: 422, headers: { 'Content-Type': 'application/json', 'Content-Length': '500' } },
        '{"message":"The given',
      );
      response.write(' data', () => reset());
      return undefined;
    });
    const error = await failure(createClient(server).exams.list(), UnprocessableEntityError);
    expect(error.status).toBe(422);
    expect(error.serviceMessage).toBeNull();
  });
});
