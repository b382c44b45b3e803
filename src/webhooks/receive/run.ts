// Runs the handler of an event within its time limit, and only once if deduplication is on.

import { aText } from '../../core/check.ts';
import { ConfigurationError } from '../../core/errors/base.ts';
import { withTimeout } from '../../core/time.ts';
import type { Incoming } from '../../node/incoming.ts';
import type { Deduplication } from '../deduplicate/deduplication-options.ts';
import { handleOnce, type WebhookOutcome } from '../deduplicate/handle-once.ts';
import type { VerifiedEvent } from '../verify/read-event.ts';
import type { Handling, InvalidWebhook, WebhookContext, WebhookEventHandler } from './handler-options.ts';
import { type DeliveryFacts, notify } from './hooks.ts';
import { limitTime, ReceiverTimeout } from './time-limit.ts';

/** What a receiver handles: an event, or the JSON of one that could not be read, or that has no handler. */
export type ReadDelivery = Partial<VerifiedEvent> & { readonly eventKey: () => string };

/**
 * Runs the handler of an event within its time limit, and only once with deduplication. An event without a handler is
 * not claimed, since a later release may handle it.
 *
 * With deduplication, the event stays claimed until its handler has ended, even when its sender disconnects: the retry
 * joins. The time limit is for the handler alone; the key and the store have their own.
 */
export async function handle(
  delivery: ReadDelivery,
  incoming: Incoming | undefined,
  { on, onUnknown, onInvalid, deduplication, timeout, limitMs, onError }: Handling,
  facts: DeliveryFacts,
): Promise<WebhookOutcome> {
  const { event, issues, json, body: rawBody } = delivery;
  const body = json as InvalidWebhook['body'];
  facts.event = (event ?? body).event;
  const handler = event ? (event.event in on ? on[event.event] : onUnknown) : issues && onInvalid;
  const once = handler && deduplication;
  const key = once && (await limitTime('`deduplication.key`', limitMs, rememberedKey(delivery, once)));
  const fail = (error: unknown) => report(onError, error, incoming);
  const stop = new AbortController();
  if (!key) incoming?.onDisconnect((reason) => stop.abort(reason));
  let exceed = (_late: ReceiverTimeout) => {};
  const exceeded = new Promise<never>((_, reject) => {
    exceed = reject;
  });
  const run = () => {
    // A handler found by the event's own name accepts that event, which TypeScript cannot infer.
    const given = (event ?? { rawBody, body, issues }) as never;
    const handling = call(handler, given, contextOf(delivery, incoming, stop.signal));
    const onLate = () => {
      const late = new ReceiverTimeout('The handler', limitMs);
      stop.abort(late);
      exceed(late);
      handling.catch(fail);
    };
    withTimeout(limitMs, handling, onLate).catch(() => {});
    return handling;
  };
  // The time limit begins with the handler, once the event is claimed.
  const running = key ? handleOnce(once, key, run, timeout, fail) : run();
  facts.outcome = await Promise.race([running, exceeded]);
  return facts.outcome;
}

/** What `onInvalid` took has a key of its own: once its schema is repaired, the same event runs its handler. */
async function rememberedKey({ event, eventKey }: ReadDelivery, { key }: Deduplication): Promise<string> {
  if (!event) return `invalid:${eventKey()}`;
  return aText(key ? await key(event as never) : eventKey(), 'deduplication.key');
}

function contextOf(
  { eventKey, signedAt }: ReadDelivery,
  incoming: Incoming | undefined,
  signal: AbortSignal,
): WebhookContext {
  return {
    signal,
    signedAt: signedAt ?? null,
    get eventKey() {
      return eventKey();
    },
    // Not made for a Node request before it is asked for.
    get request() {
      return incoming?.request ?? null;
    },
  };
}

/** Calls a handler, if there is one, and waits for all that it returns. */
async function call(
  handler: WebhookEventHandler<never> | undefined,
  given: never,
  context: WebhookContext,
): Promise<WebhookOutcome> {
  const returned = await handler?.(given, context);
  // Awaits each promise of `items.map(async …)`. The status of a Response, such as 500, would be ignored.
  if ((await Promise.all([returned].flat())).some(isResponse)) {
    throw new ConfigurationError('A handler returned a Response: check it, and return nothing.');
  }
  return 'handled';
}

/** Whether a value is a `Response`, also of a library that brings its own. */
const isResponse = (value: unknown) => ['json', 'arrayBuffer'].every((name) => name in Object(value));

/** Reports a failure to `onError`; an error thrown there is only logged. */
export function report(onError: Handling['onError'], error: unknown, incoming?: Incoming): void {
  void notify(() => onError(error, incoming?.request ?? null));
}
