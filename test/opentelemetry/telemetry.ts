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
import { afterEach, beforeEach } from 'vitest';

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
  /** What its points say. */
  measured(metric: string): Promise<readonly Pick<DataPoint<unknown>, 'attributes' | 'value'>[]>;
  /** All that spans and points say. */
  printed(...points: readonly DataPoint<unknown>[]): string;
}

export function createTelemetry(): Telemetry {
  const exporter = new InMemorySpanExporter();
  let open = 0;
  const count = (change: number) => () => {
    open += change;
  };
  const counter = {
    onStart: count(1),
    onEnd: count(-1),
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
      return this.spans.filter((span) => span.parentSpanContext === undefined);
    },
    childrenOf(span) {
      return this.spans.filter((other) => other.parentSpanContext?.spanId === span.spanContext().spanId);
    },
    async points(metric) {
      await meterProvider.forceFlush();
      const scopes = metrics.getMetrics().at(-1)?.scopeMetrics ?? [];
      const all = scopes.flatMap((scope) => scope.metrics);
      return all.find(({ descriptor }) => descriptor.name === metric)?.dataPoints ?? [];
    },
    async measured(metric) {
      return (await this.points(metric)).map(({ attributes, value }) => ({ attributes, value }));
    },
    printed(...points) {
      const spans = this.spans.map(({ name, attributes, status, events }) => [
        name,
        attributes,
        status,
        events,
      ]);
      return JSON.stringify([spans, points.map(({ attributes }) => attributes)]);
    },
  };
}

/** The advised bounds of a duration, in seconds. */
export const boundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** Has contexts and a propagator in each test of a file. */
export function withGlobals(): void {
  beforeEach(registerGlobals);
  afterEach(unregisterGlobals);
}

/** Registers what Node's SDK registers: contexts that follow asynchronous calls, and W3C Trace Context. */
function registerGlobals(): void {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
}

export function unregisterGlobals(): void {
  context.disable();
  propagation.disable();
}
