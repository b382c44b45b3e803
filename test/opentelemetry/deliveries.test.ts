import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { beforeEach, describe, expect, test } from 'vitest';
import { openTelemetry } from '../../src/opentelemetry/index.ts';
import { signedWebhook } from '../../src/testing/index.ts';
import {
  createMemoryStore,
  createWebhookHandler,
  type WebhookHandlerOptions,
} from '../../src/webhooks/index.ts';
import { createClient } from '../helpers/client.ts';
import { never } from '../helpers/gate.ts';
import { startServer } from '../helpers/server.ts';
import { completed, receiverOptions, secret, signedAt } from '../webhooks/helpers.ts';
import { boundaries, createTelemetry, type Telemetry, unregisterGlobals, withGlobals } from './telemetry.ts';

const common = {
  'messaging.system': 'exam_service',
  'messaging.operation.name': 'process',
  'messaging.operation.type': 'process',
};
const name = completed.event;

let telemetry: Telemetry;

withGlobals();
beforeEach(() => {
  telemetry = createTelemetry();
});

function receiver(more: Partial<WebhookHandlerOptions> = {}) {
  const quiet = { onRejected: () => {}, onError: () => {} };
  const hooks = openTelemetry(telemetry.providers);
  return createWebhookHandler({ ...receiverOptions, ...quiet, hooks, ...more });
}

const signed = (json: unknown = completed, timestamp = signedAt) =>
  signedWebhook({ body: JSON.stringify(json), secret, timestamp }).toRequest();
const forged = () =>
  new Request('https://receiver.test/hooks/zanzibar?token=opal', {
    method: 'POST',
    headers: { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, 'X-Cbt-Signature': 'heron' },
    body: 'quill',
  });

function onlySpan() {
  expect(telemetry.open).toBe(0);
  const [span, ...others] = telemetry.spans;
  if (span === undefined || others.length > 0) throw new Error(`There are ${telemetry.spans.length} spans.`);
  return span;
}

test('a delivery is a consumer span named by its event, and measured', async () => {
  await receiver()(signed(completed, signedAt - 12));
  const span = onlySpan();
  expect(span).toMatchObject({ name: `process ${name}`, kind: SpanKind.CONSUMER, events: [], links: [] });
  expect(span.status).toEqual({ code: SpanStatusCode.UNSET });
  const measured = { ...common, 'messaging.destination.name': name, 'exam_service.outcome': 'handled' };
  const own = { 'http.response.status_code': 204, 'exam_service.webhook.skew': 12 };
  expect(span.attributes).toEqual({ ...measured, ...own });
  const value = expect.objectContaining({ count: 1, buckets: expect.objectContaining({ boundaries }) });
  expect(await telemetry.measured('messaging.process.duration')).toEqual([{ attributes: measured, value }]);
});

test('its parent is the context that is active when the request is passed, whatever traceparent it has', async () => {
  const tracer = telemetry.providers.tracerProvider.getTracer('test');
  const handle = receiver();
  await tracer.startActiveSpan('the server', async (span) => {
    await handle(forged());
    span.end();
  });
  await handle(forged());
  const [server, root, ...others] = telemetry.roots;
  if (server === undefined) throw new Error('The span of the server is missing.');
  expect(others).toEqual([]);
  expect([server.name, root?.name]).toEqual(['the server', 'process']);
  expect(telemetry.childrenOf(server).map((span) => span.name)).toEqual(['process']);
});

test('spans of the handler, of its calls and of the store are its children: one set serves client and receiver', async () => {
  await using server = await startServer({ body: { id: 9 } });
  const hooks = openTelemetry(telemetry.providers);
  const client = createClient(server, { hooks });
  const tracer = telemetry.providers.tracerProvider.getTracer('test');
  const claim = () => {
    tracer.startSpan('claim').end();
    return true;
  };
  const handler = async () => {
    tracer.startSpan('handle').end();
    await client.participants.retrieve(9);
  };
  const deduplication = { store: { ...createMemoryStore(), claim }, ttlSeconds: 86_400 };
  await receiver({ hooks, deduplication, on: { [name]: handler } })(signed());
  const [delivery, ...others] = telemetry.roots;
  if (delivery === undefined) throw new Error('The span of the delivery is missing.');
  expect(others).toEqual([]);
  const children = telemetry.childrenOf(delivery).map((span) => span.name);
  expect(children).toEqual(['claim', 'handle', 'GET /participants/{id}']);
  expect(telemetry.open).toBe(0);
  expect(trace.getSpan(context.active())).toBeUndefined();
});

test('a dispatched event is a span in the job that dispatches it, without a status or a skew', async () => {
  const tracer = telemetry.providers.tracerProvider.getTracer('test');
  await tracer.startActiveSpan('the job', async (span) => {
    await receiver().dispatch(completed as never);
    span.end();
  });
  const [job] = telemetry.roots;
  const [delivery] = job ? telemetry.childrenOf(job) : [];
  expect(delivery?.attributes).toEqual({
    ...common,
    'messaging.destination.name': name,
    'exam_service.outcome': 'handled',
  });
});

describe('a delivery that fails is closed as an error, without a description', () => {
  const failing = (error: unknown): Partial<WebhookHandlerOptions> => ({
    on: { [name]: () => Promise.reject(error) },
  });
  const late = { timeout: 5, on: { [name]: never } };
  const busy = { store: { ...createMemoryStore(), claim: () => false }, ttlSeconds: 86_400 };
  test.each<[string, Partial<WebhookHandlerOptions>, () => Request, string, number, string]>([
    ['by a rejection', {}, forged, 'header_malformed', 400, 'rejected'],
    ['by its age', {}, () => signed(completed, signedAt - 999), 'timestamp_too_old', 400, 'rejected'],
    ['by its method', {}, () => new Request('https://receiver.test/'), '405', 405, 'rejected'],
    ['by its handler', failing(new TypeError('ana@example.test')), signed, '500', 500, 'failed'],
    ['by its handler, which throws no error', failing('ana@example.test'), signed, '500', 500, 'failed'],
    ['by a late handler', late, signed, 'TimeoutError', 503, 'failed'],
    ['by another process', { on: { [name]: () => {} }, deduplication: busy }, signed, '503', 503, 'busy'],
  ])('%s', async (_, more, request, type, status, outcome) => {
    await receiver(more)(request());
    const span = onlySpan();
    expect(span.status).toEqual({ code: SpanStatusCode.ERROR });
    const facts = { 'http.response.status_code': status, 'exam_service.outcome': outcome };
    expect(span.attributes).toMatchObject({ 'error.type': type, ...facts });
    expect(span.events).toEqual([]);
  });
});

test('rejections are counted by their reason', async () => {
  const handle = receiver();
  for (const request of [forged(), forged(), signed(completed, signedAt + 999), signed()])
    await handle(request);
  expect(await telemetry.measured('exam_service.webhook.rejections')).toEqual([
    { attributes: { 'error.type': 'header_malformed' }, value: 2 },
    { attributes: { 'error.type': 'timestamp_in_future' }, value: 1 },
  ]);
});

test('no attribute holds a secret, a person, an address or anything of a payload', async () => {
  const failing = () => Promise.reject(new Error(`Zenobia: ${secret}`));
  const handle = receiver({ on: { [name]: failing }, onUnknown: () => {}, onInvalid: failing });
  const odd = { ...completed, event: 'Zenobia <zenobia@people.example>', data: { a: 'quill' } };
  await handle(signed());
  await handle(forged());
  await handle(signed({ ...completed, data: { participant: 'zenobia' } }));
  await handle(signed(odd));
  await handle.dispatch(completed as never).catch(() => {});
  expect(telemetry.spans).toHaveLength(5);
  expect(telemetry.open).toBe(0);
  const durations = await telemetry.points('messaging.process.duration');
  const rejections = await telemetry.points('exam_service.webhook.rejections');
  const text = telemetry.printed(...durations, ...rejections);
  const { participant_code: code, participant, exam, exam_quiz: quiz } = completed.data;
  const personal = [secret, participant.name, participant.email, exam.name, quiz.name, code];
  for (const word of [...personal, 'receiver.test', 'zanzibar']) expect(text).not.toContain(word);
  expect(text).not.toMatch(/zenobia|quill|opal|heron|people\.example/i);
  expect(text).toContain('process _OTHER');
});

test('without any SDK, deliveries are acknowledged as without hooks', async () => {
  unregisterGlobals();
  expect((await receiver({ hooks: openTelemetry() })(signed())).status).toBe(204);
});
