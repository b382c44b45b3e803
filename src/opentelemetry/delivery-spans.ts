// The spans of webhook deliveries, as in the semantic conventions of messaging.

import { type Attributes, type Context, context, SpanKind, type Tracer, trace } from '@opentelemetry/api';
import type { OnDeliveryEndEvent, OnDeliveryStartEvent } from '../webhooks/receive/hooks.ts';
import { close, errorTypeOf } from './attributes.ts';
import type { Instruments } from './instruments.ts';

/** What every span and every measurement of a delivery says. */
const common: Attributes = {
  'messaging.system': 'exam_service',
  'messaging.operation.name': 'process',
  'messaging.operation.type': 'process',
};

/** The spans of the deliveries under way, by the semantic conventions of messaging: a receiver is a consumer. */
export class DeliverySpans {
  readonly #contexts = new Map<string, Context>();
  readonly #tracer: Tracer;
  readonly #instruments: () => Instruments;

  constructor(tracer: Tracer, instruments: () => Instruments) {
    this.#tracer = tracer;
    this.#instruments = instruments;
  }

  /** Gives what the receiver runs the delivery in, so that spans of its handler are children. */
  start({ deliveryId }: OnDeliveryStartEvent): (run: () => void) => void {
    const parent = context.active();
    const span = this.#tracer.startSpan('process', { kind: SpanKind.CONSUMER, attributes: common }, parent);
    const inside = trace.setSpan(parent, span);
    this.#contexts.set(deliveryId, inside);
    return (run) => context.with(inside, run);
  }

  end(event: OnDeliveryEndEvent): void {
    const { deliveryId, outcome, reason, status, skewSeconds, durationMs } = event;
    const inside = this.#contexts.get(deliveryId);
    const span = inside && trace.getSpan(inside);
    this.#contexts.delete(deliveryId);
    const destination = destinationOf(event);
    const type = failureOf(event);
    const measured = {
      ...common,
      ...(destination !== undefined && { 'messaging.destination.name': destination }),
      ...(type !== undefined && { 'error.type': type }),
      'exam_service.outcome': outcome,
    };
    this.#instruments().deliveries.record(durationMs / 1_000, measured, inside);
    if (reason !== null) this.#instruments().rejections.add(1, { 'error.type': reason }, inside);
    if (span === undefined) return;
    if (destination !== undefined) span.updateName(`process ${destination}`);
    close(span, {
      ...measured,
      ...(status !== null && { 'http.response.status_code': status }),
      ...(skewSeconds !== null && { 'exam_service.webhook.skew': skewSeconds }),
    });
  }
}

/** Names of events are words and dots; anything else that a sender puts there is not repeated. */
const eventName = /^[a-z_]{1,40}(\.[a-z_]{1,40}){0,3}$/;

/** The event is what an endpoint subscribes to, like the topic of a queue. */
function destinationOf({ event }: OnDeliveryEndEvent): string | undefined {
  if (event === null) return undefined;
  return eventName.test(event) ? event : '_OTHER';
}

/** The reason of a rejection, else the name of the error where it is known, else the status. */
function failureOf({ outcome, reason, error, status }: OnDeliveryEndEvent): string | undefined {
  if (outcome === 'handled' || outcome === 'duplicate') return undefined;
  const named = reason ?? errorTypeOf(error, null);
  return named === '_OTHER' && status !== null ? String(status) : named;
}
