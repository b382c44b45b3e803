import { SpanKind } from '@opentelemetry/api';
import { beforeEach, expect, test, vi } from 'vitest';
import { ConfigurationError, RateLimitError } from '../../src/index.ts';
import { openTelemetry } from '../../src/opentelemetry/index.ts';
import { createClient, failure, rejection, thrown } from '../helpers/client.ts';
import { skipWaits } from '../helpers/fake-time.ts';
import { startService } from '../helpers/server.ts';
import { boundaries, createTelemetry } from './telemetry.ts';

skipWaits();

beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));

test('every attempt is in the histogram http.client.request.duration, in seconds', async () => {
  await using server = startService([{ status: 503 }, { body: [] }]);
  const telemetry = createTelemetry();
  await createClient(server, { hooks: openTelemetry(telemetry.providers), maxRetries: 1 }).exams.list();
  const { hostname, port } = new URL(server.origin);
  const common = {
    'http.request.method': 'GET',
    'server.address': hostname,
    'server.port': Number(port),
    'url.template': '/exams',
  };
  const points = await telemetry.points('http.client.request.duration');
  expect(points.map(({ attributes }) => attributes)).toEqual([
    { ...common, 'http.response.status_code': 503, 'error.type': '503' },
    { ...common, 'http.response.status_code': 200 },
  ]);
  for (const { value } of points) {
    expect(value).toMatchObject({ count: 1, buckets: { boundaries } });
    expect((value as { sum: number }).sum).toBeLessThan(30);
  }
});

test('retries, pauses and responses of another shape are counted by operation', async () => {
  const paused = { status: 429, headers: { 'Retry-After': '0' } };
  // The last one does not say for how long.
  await using server = startService([paused, { status: 503 }, { body: { id: 'x' } }, { status: 429 }]);
  const telemetry = createTelemetry();
  const hooks = openTelemetry(telemetry.providers);
  const client = createClient(server, { hooks, validation: 'report', maxRetries: 2 });
  await client.exams.retrieve(3);
  await rejection(client.exams.retrieve(3, { maxRetries: 0 }));
  const own = { 'exam_service.operation': 'exams.retrieve' };
  expect(await telemetry.measured('exam_service.client.retries')).toEqual([
    { attributes: { ...own, 'error.type': '429' }, value: 1 },
    { attributes: { ...own, 'error.type': '503' }, value: 1 },
  ]);
  expect(await telemetry.measured('exam_service.client.pauses')).toEqual([{ attributes: own, value: 2 }]);
  expect(await telemetry.measured('exam_service.client.schema_drifts')).toEqual([
    { attributes: own, value: 1 },
  ]);
});

test('pauses count the responses with 429, and not the calls in the queue that fail with one of them', async () => {
  const telemetry = createTelemetry();
  await using server = startService({ status: 429, headers: { 'Retry-After': '3600' } });
  const client = createClient(server, { hooks: openTelemetry(telemetry.providers), maxConcurrency: 1 });
  const calls = Array.from({ length: 20 }, () => failure(client.exams.list(), RateLimitError));
  const errors = await Promise.all(calls);
  expect(errors.filter(({ outcome }) => outcome === 'not_sent')).toHaveLength(19);
  expect(server.requests).toHaveLength(1);
  const points = async (name: string) => (await telemetry.points(name)).map(({ value }) => value);
  expect(await points('exam_service.client.pauses')).toEqual([1]);
  expect(await points('exam_service.client.retries')).toEqual([]);
  expect(await points('http.client.request.duration')).toEqual([expect.objectContaining({ count: 1 })]);
  expect(telemetry.spans.filter(({ kind }) => kind === SpanKind.CLIENT)).toHaveLength(1);
  expect(telemetry.roots).toHaveLength(20);
});

test('tracer and meter name the version of the conventions', async () => {
  await using server = startService({ body: [] });
  const { providers } = createTelemetry();
  const getMeter = vi.spyOn(providers.meterProvider, 'getMeter');
  const getTracer = vi.spyOn(providers.tracerProvider, 'getTracer');
  await createClient(server, { hooks: openTelemetry(providers) }).exams.list();
  const schemaUrl = 'https://opentelemetry.io/schemas/1.45.0';
  for (const get of [getMeter, getTracer]) {
    expect(get.mock.calls).toEqual([['exam-service-sdk', expect.any(String), { schemaUrl }]]);
  }
});

test.each([
  [{ traceProvider: {} }, 'did you mean `tracerProvider`'],
  [{ tracerProvider: 'global' }, '`tracerProvider`'],
  [{ tracerProvider: null }, '`tracerProvider`'],
  [{ meterProvider: {} }, '`meterProvider`'],
  [null, 'one object: { tracerProvider, meterProvider }'],
])('openTelemetry rejects %o, which would measure nothing', (options, named) => {
  expect(thrown(() => openTelemetry(options as never), ConfigurationError).message).toContain(named);
});
