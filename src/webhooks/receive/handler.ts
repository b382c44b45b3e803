// The receiver itself: verifies a delivery, runs its handler and responds.

import {
  type Incoming,
  type OnDisconnect,
  type Receive,
  type Reply,
  receivers,
} from '../../node/incoming.ts';
import { encode } from '../../util/bytes.ts';
import { keyOfBody } from '../deduplicate/event-key.ts';
import { EventBusyError, type WebhookOutcome } from '../deduplicate/handle-once.ts';
import type { RecoveredEvent } from '../recover/recover.ts';
import { nodeCrypto } from '../verify/crypto.ts';
import type { WebhookEvent, WebhookSchemas } from '../verify/events.ts';
import { readDelivery } from '../verify/read-event.ts';
import type { WebhookVerificationError } from '../verify/verification-error.ts';
import { readDispatched } from './dispatched.ts';
import { type HandlerSettings, readHandlerOptions, type WebhookHandlerOptions } from './handler-options.ts';
import { type DeliveryFacts, notify, observeDelivery } from './hooks.ts';
import { rejectForeign } from './reject-foreign.ts';
import { handle, report } from './run.ts';
import { ReceiverTimeout } from './time-limit.ts';

/** Options of `dispatch`. */
export interface DispatchOptions {
  /**
   * Key of the event. Pass it with an event if you know it: readers and schemas may have changed the event, and the key is computed
   * from what was delivered. @default `eventKeyOf(event)`, or the `eventKey` of what `recoverEvents` gives
   */
  readonly eventKey?: string | undefined;
}

/** A receiver in the form that web platforms call. */
export interface WebhookHandler<Schemas = unknown> {
  /** Handles a delivery. It rejects only what is not a web `Request`, with a `ConfigurationError`. */
  (request: Request): Promise<Response>;
  /**
   * Runs the same handlers, with the same deduplication and time limit, for an event from a trusted source: what `recoverEvents`
   * gives, or an event of a queue. An event is not read again; what was recovered is, with the `schemas` of this handler, and goes to
   * `onInvalid` where it does not fit. It resolves when the event has been handled, now or before. It rejects when the handler or the
   * store fails, when the time limit is exceeded, where a recovered payload does not fit and there is no `onInvalid`, and, with an
   * error whose `retryable` is true, when another process is handling the event, or crashed while handling it.
   *
   * @throws {ConfigurationError} for what is neither, such as a delivery record
   */
  dispatch(
    event: WebhookEvent<Schemas> | Pick<RecoveredEvent, 'eventKey' | 'delivery'>,
    options?: DispatchOptions,
  ): Promise<WebhookOutcome>;
}

/**
 * Creates a receiver of deliveries: `(request: Request) => Promise<Response>`. It responds with 204 when the handler has finished,
 * 400 to a rejected delivery (408 if it arrives too slowly, 413 if it is too large), 405 to methods other than POST, 500 when the
 * handler or the store of `deduplication` fails or the body was already read, and 503 when the handler takes too long or another
 * process is handling the event. The service retries every delivery whose response is not 2xx.
 *
 * @throws {ConfigurationError} when an option is invalid, or there is no handler
 *
 * @example
 * ```ts
 * const handler = createWebhookHandler({
 *   secret, // from client.webhooks.ensure()
 *   on: { 'exam_result.completed': ({ data }) => save(data.exam_result_id, data.score) },
 *   // A payload that is not as documented. Save it: once this returns, the service does not send it again.
 *   onInvalid: ({ rawBody }, { eventKey }) => writeFile(`invalid-${eventKey}.json`, rawBody),
 * });
 * createServer(toNodeListener(handler)).listen(8080);
 * ```
 */
export function createWebhookHandler<const Schemas extends WebhookSchemas = WebhookSchemas>(
  options: WebhookHandlerOptions<Schemas>,
): WebhookHandler<Schemas> {
  const settings = readHandlerOptions(options);
  const { hooks, reading, handling } = settings;
  const { onError } = handling;
  const receive: Receive = (incoming) =>
    observeDelivery(hooks, incoming.method, async (facts) => {
      const given = await respond(incoming, settings, facts);
      facts.status = given.status;
      return given;
    });
  const dispatch: WebhookHandler<Schemas>['dispatch'] = async (event, given = {}) => {
    const outcome = await observeDelivery(hooks, null, async (facts) => {
      const read = await readDispatched(event, given, reading);
      if ('code' in read) throw reject(read, facts);
      return handle(read, undefined, handling, facts);
    });
    if (outcome === 'busy') throw new EventBusyError(handling.deduplication?.processingSeconds);
    return outcome;
  };
  const handler = async (request: Request, response?: unknown) => {
    // Recognised by `bodyUsed`: the event of a framework around a request has headers as well.
    if (typeof request?.bodyUsed !== 'boolean') return rejectForeign(onError, response);
    const { method, signal } = request;
    const onDisconnect: OnDisconnect = (listener) => {
      // On some platforms, a request has no signal.
      if (signal?.aborted) listener(signal.reason);
      else signal?.addEventListener('abort', () => listener(signal.reason));
    };
    const { body, ...init } = await receive({ method, onDisconnect, delivery: request, request });
    const webResponse = new Response((body ?? null) as BodyInit | null, init as ResponseInit);
    // A framework that does not know a `Response` would send its JSON, `{}`, with 200, and acknowledge what was rejected or failed.
    return Object.defineProperty(webResponse, 'toJSON', { value: () => rejectForeign(onError) });
  };
  receivers.set(handler, receive);
  return Object.assign(handler, { dispatch });
}

function reply(status: number, text: string, ...headers: [name: string, value: string][]): Reply {
  headers.push(['content-type', 'text/plain;charset=UTF-8']);
  return { status, headers, body: encode(text) };
}

/** Notes why a delivery is rejected. */
function reject(error: WebhookVerificationError, facts: DeliveryFacts): WebhookVerificationError {
  const { reason, skewSeconds } = error;
  Object.assign(facts, { outcome: 'rejected', error, reason, skewSeconds });
  return error;
}

async function respond(
  incoming: Incoming,
  { onRejected, reading, handling }: HandlerSettings,
  facts: DeliveryFacts,
): Promise<Reply> {
  const fail = (error: unknown, text: string, status = 500): Reply => {
    facts.error = error;
    report(handling.onError, error, incoming);
    return reply(status, text);
  };
  if (incoming.method !== 'POST') {
    facts.outcome = 'rejected';
    return reply(405, 'Deliveries are sent with POST.', ['allow', 'POST']);
  }
  try {
    const read = await readDelivery(incoming.delivery, reading);
    if ('code' in read) {
      const { reason, status, message } = reject(read, facts);
      // A body that is not raw is a mistake in the set-up: the delivery is not at fault.
      if (reason === 'body_not_raw') return fail(read, message);
      void notify(() => onRejected(read, incoming.request));
      return reply(status, reason);
    }
    facts.skewSeconds = read.skewSeconds;
    // Most handlers never use the key, so it is computed on demand, unless the runtime cannot hash synchronously.
    let key = nodeCrypto() ? undefined : await keyOfBody(read.body);
    const eventKey = () => (key ??= keyOfBody(read.body) as string);
    const outcome = await handle({ ...read, eventKey }, incoming, handling, facts);
    return outcome === 'busy' ? reply(503, 'The event is being handled.') : { status: 204, headers: [] };
  } catch (error) {
    return error instanceof ReceiverTimeout
      ? fail(error, error.message, 503)
      : fail(error, 'The delivery could not be handled.');
  }
}
