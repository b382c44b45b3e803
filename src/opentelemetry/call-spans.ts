// The spans of the client's calls: one per call, with one child per attempt.

import {
  type Attributes,
  type Context,
  context,
  isSpanContextValid,
  propagation,
  type Span,
  SpanKind,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type {
  OnEndEvent,
  OnRequestEvent,
  OnResponseEvent,
  OnRetryEvent,
  OnSchemaDriftEvent,
  OnStartEvent,
} from '../core/hooks.ts';
import { attributesOf, close, endOf, errorTypeOf, fullUrlOf, spanNameOf } from './attributes.ts';
import type { Instruments } from './instruments.ts';

/** A span that has not ended, and the context of its children. */
interface OpenSpan {
  readonly span: Span;
  readonly context: Context;
}

interface OpenAttempt extends OpenSpan {
  readonly startedAt: number;
  status: number | null;
}

interface OpenCall extends OpenSpan {
  readonly baseUrl: string;
  readonly attributes: Attributes;
  attempt: OpenAttempt | undefined;
}

type Failure = { readonly error: unknown };

/** Spans of the calls in flight: one per call, with one child per attempt. */
export class CallSpans {
  readonly #calls = new Map<string, OpenCall>();
  readonly #tracer: Tracer;
  readonly #instruments: () => Instruments;
  readonly #isOwnProvider: boolean;

  constructor(tracer: Tracer, instruments: () => Instruments, isOwnProvider: boolean) {
    this.#tracer = tracer;
    this.#instruments = instruments;
    this.#isOwnProvider = isOwnProvider;
  }

  start(event: OnStartEvent): void {
    const { callId, baseUrl, operation } = event;
    const attributes = attributesOf(event);
    const own = { ...attributes, 'exam_service.operation': operation };
    const opened = this.#open(spanNameOf(event), SpanKind.INTERNAL, own, context.active());
    this.#calls.set(callId, { ...opened, baseUrl, attributes, attempt: undefined });
  }

  startAttempt(event: OnRequestEvent): void {
    const call = this.#calls.get(event.callId);
    if (call === undefined) return;
    const attributes = {
      ...call.attributes,
      'url.full': fullUrlOf(event, call.baseUrl),
      ...(event.attempt > 1 && { 'http.request.resend_count': event.attempt - 1 }),
    };
    const opened = this.#open(spanNameOf(event), SpanKind.CLIENT, attributes, call.context);
    call.attempt = { ...opened, startedAt: performance.now(), status: null };
    inject(opened.context, event.headers, this.#isOwnProvider);
  }

  receive({ callId, operation, status }: OnResponseEvent): void {
    const attempt = this.#calls.get(callId)?.attempt;
    if (attempt !== undefined) attempt.status = status;
    // Errors do not count: calls that wait in the queue fail with the 429 of another call.
    if (status === 429) this.#instruments().pauses.add(1, { 'exam_service.operation': operation });
  }

  retry({ callId, operation, error }: OnRetryEvent): void {
    const call = this.#calls.get(callId);
    const status = call?.attempt?.status ?? null;
    const attributes = { 'exam_service.operation': operation, 'error.type': errorTypeOf(error, status) };
    this.#instruments().retries.add(1, attributes);
    if (call !== undefined) this.#endAttempt(call, { error });
  }

  countDrift({ operation }: OnSchemaDriftEvent): void {
    this.#instruments().drifts.add(1, { 'exam_service.operation': operation });
  }

  end({ callId, outcome, error, status }: OnEndEvent): void {
    const call = this.#calls.get(callId);
    if (call === undefined) return;
    this.#calls.delete(callId);
    // A prefetched page that the client cancels has not failed.
    const failure = outcome === 'success' || outcome === 'cancelled' ? undefined : { error };
    this.#endAttempt(call, failure);
    call.span.setAttribute('exam_service.outcome', outcome);
    close(call.span, endOf(status, failure));
  }

  #open(name: string, kind: SpanKind, attributes: Attributes, parent: Context): OpenSpan {
    const span = this.#tracer.startSpan(name, { kind, attributes }, parent);
    return { span, context: trace.setSpan(parent, span) };
  }

  #endAttempt(call: OpenCall, failure: Failure | undefined): void {
    const { attempt, attributes } = call;
    if (attempt === undefined) return;
    call.attempt = undefined;
    const end = endOf(attempt.status, failure);
    const seconds = (performance.now() - attempt.startedAt) / 1_000;
    this.#instruments().duration.record(seconds, { ...attributes, ...end }, attempt.context);
    close(attempt.span, end);
  }
}

const setter = { set: (headers: Headers, name: string, value: string) => headers.set(name, value) };

/**
 * Sends the context of the span along with the request. Without a global propagator, because the tracer provider was
 * passed as an option, `traceparent` is written as defined by W3C Trace Context.
 */
function inject(context: Context, headers: Headers, isOwnProvider: boolean): void {
  propagation.inject(context, headers, setter);
  const span = trace.getSpanContext(context);
  const isLeftOut = isOwnProvider && propagation.fields().length === 0;
  if (!isLeftOut || span === undefined || !isSpanContextValid(span)) return;
  const flags = span.traceFlags.toString(16).padStart(2, '0');
  headers.set('traceparent', `00-${span.traceId}-${span.spanId}-${flags}`);
}
