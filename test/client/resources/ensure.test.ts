import { describe, expect, test } from 'vitest';
import {
  AssignmentsStoppedError,
  BadRequestError,
  ConnectionError,
  NotFoundError,
  RateLimitError,
  ResponseFormatError,
  TimeoutError,
} from '../../../src/index.ts';
import { createClient, failure, rejection } from '../../helpers/client.ts';
import { skipWaits } from '../../helpers/fake-time.ts';
import { type Handler, type ServiceResponse, startService } from '../../helpers/server.ts';

skipWaits();

const pair = { participant_id: 7, exam_id: 3 };
const url = 'https://exam.example.test/take/7-3';
const badRequest = { status: 400, body: { message: 'Rejected in words that nobody decides by.' } };

/** A service with one response to an assignment and another to a request for the link. */
const service = (
  assign: ServiceResponse | Handler,
  link: ServiceResponse | Handler = { status: 404, body: {} },
): Handler =>
  function respond(request, exchange) {
    const chosen = request.path === '/exam-participants/assign' ? assign : link;
    return typeof chosen === 'function' ? chosen(request, exchange) : chosen;
  };

const lost: Handler = (_, { reset }) => reset();

describe('ensure', () => {
  test('assigns with one request', async () => {
    await using server = startService(service({ status: 201, body: {} }));
    const { examParticipants } = createClient(server);
    expect(await examParticipants.ensure(pair)).toEqual({ created: true, url: null });
    expect(server.request).toMatchObject({ method: 'POST', path: '/exam-participants/assign', body: pair });
  });

  const failed2xx = { status: 200, body: { success: false, message: 'Rejected in words' } };

  const known = { created: false, url };

  test.each<[string, ServiceResponse | Handler, object]>([
    [
      'fetches the link after a 2xx body that reports failure, which the pair may have caused',
      failed2xx,
      known,
    ],
    ['finds out whether an assignment whose response was lost took effect', lost, known],
    [
      'has made an assignment whose response it cannot read',
      { status: 201, body: '{"mess' },
      { created: true, url },
    ],
    ['checks after a 409 as well', { status: 409, body: {} }, known],
    ['checks after a 422 as well', { status: 422, body: {} }, known],
  ])('%s', async (_, assign, expected) => {
    await using server = startService(service(assign, { body: { url } }));
    expect(await createClient(server).examParticipants.ensure(pair)).toEqual(expected);
  });

  test('rejects with the failure that a 2xx body reports, when the pair has no link', async () => {
    await using server = startService(service(failed2xx));
    const error = await failure(createClient(server).examParticipants.ensure(pair), ResponseFormatError);
    expect(error).toMatchObject({ status: 200, outcome: 'rejected', retryable: false });
  });

  test('with link, gets the link with a second one', async () => {
    await using server = startService(service({ status: 201, body: {} }, { body: { url } }));
    expect(await createClient(server).examParticipants.ensure(pair, { link: true })).toEqual({
      created: true,
      url,
    });
    expect(server.requests.map(({ path }) => path)).toEqual([
      '/exam-participants/assign',
      '/exam-participants/link',
    ]);
    expect(Object.fromEntries(server.requests[1]?.query ?? [])).toEqual({
      participant_id: '7',
      exam_id: '3',
    });
  });

  test.each([false, true])(
    'finds a pair that was assigned before with two requests (link: %s)',
    async (link) => {
      await using server = startService(service(badRequest, { body: { url } }));
      expect(await createClient(server).examParticipants.ensure(pair, { link })).toEqual({
        created: false,
        url,
      });
      expect(server.requests).toHaveLength(2);
    },
  );

  test('says why a pair is not assigned, in the words of the service, and that nothing changed', async () => {
    await using server = startService(service(badRequest));
    const error = await failure(createClient(server).examParticipants.ensure(pair), BadRequestError);
    expect(error).toMatchObject({
      serviceMessage: badRequest.body.message,
      outcome: 'rejected',
      retryable: false,
    });
    expect(error.message).toContain('examParticipants.ensure: POST /exam-participants/assign');
  });

  test('asks for no link where there is no such participant or exam', async () => {
    await using server = startService(service({ status: 404, body: {} }));
    await failure(createClient(server).examParticipants.ensure(pair), NotFoundError);
    expect(server.requests).toHaveLength(1);
  });

  test('assigns again where a lost assignment did not take effect', async () => {
    const responses = [lost, { status: 201, body: {} }].values();
    await using server = startService((request, exchange) => {
      const next = responses.next().value ?? { status: 500 };
      return typeof next === 'function' ? next(request, exchange) : next;
    });
    const { examParticipants } = createClient(server, { maxRetries: 1 });
    expect(await examParticipants.ensure(pair)).toEqual({ created: true, url: null });
  });

  test('may be called again after an error that leaves open what happened, as assign may not', async () => {
    await using server = startService(service(lost, lost));
    const { examParticipants } = createClient(server);
    const error = await failure(examParticipants.ensure(pair), ConnectionError);
    expect(error).toMatchObject({ outcome: 'unknown', retryable: true });
    const alone = await failure(examParticipants.assign(pair), ConnectionError);
    expect(alone).toMatchObject({ outcome: 'unknown', retryable: false });
  });

  test('never says that nothing changed when the assignment was made and its link could not be had', async () => {
    await using server = startService(service({ status: 201, body: {} }, { status: 429 }));
    const error = await failure(
      createClient(server).examParticipants.ensure(pair, { link: true }),
      RateLimitError,
    );
    expect(error).toMatchObject({ outcome: 'done', retryable: true });
  });

  test.each([
    ['404, from a replica that lags', { status: 404, body: {} }],
    ['400', { status: 400 }],
    ['422', { status: 422 }],
    ['no link', { body: { link: null } }],
    ['nothing', { status: 200 }],
    ['a failure', { status: 500 }],
  ])('says that an assignment was made when its link gets %s', async (_, response) => {
    await using server = startService(service({ status: 201, body: {} }, response));
    const { examParticipants } = createClient(server);
    const error = await rejection(examParticipants.ensure(pair, { link: true }));
    expect(error).toMatchObject({ outcome: 'done', retryable: true });
    expect(await examParticipants.ensure(pair)).toEqual({ created: true, url: null });
  });

  test('knows an assigned pair by the status of its link alone', async () => {
    await using server = startService(service(badRequest, { body: { link: null } }));
    const { examParticipants } = createClient(server);
    expect(await examParticipants.ensure(pair)).toEqual({ created: false, url: null });
    const error = await rejection(examParticipants.ensure(pair, { link: true }));
    expect(error).toMatchObject({ outcome: 'done', retryable: true });
  });

  test.each([
    ['is empty', { status: 200 }],
    ['is cut', { status: 200, headers: { 'content-type': 'application/json' }, body: '{"url": "htt' }],
    ['is a page', { status: 200, headers: { 'content-type': 'text/html' }, body: '<html></html>' }],
  ])('does not know whether a rejected pair is assigned by a link whose response %s', async (_, response) => {
    await using server = startService(service(badRequest, response));
    const error = await failure(createClient(server).examParticipants.ensure(pair), ResponseFormatError);
    expect(error).toMatchObject({ outcome: 'unknown', retryable: true });
  });

  test('does not take a 2xx body that reports failure for a link', async () => {
    await using server = startService(service(badRequest, { body: { success: false } }));
    await failure(createClient(server).examParticipants.ensure(pair), BadRequestError);
  });

  test('takes the options of a call', async () => {
    await using server = startService(service(() => undefined));
    const call = createClient(server).examParticipants.ensure(pair, {
      totalTimeout: 1_000,
      headers: { 'X-Job': '9' },
    });
    expect(await failure(call, TimeoutError)).toMatchObject({
      scope: 'total',
      outcome: 'unknown',
      retryable: true,
    });
    expect(server.request.headers['x-job']).toBe('9');
  });
});

const maintenance: ServiceResponse = {
  headers: { 'content-type': 'text/html' },
  body: '<!doctype html><title>Maintenance</title>',
};

describe('a page that something before the service sends with 200', () => {
  test.each<[string, ServiceResponse]>([
    ['the assignment as well', maintenance],
    ['a rejected assignment', badRequest],
    ['a failed assignment', { status: 500 }],
  ])('is no proof of an assignment: after %s', async (_, assign) => {
    await using server = startService(service(assign, maintenance));
    const { examParticipants } = createClient(server);
    const error = await failure(examParticipants.ensure(pair), ResponseFormatError);
    expect(error).toMatchObject({ outcome: 'unknown', retryable: true });
    const { cause, summary } = await failure(examParticipants.assignAll([pair]), AssignmentsStoppedError);
    expect(cause).toBeInstanceOf(ResponseFormatError);
    expect(summary).toMatchObject({ assigned: 0, alreadyAssigned: 0 });
  });
});
