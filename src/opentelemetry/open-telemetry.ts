import { type MeterProvider, metrics, type TracerProvider, trace } from '@opentelemetry/api';
import { ConfigurationError } from '../core/errors/configuration-error.ts';
import type { Hooks } from '../core/hooks.ts';
import { VERSION } from '../core/version.ts';
import { findUnknownName } from '../util/suggest.ts';
import { CallSpans } from './call-spans.ts';
import { createInstruments } from './instruments.ts';

/** Where spans and metrics go. */
export interface OpenTelemetryOptions {
  /**
   * Makes the spans.
   * @default the provider that is registered globally
   */
  readonly tracerProvider?: TracerProvider | undefined;
  /**
   * Makes the metrics.
   * @default the provider that is registered globally when the first call is made
   */
  readonly meterProvider?: MeterProvider | undefined;
}

const optionNames = Object.keys({
  tracerProvider: true,
  meterProvider: true,
} satisfies Record<keyof OpenTelemetryOptions, true>);

/**
 * Hooks for `new ExamClient({ hooks: openTelemetry() })` that make spans and metrics, by the semantic conventions of HTTP
 * clients: a client span for each call, whose parent is the context that is active when the call is made; a child of it for each
 * attempt, in whose name the request is sent (`traceparent`); the histogram `http.client.request.duration`; and counters of
 * retries, pauses and answers of another shape. No attribute holds a key, a query value or anything of a body.
 *
 * @throws {ConfigurationError} for an option that cannot work
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): Hooks {
  const unknown = findUnknownName(options, optionNames);
  if (unknown !== null) throw new ConfigurationError(`openTelemetry has no option ${unknown}.`);
  const { tracerProvider, meterProvider } = options;
  if (tracerProvider !== undefined && typeof tracerProvider?.getTracer !== 'function') {
    throw new ConfigurationError('`tracerProvider` must be a TracerProvider of OpenTelemetry.');
  }
  if (meterProvider !== undefined && typeof meterProvider?.getMeter !== 'function') {
    throw new ConfigurationError('`meterProvider` must be a MeterProvider of OpenTelemetry.');
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

/** Names the instrumentation, as OpenTelemetry asks for. */
const SCOPE = 'exam-service-sdk';
