// Adds the trace context of a span to the headers of a request.

import { type Context, isSpanContextValid, propagation, trace } from '@opentelemetry/api';

const setter = { set: (headers: Headers, name: string, value: string) => headers.set(name, value) };

/**
 * Sends the context of the span along with the request. Without a global propagator, because the tracer provider was
 * passed as an option, `traceparent` is written as defined by W3C Trace Context.
 */
export function inject(context: Context, headers: Headers, isOwnProvider: boolean): void {
  propagation.inject(context, headers, setter);
  const span = trace.getSpanContext(context);
  const isLeftOut = isOwnProvider && propagation.fields().length === 0;
  if (!isLeftOut || span === undefined || !isSpanContextValid(span)) return;
  const flags = span.traceFlags.toString(16).padStart(2, '0');
  headers.set('traceparent', `00-${span.traceId}-${span.spanId}-${flags}`);
}
