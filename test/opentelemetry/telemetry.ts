import { context, propagation } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  AggregationTemporality,
  type DataPoint,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';

/** OpenTelemetry in memory: what was started, what has ended, and what was measured. */
export interface Telemetry {
  readonly providers: { readonly tracerProvider: TracerProvider; readonly meterProvider: MeterProvider };
  /** How many spans have not ended. */
  readonly open: number;
  /** The spans that have ended, in the order of their ends. */
  readonly spans: readonly ReadableSpan[];
  /** The spans without a parent. */
  readonly roots: readonly ReadableSpan[];
  /** The spans in another. */
  childrenOf(span: ReadableSpan): ReadableSpan[];
  /** The points of a metric; none where nothing was measured. */
  points(metric: string): Promise<readonly DataPoint<unknown>[]>;
}

export function createTelemetry(): Telemetry {
  const exporter = new InMemorySpanExporter();
  let open = 0;
  const counter = {
    onStart: () => {
      open += 1;
    },
    onEnd: () => {
      open -= 1;
    },
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  let ids = 0;
  const nextId = (digits: number) => (++ids).toString(16).padStart(digits, '0');
  const tracerProvider = new TracerProvider({
    // The SDK's own ids come from Math.random, which tests hold still to have no waits.
    idGenerator: { generateTraceId: () => nextId(32), generateSpanId: () => nextId(16) },
    spanProcessors: [counter, new SimpleSpanProcessor({ exporter })],
  });
  const metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: metrics, exportIntervalMillis: 3_600_000 });
  const meterProvider = new MeterProvider({ readers: [reader] });
  return {
    providers: { tracerProvider, meterProvider },
    get open() {
      return open;
    },
    get spans() {
      return exporter.getFinishedSpans();
    },
    get roots() {
      return exporter.getFinishedSpans().filter((span) => span.parentSpanContext === undefined);
    },
    childrenOf: (span) =>
      exporter
        .getFinishedSpans()
        .filter((other) => other.parentSpanContext?.spanId === span.spanContext().spanId),
    async points(metric) {
      await meterProvider.forceFlush();
      const all =
        metrics
          .getMetrics()
          .at(-1)
          ?.scopeMetrics.flatMap((scope) => scope.metrics) ?? [];
      return all.find(({ descriptor }) => descriptor.name === metric)?.dataPoints ?? [];
    },
  };
}

/** Registers what Node's SDK registers: contexts that follow asynchronous calls, and W3C Trace Context. */
export function registerGlobals(): void {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
}

export function unregisterGlobals(): void {
  context.disable();
  propagation.disable();
}
