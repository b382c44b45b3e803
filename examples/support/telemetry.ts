import { context, type Meter, propagation, type Tracer } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { hrTimeToMilliseconds, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  AggregationTemporality,
  DataPointType,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import {
  BatchSpanProcessor,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';

/** OpenTelemetry for one process, as an application sets it up once, at its start. */
export interface Telemetry {
  readonly tracerProvider: TracerProvider;
  readonly meterProvider: MeterProvider;
  readonly tracer: Tracer;
  readonly meter: Meter;
  /** Measures now, and gives every count and every gauge as a line. */
  measure(): Promise<string>;
  /** Ends what is under way, and gives every span as a line of an indented tree. */
  finish(): Promise<string>;
}

/** Keeps spans and metrics for printing; with `OTEL_EXPORTER_OTLP_ENDPOINT` the spans also go there. */
export function startTelemetry(service: string): Telemetry {
  const memory = new InMemorySpanExporter();
  const processors = [new SimpleSpanProcessor({ exporter: memory })];
  const tracerProvider = new TracerProvider({
    spanProcessors: process.env['OTEL_EXPORTER_OTLP_ENDPOINT']
      ? [...processors, new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })]
      : processors,
  });
  const metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const meterProvider = new MeterProvider({
    readers: [new PeriodicExportingMetricReader({ exporter: metrics })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return {
    tracerProvider,
    meterProvider,
    tracer: tracerProvider.getTracer(service),
    meter: meterProvider.getMeter(service),
    async measure() {
      await meterProvider.forceFlush();
      return listPoints(metrics.getMetrics().at(-1));
    },
    async finish() {
      await tracerProvider.forceFlush();
      const tree = drawTree(memory.getFinishedSpans());
      await tracerProvider.shutdown();
      await meterProvider.shutdown();
      return tree;
    },
  };
}

/** Each number with its attributes; histograms are left out. */
function listPoints(measured: ResourceMetrics | undefined): string {
  const metrics = (measured?.scopeMetrics ?? []).flatMap((scope) => scope.metrics);
  return metrics
    .filter(
      ({ dataPointType }) => dataPointType === DataPointType.SUM || dataPointType === DataPointType.GAUGE,
    )
    .flatMap(({ descriptor, dataPoints }) =>
      dataPoints.map(({ attributes, value }) => `${descriptor.name} ${JSON.stringify(attributes)} ${value}`),
    )
    .sort()
    .join('\n');
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
