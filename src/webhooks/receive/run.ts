// Runs the handler of an event within its time limit, and only once if deduplication is on.

import { aText } from '../../core/check.ts';
import { ConfigurationError } from '../../core/errors/base.ts';
import { withTimeout } from '../../core/time.ts';
import type { Incoming } from '../../node/incoming.ts';
import { handleOnce, type WebhookOutcome } from '../deduplicate/handle-once.ts';
import type { VerifiedEvent } from '../verify/read-event.ts';
import type { HandlerSettings, InvalidWebhook } from './handler-options.ts';
import { type DeliveryFacts, notify } from './hooks.ts';
import { limitTime, ReceiverTimeout } from './time-limit.ts';

/** What a receiver handles: an event, or the JSON of one that could not be read, or that has no handler. */
type VerifiedDelivery = Partial<VerifiedEvent> & { readonly eventKey: () => string };

/**
 * Runs the handler of an event within its time limit, and only once with deduplication. An event without a handler is
 * not claimed, since a later release may handle it.
 *
 * With deduplication, the event stays claimed until its handler has ended, even when its sender disconnects: the retry
 * joins. The time limit is for the handler alone; the key and the store have their own.
 */
export async function handle(
  { event, issues, json, eventKey, signedAt, body: rawBody }: VerifiedDelivery,
  incoming: Incoming | undefined,
  settings: HandlerSettings,
  facts: DeliveryFacts,
): Promise<WebhookOutcome> {
  const { limitMs, timeout, on, onUnknown, onInvalid } = settings;
  const body = json as InvalidWebhook['body'];
  facts.event = (event ?? body).event;
  const handler = event ? (event.event in on ? on[event.event] : onUnknown) : issues && onInvalid;
  const deduplication = handler && settings.deduplication;
  const fail = (error: unknown) => report(settings, error, incoming);
  const call = async (signal: AbortSignal): Promise<WebhookOutcome> => {
    const context = {
      signal,
      signedAt,
      get eventKey() {
        return eventKey();
      },
      // Not made for a Node request before it is asked for.
      get request() {
        return incoming?.request;
      },
    };
    // A handler found by the event's own name accepts that event, which TypeScript cannot infer.
    const returned = await handler?.((event ?? { rawBody, body, issues }) as never, context);
    // Awaits each promise of `items.map(async …)`. The status of a Response, such as 500, would be ignored.
    if ((await Promise.all([returned].flat())).some(isResponse)) {
      throw new ConfigurationError('A handler returned a Response: check it, and return nothing.');
    }
    return 'handled';
  };
  const keyOf = event && deduplication?.key;
  const choose = async () => aText(keyOf ? await keyOf(event as never) : eventKey(), 'deduplication.key');
  const key = deduplication && (await limitTime('`deduplication.key`', limitMs, choose()));
  const outcome = await new Promise<WebhookOutcome>((resolve, reject) => {
    const run = () => {
      const stop = new AbortController();
      if (!key) incoming?.onDisconnect((reason) => stop.abort(reason));
      const handling = call(stop.signal);
      const onLate = () => {
        const timeout = new ReceiverTimeout('The handler', limitMs);
        stop.abort(timeout);
        reject(timeout);
        handling.catch(fail);
      };
      withTimeout(limitMs, handling, onLate).catch(() => {});
      return handling;
    };
    const running = key ? handleOnce(deduplication, key, run, timeout, fail) : run();
    running.then(resolve, reject);
  });
  facts.outcome = outcome;
  return outcome;
}

/** Whether a value is a `Response`, also of a library that brings its own. */
const isResponse = (value: unknown) => ['json', 'arrayBuffer'].every((name) => name in Object(value));

/** Reports a failure to `onError`; an error thrown there is only logged. */
export function report({ onError }: HandlerSettings, error: unknown, incoming?: Incoming): void {
  void notify(() => onError(error, incoming?.request));
}
