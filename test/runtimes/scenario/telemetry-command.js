import process from 'node:process';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { ExamClient } from 'exam-service-sdk';
import { openTelemetry } from 'exam-service-sdk/opentelemetry';

/** Registers providers as an application does, makes a call that is sent twice, and says what was not seen of it. */
async function run() {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  const metricExporter = new InMemoryMetricExporter(1);
  const reader = new PeriodicExportingMetricReader({
    exporter: metricExporter,
    exportIntervalMillis: 3_600_000,
  });
  const meterProvider = new MeterProvider({ readers: [reader] });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const sent = [];
  const responses = [new Response('', { status: 503, headers: { 'Retry-After': '0' } }), new Response('[]')];
  const client = new ExamClient({
    baseUrl: 'https://host.test/api/v1',
    apiKey: 'key',
    hooks: openTelemetry({ tracerProvider, meterProvider }),
    fetch: async (_url, { headers }) => {
      sent.push(headers.traceparent);
      return responses.shift();
    },
  });
  const job = tracerProvider.getTracer('scenario').startSpan('job');
  await context.with(trace.setSpan(context.active(), job), () => client.exams.list());
  await meterProvider.forceFlush();
  await meterProvider.shutdown();
  const below = (span) =>
    exporter
      .getFinishedSpans()
      .filter((other) => other.parentSpanContext?.spanId === span.spanContext().spanId);
  const [call, ...others] = below(job);
  const attempts = call === undefined ? [] : below(call);
  const measured = metricExporter
    .getMetrics()
    .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((s) => s.metrics));
  const ids = attempts.map((span) => span.spanContext());
  return {
    spans: call?.name === 'GET /exams' && others.length === 0 && attempts.length === 2 ? 'ok' : 'other spans',
    traceparent:
      sent.join() === ids.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`).join()
        ? 'ok'
        : sent.join(),
    metrics: measured.map(({ descriptor }) => descriptor.name).includes('http.client.request.duration')
      ? 'ok'
      : 'no histogram',
    'no propagator needed': propagation.fields().length === 0 ? 'ok' : 'there was one',
  };
}

// Without `await`, so that it can be CommonJS.
run().then((findings) => process.stdout.write(JSON.stringify(findings)));
