import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { ClientOptions, ExamClient } from '../../src/index.ts';
import { openTelemetry } from '../../src/opentelemetry/index.ts';
import { createClient, nowhere, rejection } from '../helpers/client.ts';
import { createGate, never, nextTurn } from '../helpers/gate.ts';
import { operations } from '../helpers/operations.ts';
import { type Handler, startService } from '../helpers/server.ts';
import { createTelemetry, type Telemetry, unregisterGlobals, withGlobals } from './telemetry.ts';

let telemetry: Telemetry;

withGlobals();
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  telemetry = createTelemetry();
});

const trackedClient = (server: { url: string }, options: ClientOptions = {}): ExamClient =>
  createClient(server, { hooks: openTelemetry(telemetry.providers), ...options });

const reject = () => Promise.reject(new TypeError('fetch failed'));

/** Page after page of so many. */
const paged =
  (last_page: number): Handler =>
  ({ query }) => {
    const current_page = Number(query.get('page') ?? 1);
    return { body: { data: [{ id: current_page }], meta: { current_page, last_page, total: last_page } } };
  };

/** The only call's span, and those of its attempts. */
function onlyCall() {
  expect(telemetry.open).toBe(0);
  const [call, ...others] = telemetry.roots;
  if (call === undefined || others.length > 0) throw new Error(`There are ${telemetry.roots.length} calls.`);
  return { call, attempts: telemetry.childrenOf(call) };
}

test.each(operations)(
  '$name is a client span named by method and route, with one attempt',
  async (operation) => {
    await using server = startService(operation.response);
    await operation.call(trackedClient(server));
    const { call, attempts } = onlyCall();
    const route = call.attributes['url.template'];
    const address = new URL(server.origin);
    const shared = {
      'http.request.method': operation.method,
      'http.response.status_code': operation.response.status ?? 200,
      'server.address': address.hostname,
      'server.port': Number(address.port),
      'url.template': route,
    };
    expect(call).toMatchObject({ name: `${operation.method} ${route}`, kind: SpanKind.INTERNAL });
    const own = { 'exam_service.operation': operation.name, 'exam_service.outcome': 'success' };
    expect(call.attributes).toEqual({ ...shared, ...own });
    expect(call.status.code).toBe(SpanStatusCode.UNSET);
    expect(attempts).toHaveLength(1);
    expect(attempts[0]).toMatchObject({ name: call.name, kind: SpanKind.CLIENT });
    const path = server.request.target.replace(/=[^&]*/g, '=REDACTED');
    expect(attempts[0]?.attributes).toEqual({ ...shared, 'url.full': server.origin + path });
  },
);

test('a retried call is one parent with a child for each attempt, whose requests are sent in its name', async () => {
  await using server = startService([{ status: 503 }, { status: 500 }, { body: [] }]);
  await trackedClient(server, { maxRetries: 2 }).exams.list();
  const { call, attempts } = onlyCall();
  const { ERROR, UNSET } = SpanStatusCode;
  const facts = attempts.map(({ attributes, status }) => ({
    again: attributes['http.request.resend_count'],
    type: attributes['error.type'],
    code: status.code,
  }));
  expect(facts).toEqual([
    { type: '503', code: ERROR },
    { again: 1, type: '500', code: ERROR },
    { again: 2, code: UNSET },
  ]);
  expect(call.status.code).toBe(SpanStatusCode.UNSET);
  const sent = server.requests.map(({ headers }) => headers['traceparent']);
  const contexts = attempts.map((span) => span.spanContext());
  expect(sent).toEqual(contexts.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`));
});

test('the parent of a call is the context that is active when it is made, for the pages of an iteration too', async () => {
  await using server = startService(paged(10));
  const parent = telemetry.providers.tracerProvider.getTracer('test').startSpan('job');
  const client = trackedClient(server);
  await context.with(trace.setSpan(context.active(), parent), async () => {
    for await (const _ of client.exams.list({}, { concurrency: 8 }));
  });
  parent.end();
  const [job] = telemetry.roots;
  if (job === undefined) throw new Error('The span of the job is missing.');
  expect(telemetry.childrenOf(job).map(({ name }) => name)).toEqual(Array(10).fill('GET /exams'));
  expect(telemetry.open).toBe(0);
});

test('a page that is cancelled in the queue has no client span', async () => {
  await using server = startService((request, exchange) =>
    exchange.number === 1 ? paged(40)(request, exchange) : undefined,
  );
  const client = trackedClient(server, { maxConcurrency: 1 });
  for await (const _ of client.exams.list({}, { concurrency: 8 })) {
    await server.arrival(2);
    break;
  }
  await nextTurn();
  expect(telemetry.open).toBe(0);
  expect(telemetry.roots).toHaveLength(8);
  const attempts = telemetry.spans.filter(({ kind }) => kind === SpanKind.CLIENT);
  expect([attempts.length, server.requests.length]).toEqual([2, 2]);
});

describe('spans end with the last byte of the body', () => {
  const ways: [string, (call: ReturnType<ExamClient['exams']['retrieve']>) => Promise<unknown>][] = [
    ['when the data is awaited', (call) => call.withResponse()],
    ['when only the response is', (call) => call.asResponse()],
  ];
  test.each(ways)('%s', async (_, read) => {
    let now = Math.round(performance.now());
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const [headers, bytes] = [createGate(), createGate<Uint8Array>()];
    const body = new ReadableStream({
      async pull(controller) {
        headers.open();
        controller.enqueue(await bytes.promise);
        controller.close();
      },
    });
    const client = trackedClient(nowhere, { fetch: async () => new Response(body) });
    const result = read(client.exams.retrieve(3));
    await headers.promise;
    await nextTurn();
    expect(telemetry.open).toBe(2);
    now += 4_000;
    bytes.open(new TextEncoder().encode('{"id":3}'));
    await result;
    const { call, attempts } = onlyCall();
    expect([call, ...attempts].map(({ duration }) => duration.join())).toEqual(['4,0', '4,0']);
    const [point] = await telemetry.points('http.client.request.duration');
    expect(point?.value).toMatchObject({ count: 1, sum: 4 });
  });
});

describe('a call that fails is closed as an error, without a description', () => {
  const gone = () => AbortSignal.abort();
  const later = () => {
    const controller = new AbortController();
    nextTurn().then(() => controller.abort('ana@example.test gave up'));
    return controller.signal;
  };
  test.each<[how: string, options: ClientOptions, type: string, count?: number, signal?: () => AbortSignal]>([
    ['without a response', { fetch: reject }, 'ConnectionError'],
    ['by a timeout', { timeout: 5 }, 'TimeoutError'],
    ['aborted before', {}, 'AbortError', 0, gone],
    ['aborted under way by a reason of its own', {}, '_OTHER', 1, later],
  ])('%s', async (_, options, type, count = 1, signal = undefined) => {
    const client = trackedClient(nowhere, { fetch: never, ...options });
    await rejection(client.exams.list({}, { signal: signal?.() }));
    await nextTurn();
    const { call, attempts } = onlyCall();
    expect(attempts).toHaveLength(count);
    for (const span of [call, ...attempts]) {
      expect(span.attributes['error.type']).toBe(type);
      expect(span.status).toEqual({ code: SpanStatusCode.ERROR });
      expect(span.events).toEqual([]);
    }
  });
});

test('client.request has no template: its span is named by the method, and no attribute holds its path', async () => {
  await using server = startService({ body: {} });
  const path = '/people/ana@example.test';
  await trackedClient(server).request({ method: 'GET', path, auth: 'bearer', query: { q: 'Ana' } });
  const { call, attempts } = onlyCall();
  expect([call.name, attempts[0]?.name]).toEqual(['GET', 'GET']);
  expect(attempts[0]?.attributes['url.full']).toBe(`${server.url}/REDACTED`);
  expect(JSON.stringify([call.attributes, attempts[0]?.attributes])).not.toMatch(/ana/i);
});

test('without a global propagator, the provider that was passed still has its traceparent sent', async () => {
  unregisterGlobals();
  await using server = startService({ body: [] });
  await trackedClient(server).exams.list();
  const { traceId, spanId } = onlyCall().attempts[0]?.spanContext() ?? {};
  expect(server.request.headers['traceparent']).toBe(`00-${traceId}-${spanId}-01`);
});

test('without any SDK, calls go on as without hooks', async () => {
  unregisterGlobals();
  await using server = startService({ body: [] });
  const client = createClient(server, { hooks: openTelemetry() });
  expect((await client.exams.list()).data).toEqual([]);
  expect(server.request.headers).not.toHaveProperty('traceparent');
});
