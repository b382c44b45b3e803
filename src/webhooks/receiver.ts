// The receiver itself: verifies a delivery, runs its handler and answers.

import { eventKeyOf } from './event-key.ts';
import { isUnknownEvent, type WebhookEvent, type WebhookSchemas } from './events.ts';
import type { WebhookOutcome } from './handle-once.ts';
import { type Answer, type Incoming, toWebHandler } from './incoming.ts';
import { type Notes, observeDelivery, tell } from './observe.ts';
import { readHandlerOptions, type WebhookHandlerOptions } from './receiver-options.ts';
import { readSubject, type Subject } from './receiver-subject.ts';
import { runHandler } from './run-handler.ts';
import { assertOption } from './settings.ts';
import { WebhookVerificationError } from './verification-error.ts';

/** Options of `dispatch`. */
export interface DispatchOptions {
  /**
   * Key of the event. Pass it if you know it: readers and schemas may have changed the event, and the key is computed
   * from what was delivered. @default `eventKeyOf(event)`
   */
  readonly eventKey?: string | undefined;
}

/** A receiver in the form that web platforms call. */
export interface WebhookHandler<Schemas = unknown> {
  /** Answers a delivery. It never rejects. */
  (request: Request): Promise<Response>;
  /**
   * Runs the same handlers, with the same deduplication and time limit, for an event from a trusted source: a delivery
   * record or a queue. The event is not verified and not read again. Rejects when the handler or the store fails, or
   * when the time limit is exceeded.
   */
  dispatch(event: WebhookEvent<Schemas>, options?: DispatchOptions): Promise<WebhookOutcome>;
}

/**
 * Creates a receiver of deliveries. It answers 204 when the handler has finished, 400 to a refused delivery (408 if it
 * arrives too slowly, 413 if it is too large), 405 to methods other than POST, 500 when the handler or the store of
 * `deduplication` fails or the body was already read, and 503 when the handler takes too long or another process is
 * handling the event. The service retries every delivery that is not answered with 2xx.
 *
 * @throws {ConfigurationError} when an option is invalid
 */
export function createWebhookHandler<const Schemas extends WebhookSchemas = WebhookSchemas>(
  options: WebhookHandlerOptions<Schemas>,
): WebhookHandler<Schemas> {
  const settings = readHandlerOptions(options);
  const { on, onUnknown, onInvalid, onError, onRejected, hooks, deduplication, now } = settings;

  const report = (error: unknown, incoming: Incoming | undefined) =>
    void tell(() => onError(error, incoming?.request));

  const handle = async (
    { event, invalid, eventKey, signedAt }: Subject<Schemas>,
    incoming: Incoming | undefined,
    notes: Notes,
  ): Promise<WebhookOutcome | DOMException> => {
    notes.event = (event ?? invalid.body).event;
    let hasRun = false;
    const outcome = await runHandler(settings, {
      async key() {
        const key = event && deduplication?.key ? await deduplication.key(event) : eventKey();
        const isValid = key && typeof key === 'string';
        assertOption(isValid, '`deduplication.key` must give a string that is not empty.');
        return key;
      },
      report: (error) => report(error, incoming),
      onHangUp: incoming?.onHangUp,
      handle(signal) {
        hasRun = true;
        const context = {
          signal,
          signedAt,
          // Most handlers never use these, and they have to be computed.
          get eventKey() {
            return eventKey();
          },
          get request() {
            return incoming?.request;
          },
        };
        if (invalid) return onInvalid?.(invalid, context);
        const handler = isUnknownEvent(event) ? onUnknown : on[event.event];
        // A handler found by the event's own name accepts that event, which TypeScript cannot infer.
        return handler?.(event as never, context);
      },
    });
    // One that joined work under way had no handler of its own.
    if (typeof outcome === 'string') notes.outcome = hasRun || outcome === 'busy' ? outcome : 'duplicate';
    return outcome;
  };

  const receive = (incoming: Incoming): Promise<Answer> =>
    observeDelivery(hooks, incoming.method, async (notes) => {
      const answer = (
        status: number,
        text: string | null = null,
        headers: Answer['headers'] = {},
      ): Answer => {
        notes.status = status;
        return { status, text, headers };
      };
      const fail = (error: unknown, text: string, status = 500): Answer => {
        notes.error = error;
        report(error, incoming);
        return answer(status, text);
      };
      const refuse = (error: WebhookVerificationError): Answer => {
        notes.outcome = 'refused';
        notes.error = error;
        notes.code = error.code;
        notes.skewSeconds = error.skewSeconds;
        // A body that is not raw is a mistake in the set-up: the delivery is not at fault.
        if (error.code === 'body_not_raw') return fail(error, error.message);
        void tell(() => onRejected(error, incoming.request));
        return answer(error.status, error.code);
      };
      if (incoming.method !== 'POST') {
        notes.outcome = 'refused';
        return answer(405, 'Deliveries are sent with POST.', { allow: 'POST' });
      }
      try {
        const arrivedAt = now();
        const subject = await readSubject(incoming, settings);
        if (subject instanceof WebhookVerificationError) return refuse(subject);
        notes.skewSeconds = Math.floor(arrivedAt / 1000) - Number(subject.signedAt);
        const outcome = await handle(subject, incoming, notes);
        if (outcome === 'busy') return answer(503, 'This event is being handled.');
        return typeof outcome === 'string' ? answer(204) : fail(outcome, outcome.message, 503);
      } catch (error) {
        return fail(error, 'The delivery could not be handled.');
      }
    });

  const dispatch = (
    event: WebhookEvent<Schemas>,
    { eventKey }: DispatchOptions = {},
  ): Promise<WebhookOutcome> =>
    observeDelivery(hooks, undefined, async (notes) => {
      assertOption(typeof event?.event === 'string', '`dispatch` takes an event.');
      const key = eventKey ?? (await eventKeyOf(event));
      assertOption(key && typeof key === 'string', '`eventKey` must be a string that is not empty.');
      const subject = { event, eventKey: () => key, signedAt: undefined };
      const outcome = await handle(subject, undefined, notes);
      if (typeof outcome !== 'string') throw outcome;
      return outcome;
    });
  return Object.assign(toWebHandler(receive), { dispatch });
}
