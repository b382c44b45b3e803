// The hooks that turn calls and deliveries into spans and metrics.

import { type MeterProvider, metrics, type TracerProvider, trace } from '@opentelemetry/api';
import { expectObjects, type OptionTable, optional, optionOf, readOptions } from '../core/check.ts';
import type { Hooks, OnEndEvent, OnStartEvent } from '../core/hooks.ts';
import { VERSION } from '../core/version.ts';
import type { OnDeliveryEndEvent, OnDeliveryStartEvent, WebhookHooks } from '../webhooks/receive/hooks.ts';
import { CallSpans } from './call-spans.ts';
import { DeliverySpans } from './delivery-spans.ts';
import { createInstruments } from './instruments.ts';

/** Where to send spans and metrics. */
export interface OpenTelemetryOptions {
  /**
   * Creates the spans.
   * @default the globally registered provider
   */
  readonly tracerProvider?: TracerProvider | undefined;
  /**
   * Makes the metrics.
   * @default the provider that is registered globally when the first call is made, or the first delivery comes
   */
  readonly meterProvider?: MeterProvider | undefined;
}

// @__NO_SIDE_EFFECTS__
const aProvider = <T>(name: string, method: string) =>
  optional(optionOf<T>(`an OpenTelemetry ${name}`, (value) => typeof Object(value)[method] === 'function'));

const optionTable = {
  tracerProvider: aProvider<TracerProvider>('TracerProvider', 'getTracer'),
  meterProvider: aProvider<MeterProvider>('MeterProvider', 'getMeter'),
} satisfies OptionTable<OpenTelemetryOptions>;

/**
 * Hooks that make spans and metrics, for clients and for receivers: pass them as `hooks` of `new ExamClient` and of
 * `createWebhookHandler`; one set can serve both. No attribute holds a key, a query value or anything of a body but the name of its
 * event. Tracer and meter name version 1.45.0 of the semantic conventions as their schema.
 *
 * - Calls, by the semantic conventions of HTTP clients: a client span for each call, whose parent is the context that is active
 *   when the call is made; a child span for each attempt, which the request carries on in `traceparent`; the histogram
 *   `http.client.request.duration`; and counters of retries, responses with 429 and responses of another shape.
 * - Deliveries, by those of messaging: a consumer span for each delivery, whose parent is the context that is active when the
 *   request is passed to the receiver, and which is active where it is handled; the histogram `messaging.process.duration`; and
 *   a counter of rejections by their reason.
 *
 * @throws {ConfigurationError} when an option is invalid
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): Hooks & WebhookHooks {
  expectObjects('openTelemetry takes one object: { tracerProvider, meterProvider }', options);
  const { tracerProvider, meterProvider } = readOptions('the options of openTelemetry', options, optionTable);
  const tracer = (tracerProvider ?? trace).getTracer(SCOPE, VERSION, SCHEMA);
  const instruments = createInstruments(() => (meterProvider ?? metrics).getMeter(SCOPE, VERSION, SCHEMA));
  const calls = new CallSpans(tracer, instruments, tracerProvider !== undefined);
  const deliveries = new DeliverySpans(tracer, instruments);
  return {
    onStart: (event: OnStartEvent | OnDeliveryStartEvent) =>
      'callId' in event ? calls.start(event) : deliveries.start(event),
    onRequest: (event) => calls.startAttempt(event),
    onResponse: (event) => calls.receive(event),
    onRetry: (event) => calls.retry(event),
    onSchemaDrift: (event) => calls.countDrift(event),
    onEnd: (event: OnEndEvent | OnDeliveryEndEvent) =>
      'callId' in event ? calls.end(event) : deliveries.end(event),
  };
}

/** Name of the instrumentation, required by OpenTelemetry. */
const SCOPE = 'exam-service-sdk';

/** The version of the semantic conventions that names and attributes follow, for backends that translate between versions. */
const SCHEMA = { schemaUrl: 'https://opentelemetry.io/schemas/1.45.0' };
