import { type Attributes, type Span, SpanStatusCode } from '@opentelemetry/api';

/** Ends a span with a status without a description: messages may quote the service, which may quote a person. */
export function close(span: Span, end: Attributes): void {
  span.setAttributes(end);
  if (end['error.type'] !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
