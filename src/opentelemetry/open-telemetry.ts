import { type MeterProvider, metrics, type TracerProvider, trace } from '@opentelemetry/api';
import { ConfigurationError } from '../core/errors/configuration-error.ts';
import type { Hooks } from '../core/hooks.ts';
import { VERSION } from '../core/version.ts';
import { findUnknownName } from '../util/suggest.ts';
import { CallSpans } from './call-spans.ts';
import { createInstruments } from './instruments.ts';

/** Where to send spans and metrics. */
export interface OpenTelemetryOptions {
  /**
   * Creates the spans.
   * @default the globally registered provider
   */
  readonly tracerProvider?: TracerProvider | undefined;
  /**
   * Creates the metrics.
   * @default the provider registered globally when the first call is made
   */
  readonly meterProvider?: MeterProvider | undefined;
}

const optionNames = Object.keys({
  tracerProvider: true,
  meterProvider: true,
} satisfies Record<keyof OpenTelemetryOptions, true>);

/**
 * Hooks for `new ExamClient({ hooks: openTelemetry() })` that create spans and metrics, following the semantic
 * conventions for HTTP clients: a client span per call, with the context active at the call as its parent; a child span
 * per attempt, whose context is sent in `traceparent`; the histogram `http.client.request.duration`; and counters for
 * retries, pauses and answers of unexpected shape. Attributes never contain a key, a query value or anything from a
 * body.
 *
 * @throws {ConfigurationError} when an option is invalid
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): Hooks {
  const unknown = findUnknownName(options, optionNames);
  if (unknown !== null) throw new ConfigurationError(`openTelemetry has no option ${unknown}.`);
  const { tracerProvider, meterProvider } = options;
  if (tracerProvider !== undefined && typeof tracerProvider?.getTracer !== 'function') {
    throw new ConfigurationError('`tracerProvider` must be an OpenTelemetry TracerProvider.');
  }
  if (meterProvider !== undefined && typeof meterProvider?.getMeter !== 'function') {
    throw new ConfigurationError('`meterProvider` must be an OpenTelemetry MeterProvider.');
  }
  const tracer = (tracerProvider ?? trace).getTracer(SCOPE, VERSION);
  const instruments = createInstruments(() => (meterProvider ?? metrics).getMeter(SCOPE, VERSION));
  const spans = new CallSpans(tracer, instruments, tracerProvider !== undefined);
  return {
    onStart: (event) => spans.start(event),
    onRequest: (event) => spans.startAttempt(event),
    onResponse: (event) => spans.answer(event),
    onRetry: (event) => spans.retry(event),
    onSchemaDrift: (event) => spans.countDrift(event),
    onEnd: (event) => spans.end(event),
  };
}

/** Name of the instrumentation, required by OpenTelemetry. */
const SCOPE = 'exam-service-sdk';
