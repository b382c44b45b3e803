import { describe, expect, test, vi } from 'vitest';
import {
  ConfigurationError,
  ConnectionError,
  type Fetch,
  isApiError,
  ResponseFormatError,
} from '../../../src/index.ts';
import { createClient, failure, nowhere, throwing } from '../../helpers/client.ts';
import { type Handler, startServer, unusedUrl, type WireExchange } from '../../helpers/server.ts';

/** The system codes along the chain of causes. */
function codesOf(error: unknown): unknown[] {
  const codes: unknown[] = [];
  for (let at = error; at instanceof Error; at = at.cause) codes.push(Reflect.get(at, 'code'));
  return codes.filter((code) => code !== undefined);
}

const withFetch = (fetch: Fetch) => createClient(nowhere, { fetch });

test('a refused connection is a ConnectionError that says so', async () => {
  const client = createClient({ url: await unusedUrl() });
  const error = await failure(client.exams.retrieve(3), ConnectionError);
  expect(error).toMatchObject({ name: 'ConnectionError', code: 'connection', attempts: 1 });
  expect(error.operation).toBe('exams.retrieve');
  expect(error.message).toMatch(/^exams\.retrieve: GET \/exams\/3 got no response: .*ECONNREFUSED/);
  expect(codesOf(error)).toContain('ECONNREFUSED');
  expect(isApiError(error)).toBe(false);
  expect(error).not.toHaveProperty('status');
});

test('a name that does not resolve is a ConnectionError', async () => {
  const client = createClient({ url: 'https://no-such-host.invalid/api/v1' });
  const error = await failure(client.exams.list(), ConnectionError);
  expect(codesOf(error).some((code) => code === 'ENOTFOUND' || code === 'EAI_AGAIN')).toBe(true);
});

const cuts: [string, Handler<WireExchange>][] = [
  ['before the response', (_, { reset }) => reset()],
  [
    'in the middle of the headers',
    (_, { request, reset }) => {
      request.socket.write('HTTP/1.1 200 OK\r\nContent-Ty', () => reset());
      return undefined;
    },
  ],
];

test.each(cuts)(
  'a connection cut %s is a ConnectionError with the cause of the platform',
  async (_, handler) => {
    await using server = await startServer(handler);
    const error = await failure(createClient(server).exams.retrieve(3), ConnectionError);
    expect(error.cause).toBeInstanceOf(Error);
    expect(error.message).toMatch(/^exams\.retrieve: GET \/exams\/3 got no response: \S/);
  },
);

const cutBodies: [string, Handler<WireExchange>][] = [
  [
    'in the middle of the body',
    (_, { begin, response, reset }) => {
      begin({ headers: { 'Content-Length': '100' } }, '{"id":');
      response.write('3', () => reset());
      return undefined;
    },
  ],
  [
    'in the middle of a chunked body',
    (_, { begin, response }) => {
      begin({}, '{"id":');
      response.write('3', () => response.destroy());
      return undefined;
    },
  ],
];

describe.each(cutBodies)('a successful response that is cut %s', (_, handler) => {
  test('says that the request was received, with status and cause, and is not repeated where that does harm', async () => {
    await using server = await startServer(handler);
    const pair = { participant_id: 7, exam_id: 3 };
    const call = createClient(server, { maxRetries: 2 }).examParticipants.assign(pair);
    const error = await failure(call, ResponseFormatError);
    expect(error).toMatchObject({ status: 200, outcome: 'done', retryable: false, attempts: 1 });
    expect(error.message).toContain('returned 200, but its body was cut short');
    expect(error.cause).toBeInstanceOf(Error);
    expect(server.requests).toHaveLength(1);
  });

  test('is asked for again where that does no harm', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    await using server = await startServer((request, exchange) =>
      exchange.number === 1 ? handler(request, exchange) : { body: { id: 3 } },
    );
    expect(await createClient(server, { maxRetries: 1 }).exams.retrieve(3)).toEqual({ id: 3 });
    expect(server.requests).toHaveLength(2);
  });
});

test('a response that is no HTTP is a ConnectionError', async () => {
  await using server = await startServer((_, { request }) => {
    request.socket.end('220 mail.example.test ESMTP\r\n');
    return undefined;
  });
  await failure(createClient(server).exams.list(), ConnectionError);
});

test('a response whose headers cannot be read leaves open what the request did', async () => {
  await using server = await startServer((_, { request }) => {
    request.socket.end('HTTP/1.1 201 Created\r\nX\0: 1\r\n\r\n');
    return undefined;
  });
  const call = createClient(server).examParticipants.assign({ participant_id: 7, exam_id: 3 });
  const error = await failure(call, ConnectionError);
  expect(error).toMatchObject({ outcome: 'unknown', retryable: false });
  expect(error.message).toContain('Check the base URL and the network.');
});

describe('with a fetch of the caller', () => {
  test('the cause is what it rejected with, reduced to name, message and causes', async () => {
    const cause = new TypeError('Failed to fetch', { cause: new Error('offline') });
    const error = await failure(withFetch(() => Promise.reject(cause)).exams.list(), ConnectionError);
    expect(error.cause).toMatchObject({
      name: 'TypeError',
      message: 'Failed to fetch',
      cause: { message: 'offline' },
    });
    expect(error.message).toContain('got no response: offline.');
  });

  test('the innermost cause is reported, as the outer ones say only that fetch failed', async () => {
    const inner = new Error('handshake', { cause: new Error('certificate has expired') });
    const cause = new TypeError('fetch failed', { cause: inner });
    const error = await failure(withFetch(() => Promise.reject(cause)).exams.list(), ConnectionError);
    expect(error.message).toContain('got no response: certificate has expired.');
  });

  test.each([
    ['an error without a text', Object.assign(new Error(''), { code: 'EPIPE' }), 'EPIPE'],
    ['a text', 'line down', 'line down'],
    ['a number', 42, '42'],
    ['undefined', undefined, 'undefined'],
    ['null', null, 'null'],
    ['an object', { secret: 'internals' }, 'undefined'],
  ])('%s as a rejection is reported in the message', async (_, reason, reported) => {
    const client = withFetch(() => Promise.reject(reason));
    const error = await failure(client.exams.list(), ConnectionError);
    expect(error.message).toContain(`got no response: ${reported}. Check the base URL and the network.`);
  });

  test('an error that has the name of one of an HTTP library is reported by its own message and code', async () => {
    const reason = Object.assign(new Error('connect ECONNREFUSED'), {
      name: 'NetworkError',
      code: 'ECONNREFUSED',
    });
    const error = await failure(withFetch(() => Promise.reject(reason)).exams.list(), ConnectionError);
    expect(error.message).toContain('got no response: connect ECONNREFUSED.');
    expect(error).toMatchObject({
      outcome: 'not_sent',
      cause: { name: 'NetworkError', code: 'ECONNREFUSED' },
    });
  });

  test('a fetch that throws at once is a ConnectionError too', async () => {
    const client = withFetch(throwing(new Error('blocked by policy')));
    expect((await failure(client.exams.list(), ConnectionError)).message).toContain('blocked by policy');
  });

  test.each([
    ['Undefined', undefined],
    ['Null', null],
    ['Boolean', false],
    ['String', '{"id":3,"secret":"whsec_of-an-endpoint"}'],
    ['Object', { status: 200, headers: {} }],
    ['Object', { headers: new Headers() }],
    ['Object', { status: 200, ok: true, headers: { get: () => null, has: () => false } }],
    ['Array', []],
  ])('a fetch that gives %s instead of a response is a ConfigurationError', async (reported, value) => {
    const fetch: unknown = async () => value;
    const error = await failure(withFetch(fetch as Fetch).exams.list(), ConfigurationError);
    expect(error.message).toBe(
      `\`fetch\` returned no Response (${reported}): return a new Response for each request.`,
    );
    expect(error).toMatchObject({ outcome: 'unknown', retryable: false });
  });

  test.each(['No connection.', 'No connection: \n', 'No connection?'])(
    'ends with one full stop, however its cause ends: %j',
    async (reason) => {
      const client = withFetch(() => Promise.reject(new Error(reason)));
      const error = await failure(client.exams.list(), ConnectionError);
      expect(error.message).toContain('got no response: No connection. Check the base URL');
    },
  );

  /** An error with so many causes below it, the innermost of which says that the connection was refused. */
  function refusedBelow(depth: number): Error {
    let error: Error = Object.assign(new Error(`c${depth}`), { code: 'ECONNREFUSED' });
    for (let level = depth - 1; level >= 0; level -= 1) error = new Error(`c${level}`, { cause: error });
    return error;
  }

  test.each([
    [4, 'not_sent', 'c4'],
    [99, 'not_sent', 'c99'],
    [100, 'unknown', 'c99'],
  ])('of %i causes the first hundred are looked at', async (depth, outcome, reported) => {
    const client = withFetch(() => Promise.reject(refusedBelow(depth)));
    const call = client.examParticipants.assign({ participant_id: 7, exam_id: 3 });
    const error = await failure(call, ConnectionError);
    expect(error.outcome).toBe(outcome);
    expect(error.message).toContain(`got no response: ${reported}.`);
  });

  test.each([
    ['no errors below it', [], 'not_sent'],
    ['two refused connections below it', [refusedBelow(0), refusedBelow(1)], 'not_sent'],
    ['a connection that was reset below it', [refusedBelow(0), new Error('reset')], 'unknown'],
  ])('a code with %s is judged by these, where there are any', async (_, errors, outcome) => {
    const reason = Object.assign(new Error('none'), { code: 'ECONNREFUSED', errors });
    const client = withFetch(() => Promise.reject(reason));
    const call = client.examParticipants.assign({ participant_id: 7, exam_id: 3 });
    expect(await failure(call, ConnectionError)).toMatchObject({ outcome });
  });

  test('errors that hold each other in a circle say nothing of the connection', async () => {
    const reason = new AggregateError([], 'all failed');
    reason.errors.push(reason);
    const client = withFetch(() => Promise.reject(reason));
    const call = client.examParticipants.assign({ participant_id: 7, exam_id: 3 });
    expect(await failure(call, ConnectionError)).toMatchObject({ outcome: 'unknown', retryable: false });
  });

  test('a chain of causes that goes in a circle ends', async () => {
    const [inner, outer] = [new Error('inner'), new Error('outer')];
    inner.cause = outer;
    outer.cause = inner;
    const error = await failure(withFetch(() => Promise.reject(outer)).exams.list(), ConnectionError);
    expect(error.message).toMatch(/got no response: (inner|outer)\./);
  });

  test('a response whose body was read before is a ConfigurationError that says so', async () => {
    const response = new Response('[]');
    await response.text();
    const error = await failure(withFetch(async () => response).exams.list(), ConfigurationError);
    expect(error.message).toContain('`fetch` returned a response whose body was read before: ');
  });
});

test('nothing of ky is in what the caller gets', async () => {
  const error = await failure(createClient({ url: await unusedUrl() }).exams.list(), ConnectionError);
  const names: string[] = [];
  for (let at: unknown = error; at instanceof Error; at = at.cause) names.push(at.name, at.constructor.name);
  expect(names).not.toContain('NetworkError');
  expect(names).not.toContain('KyError');
  expect(error).not.toHaveProperty('request');
});
