// Traces client and receiver with OpenTelemetry.
//
//   npx node examples/observability.ts
//
// Each call is a span with one child for each attempt, in the trace of the job that made it; each delivery is a span of its
// own. Traces are printed as an indented tree; with OTEL_EXPORTER_OTLP_ENDPOINT they also go to a collector. A gauge counts
// failed deliveries.
import { context, propagation, SpanStatusCode } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { hrTimeToMilliseconds, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  AggregationTemporality,
  DataPointType,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BatchSpanProcessor,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { ExamClient } from 'exam-service-sdk';
import { openTelemetry } from 'exam-service-sdk/opentelemetry';
import { connectService, startReceiver, takeExam } from './support/service.ts';

// OpenTelemetry for one process, as an application sets it up at its start. Spans and metrics are kept for printing.
const spans = new InMemorySpanExporter();
const collector = process.env['OTEL_EXPORTER_OTLP_ENDPOINT']
  ? [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })]
  : [];
const tracerProvider = new TracerProvider({
  spanProcessors: [new SimpleSpanProcessor({ exporter: spans }), ...collector],
});
const metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const meterProvider = new MeterProvider({
  readers: [new PeriodicExportingMetricReader({ exporter: metrics })],
});
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
propagation.setGlobalPropagator(new W3CTraceContextPropagator());
const tracer = tracerProvider.getTracer('exam-registration');

const service = await connectService(!process.argv.includes('--test-project') && '--test-project');
service.emulator?.control.seedParticipants(30);
// The emulator has a bad moment, so that the trace shows a retry and a response that is rejected.
const unavailable = { effect: 'respond', status: 503, headers: { 'Retry-After': '0' } } as const;
service.emulator?.faults.inject({ on: 'participants.list', ...unavailable });
// One set of hooks serves both sides.
const hooks = openTelemetry({ tracerProvider, meterProvider });
const receiver = await startReceiver(hooks);
const client = new ExamClient({ baseUrl: service.baseUrl, apiKey: service.apiKey, hooks });
watchEndpoints();

try {
  await inSpan('register a class', async () => {
    const people = await client.participants
      .list({ limit: 10 }, { concurrency: 2 })
      .toArray({ maxItems: 30 });
    const [exam] = await client.exams.list({ limit: 1 }).toArray({ maxItems: 1 });
    if (exam === undefined) throw new Error('The service has no exam to assign anybody to.');
    const pairs = people.slice(0, 2).map(({ id }) => ({ participant_id: id, exam_id: exam.id }));
    await client.examParticipants.assignAll([...pairs, ...pairs], {
      onResult: ({ participant_id, status }) => console.log(`participant ${participant_id}: ${status}`),
    });
    await inSpan('receive the results', () => receiveResults(exam.id, pairs));
  });
} finally {
  // Before the service is gone, as the gauge is read once more.
  await tracerProvider.forceFlush();
  console.log(`\n${drawTree(spans.getFinishedSpans())}`);
  await Promise.all([tracerProvider.shutdown(), meterProvider.shutdown()]);
  await receiver.close();
  await service.close();
}

/** Registers the receiver, has the emulated participants take the exam, and waits for the deliveries. */
async function receiveResults(exam: number, pairs: readonly { participant_id: number }[]): Promise<void> {
  const created = await client.webhooks.create({ url: receiver.url, events: ['exam_result.completed'] });
  try {
    receiver.start(created.secret);
    const takers = pairs.map(({ participant_id }) => participant_id);
    if (service.emulator === null) await client.webhooks.test(created.id);
    else takeExam(service.emulator, exam, takers);
    await receiver.waitFor(takers.length);
    console.log(`verified deliveries: ${receiver.scores.size}`);
    await printMetrics();
  } finally {
    await client.webhooks.delete(created.id);
  }
}

/** Asks the service, each time that metrics are read, how many deliveries in a row have failed. */
function watchEndpoints(): void {
  // Without hooks: what only measures needs no trace.
  const { webhooks } = client.withOptions({ hooks: [] });
  meterProvider
    .getMeter('exam-registration')
    .createObservableGauge('exam_service.webhook.consecutive_failures', {
      description: 'Consecutive failed deliveries to an endpoint, as the service counts them.',
      unit: '{delivery}',
    })
    .addCallback(async (gauge) => {
      for (const { id, consecutive_failures } of await webhooks.list()) {
        gauge.observe(consecutive_failures, { 'exam_service.webhook.id': id });
      }
    });
}

/** Does `work` in a span of its own, in which the calls that it makes have their place. */
function inSpan<T>(name: string, work: () => Promise<T>): Promise<T> {
  return tracer.startActiveSpan(name, async (span) => {
    try {
      return await work();
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Prints each count and each gauge; histograms are left out. */
async function printMetrics(): Promise<void> {
  await meterProvider.forceFlush();
  for (const { metrics: measured } of metrics.getMetrics().at(-1)?.scopeMetrics ?? [])
    for (const { descriptor, dataPoints, dataPointType } of measured)
      if (dataPointType === DataPointType.SUM || dataPointType === DataPointType.GAUGE)
        for (const { attributes, value } of dataPoints)
          console.log(`${descriptor.name} ${JSON.stringify(attributes)} ${value}`);
}

/** Each span below the one it belongs to, in the order in which they started. */
function drawTree(spans: readonly ReadableSpan[], parent?: ReadableSpan, indent = ''): string {
  const parentId = parent?.spanContext().spanId;
  return spans
    .filter((span) => span.parentSpanContext?.spanId === parentId)
    .sort((a, b) => hrTimeToMilliseconds(a.startTime) - hrTimeToMilliseconds(b.startTime))
    .map((span) => `${indent}${describe(span)}\n${drawTree(spans, span, `${indent}  `)}`)
    .join('');
}

function describe({ name, attributes, duration }: ReadableSpan): string {
  const result = attributes['error.type'] ?? attributes['http.response.status_code'];
  const resent = attributes['http.request.resend_count'];
  const parts = [name, result && `-> ${result}`, resent && `(resent ${resent})`];
  return [...parts, `${hrTimeToMilliseconds(duration).toFixed(1)} ms`].filter(Boolean).join(' ');
}
