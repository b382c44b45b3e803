import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  ApiError,
  ConnectionError,
  type ExamServiceError,
  type Hooks,
  type OnEndEvent,
  type OnStartEvent,
  ResponseValidationError,
  TimeoutError,
} from '../../src/index.ts';
import { createClient, failure, nowhere, rejection } from '../helpers/client.ts';
import { createGate, nextTurn } from '../helpers/gate.ts';
import { operations } from '../helpers/operations.ts';
import { startServer, startService } from '../helpers/server.ts';

beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));

/** Hooks that keep the first and the last event of each call, and the ids of all between. */
function watchCalls() {
  const starts: OnStartEvent[] = [];
  const ends: OnEndEvent[] = [];
  const between: string[] = [];
  const note = ({ callId }: { callId: string }) => between.push(callId);
  const hooks: Hooks = {
    onStart: (event) => starts.push(event),
    onRequest: note,
    onResponse: note,
    onRetry: note,
    onSchemaDrift: note,
    onDeprecation: note,
    onEnd: (event) => ends.push(event),
  };
  return {
    hooks,
    starts,
    ends,
    between,
    /** The only call: it started once and ended once. */
    only(): OnEndEvent {
      expect(starts.map(({ callId }) => callId)).toEqual(ends.map(({ callId }) => callId));
      const [end, ...others] = ends;
      if (end === undefined || others.length > 0) throw new Error(`There were ${ends.length} calls.`);
      return end;
    },
    expectAllClosed(calls: number) {
      const ids = starts.map(({ callId }) => callId);
      expect(new Set(ids).size).toBe(calls);
      expect(ends.map(({ callId }) => callId).toSorted()).toEqual(ids.toSorted());
    },
  };
}

const exam = { body: { id: 3 } };
const rejecting = () => Promise.reject(new TypeError('fetch failed'));
const never = () => new Promise<never>(() => {});

test.each(operations)('$name starts and ends once, and says which it is', async (operation) => {
  await using server = startService(operation.response);
  const watched = watchCalls();
  await operation.call(createClient(server, { hooks: watched.hooks }));
  const { callId, route, durationMs, ...end } = watched.only();
  const { name, method } = operation;
  expect(watched.starts).toEqual([{ callId, operation: name, method, route, baseUrl: server.url }]);
  expect(end).toMatchObject({ operation: name, method, outcome: 'success', error: null, retryable: false });
  expect(end).toMatchObject({ attempts: 1, status: operation.response.status ?? 200 });
  // Ids stand in the path of a request, and never in its route.
  expect(route.replace(/\{\w+\}/g, '1')).toBe(operation.path.replace(/\d+/g, '1'));
  expect(durationMs).toBeGreaterThan(0);
});

test('every event of a retried call has its id, and no other call has it', async () => {
  const headers = { Deprecation: 'true' };
  await using server = startService([
    { status: 503, headers },
    { headers, body: { id: 'three' } },
  ]);
  const watched = watchCalls();
  const client = createClient(server, { hooks: watched.hooks, validation: 'report', maxRetries: 1 });
  await client.exams.retrieve(3);
  const { callId, attempts, status } = watched.only();
  expect({ attempts, status }).toEqual({ attempts: 2, status: 200 });
  expect(watched.between).toEqual(Array(8).fill(callId));
  await client.exams.retrieve(3);
  watched.expectAllClosed(2);
});

test('onStart is called before the method returns, onEnd before its caller goes on', async () => {
  await using server = startService(exam);
  const order: string[] = [];
  const hooks = { onStart: () => order.push('start'), onEnd: () => order.push('end') };
  const call = createClient(server, { hooks }).exams.retrieve(3);
  order.push('returned');
  await call;
  order.push('given');
  expect(order).toEqual(['start', 'returned', 'end', 'given']);
});

test('a list whose response was asked for ends once, whatever is asked of it afterwards', async () => {
  await using server = startService({ body: [] });
  const watched = watchCalls();
  const list = createClient(server, { hooks: watched.hooks }).exams.list();
  expect((await list.asResponse()).status).toBe(200);
  await list.toArray({ maxItems: 1 });
  expect(watched.only()).toMatchObject({ outcome: 'success', status: 200 });
});

test('a call ends with the last byte of its body, whether or not anybody reads it', async () => {
  const rest = createGate();
  await using server = await startServer(async (_, { begin, response }) => {
    begin({}, '{"id":');
    await rest.promise;
    response.end('3}');
    return undefined;
  });
  const ended = createGate();
  const watched = watchCalls();
  const client = createClient(server, { hooks: [watched.hooks, { onEnd: () => ended.open() }] });
  client.exams.retrieve(3);
  await server.arrival(1);
  await nextTurn();
  expect(watched.ends).toEqual([]);
  rest.open();
  await ended.promise;
  expect(watched.only()).toMatchObject({ outcome: 'success', status: 200 });
});

describe('a call that fails ends with its error and verdicts', () => {
  test.each([
    ['ApiError', { status: 404 }, ApiError, 404],
    ['ResponseValidationError', { body: { id: 'x' } }, ResponseValidationError, 200],
  ])('%s', async (_, response, expected, status) => {
    await using server = startService(response);
    const watched = watchCalls();
    const call = createClient(server, { hooks: watched.hooks }).exams.retrieve(3);
    const error = await failure<ExamServiceError>(call, expected);
    const { outcome, retryable } = error;
    expect(watched.only()).toMatchObject({ error, outcome, retryable, status, attempts: 1 });
  });

  test('ConnectionError, after an attempt that got a response', async () => {
    const watched = watchCalls();
    const responses = [() => Promise.resolve(new Response('', { status: 503 })), rejecting];
    const fetch = () => (responses.shift() ?? rejecting)();
    const client = createClient(nowhere, { hooks: watched.hooks, fetch, maxRetries: 1 });
    const error = await failure(client.exams.list(), ConnectionError);
    expect(watched.only()).toMatchObject({ error, outcome: 'unknown', status: null, attempts: 2 });
  });

  test.each([{ timeout: 5 }, { totalTimeout: 5 }])('TimeoutError of %o', async (options) => {
    const watched = watchCalls();
    const client = createClient(nowhere, { hooks: watched.hooks, fetch: never, ...options });
    const error = await failure(
      client.participants.import([{ email: 'a@b.test', name: 'A', password: 'p' }]),
      TimeoutError,
    );
    expect(watched.only()).toMatchObject({ error, outcome: 'unknown', retryable: true, attempts: 1 });
  });
});

describe('a call that is aborted ends with the reason of its signal', () => {
  const pair = { participant_id: 1, exam_id: 2 };

  test('before it started: nothing was sent', async () => {
    const watched = watchCalls();
    const client = createClient(nowhere, { hooks: watched.hooks, fetch: rejecting });
    await rejection(client.examParticipants.assign(pair, { signal: AbortSignal.abort('enough') }));
    const end = { error: 'enough', outcome: 'not_sent', retryable: true, attempts: 0 };
    expect(watched.only()).toMatchObject(end);
  });

  test('under way: it may have taken effect', async () => {
    await using server = startService(() => undefined);
    const watched = watchCalls();
    const controller = new AbortController();
    const client = createClient(server, { hooks: watched.hooks });
    const call = client.examParticipants.assign(pair, { signal: controller.signal });
    server.arrival(1).then(() => controller.abort('enough'));
    await rejection(call);
    const end = { error: 'enough', outcome: 'unknown', retryable: false, attempts: 1 };
    expect(watched.only()).toMatchObject(end);
  });

  test('during the wait before a retry', async () => {
    await using server = startService({ status: 503, headers: { 'Retry-After': '30' } });
    const watched = watchCalls();
    const controller = new AbortController();
    const hooks = [watched.hooks, { onRetry: () => controller.abort('enough') }];
    const client = createClient(server, { hooks, maxRetries: 1 });
    await rejection(client.exams.retrieve(3, { signal: controller.signal }));
    expect(watched.only()).toMatchObject({ error: 'enough', outcome: 'rejected', status: 503, attempts: 1 });
  });
});

describe('calls within calls are reported one by one', () => {
  test('each page of an iteration, those fetched ahead and given up included', async () => {
    await using server = startService(({ query }) => {
      const page = Number(query.get('page') ?? 1);
      return { body: { data: [{ id: page }], meta: { current_page: page, last_page: 40, total: 40 } } };
    });
    const watched = watchCalls();
    const client = createClient(server, { hooks: watched.hooks });
    for await (const { id } of client.exams.list({}, { concurrency: 8 })) if (id === 5) break;
    await nextTurn();
    const calls = watched.starts.length;
    expect(calls).toBeGreaterThanOrEqual(5);
    watched.expectAllClosed(calls);
  });
});
