// The options of a receiver, checked and with their defaults.

import {
  aFunction,
  aNumber,
  expectObjects,
  type OptionTable,
  optional,
  orFalse,
  readOptions,
  throwInvalid,
  withDefault,
} from '../../core/check.ts';
import { ConfigurationError } from '../../core/errors/base.ts';
import { hookSets } from '../../core/hooks.ts';
import type { WebhookEventName } from '../../schemas/webhook-event.ts';
import type { Issue } from '../../util/standard-schema.ts';
import { type DeduplicationOptions, readDeduplication } from '../deduplicate/deduplication-options.ts';
import {
  byEvent,
  schemasByEvent,
  type UnknownWebhookEvent,
  type WebhookEventMap,
  type WebhookSchemas,
} from '../verify/events.ts';
import { signatureOptions } from '../verify/signature-options.ts';
import type { WebhookRejectionReason, WebhookVerificationError } from '../verify/verification-error.ts';
import type { VerifyWebhookOptions } from '../verify/verify.ts';
import type { WebhookHooks } from './hooks.ts';
import { limitTime } from './time-limit.ts';

/** What a handler receives besides the event. */
export interface WebhookContext {
  /**
   * Aborts when the time limit is reached. Without `deduplication`, it also aborts when the sender disconnects; with
   * it, the handler continues, and the next delivery of the event waits for it.
   */
  readonly signal: AbortSignal;
  /**
   * Key of the event, as `eventKeyOf` computes it from the delivered JSON: the same for every retry, however it is
   * signed.
   */
  readonly eventKey: string;
  /** When the delivery was signed, by `t` of the signature; `null` for a dispatched event. */
  readonly signedAt: Date | null;
  /** The request, whose body has been read; `null` for a dispatched event. */
  readonly request: Request | null;
}

/**
 * A delivery with a valid signature and a documented event name, whose payload is not as documented or is rejected by
 * your schema.
 */
export interface InvalidWebhook {
  /**
   * The bytes that were delivered: keep them before you return, since the service then never sends them again. For a recovered event,
   * its JSON, written anew.
   */
  readonly rawBody: Uint8Array;
  /** Their JSON, whose numbers beyond 2^53 are rounded. */
  readonly body: {
    /** Name of the event. */
    readonly event: WebhookEventName;
    readonly [field: string]: unknown;
  };
  /** What is wrong, and where. The messages of a schema may quote values. */
  readonly issues: readonly Issue[];
}

/**
 * Handles one event. When it returns, or what it returns has resolved (a promise, or a list of promises), the delivery is
 * acknowledged; when it throws or rejects, the service delivers again. A `Response` fails the delivery; anything else is ignored.
 */
export type WebhookEventHandler<Event> = (event: Event, context: WebhookContext) => unknown;

/** Handlers by event name. */
export type WebhookEventHandlers<Schemas = unknown> = {
  readonly [Name in keyof WebhookEventMap<Schemas>]?:
    | WebhookEventHandler<WebhookEventMap<Schemas>[Name]>
    | undefined;
};

/** Options of `createWebhookHandler`. */
export interface WebhookHandlerOptions<Schemas extends WebhookSchemas = WebhookSchemas>
  extends VerifyWebhookOptions<Schemas> {
  /**
   * Handlers by event name. A documented event without one is acknowledged and dropped; unread, unless there is `onInvalid`.
   * @default none
   */
  readonly on?: WebhookEventHandlers<Schemas> | undefined;
  /** Handles events that the service does not document. Without it, they are acknowledged and dropped unread. @default none */
  readonly onUnknown?: WebhookEventHandler<UnknownWebhookEvent> | undefined;
  /**
   * Handles a correctly signed delivery of a documented event whose payload is not as documented, such as a result whose participant
   * was deleted. Keep its `rawBody` (in a file, a table) before you return: returning acknowledges the delivery, and the service
   * never sends it again. Without it, such a delivery is rejected (`payload_invalid`) until the service gives up.
   * @default none
   */
  readonly onInvalid?: WebhookEventHandler<InvalidWebhook> | undefined;
  /** Handles each event only once, however often it is delivered. Without it, every repetition is handled. @default none */
  readonly deduplication?: DeduplicationOptions<Schemas> | undefined;
  /**
   * Time limit of a handler in milliseconds, or false for none. When it is exceeded, the response is a 503 and `context.signal`
   * aborts; a deduplicated event stays claimed until its handler has ended, or for `processingSeconds`. The store of
   * `deduplication` has the same time for each call, or what `processingSeconds` leaves; so have a schema and `deduplication.key`.
   * @default 10_000
   */
  readonly timeout?: number | false | undefined;
  /**
   * Called for every rejected delivery: `explainWebhookFailure(error, { secret })` says why it was rejected. Errors it
   * throws are logged and do not change the response.
   * @default `console.warn`, one line a minute for each reason, with a count
   */
  readonly onRejected?: ((error: WebhookVerificationError, request: Request) => unknown) | undefined;
  /**
   * Called for every 5xx, and for failures of the store; with `null` in place of a request for a dispatched event.
   * @default console.error
   */
  readonly onError?: ((error: unknown, request: Request | null) => unknown) | undefined;
  /**
   * Called for every delivery at its start and at its end, one set of hooks or a list of sets: `openTelemetry()` of
   * `exam-service-sdk/opentelemetry` is one. What they throw is logged and changes no response. @default none
   */
  readonly hooks?: WebhookHooks | readonly WebhookHooks[] | undefined;
}

type Handler = WebhookEventHandler<never>;
type Observer = (failure: unknown, request: Request | null) => unknown;

/**
 * Reads the options of a receiver.
 *
 * @throws {ConfigurationError} when an option is invalid, or there is no handler
 */
export function readHandlerOptions(options: unknown) {
  expectObjects('createWebhookHandler takes one object: { secret, on }', options);
  const settings = readOptions('the options of createWebhookHandler', options, {
    ...signatureOptions,
    schemas: schemasByEvent,
    // Methods keep their object.
    on: (given, option) => byEvent((one, name) => aFunction<Handler>(one, name).bind(given))(given, option),
    onUnknown: optional(aFunction<Handler>),
    onInvalid: optional(aFunction<WebhookEventHandler<InvalidWebhook>>),
    deduplication: optional(readDeduplication),
    // Few senders wait longer for a response.
    timeout: withDefault(orFalse(aNumber(1)), 10_000),
    onRejected: optional(aFunction<(error: WebhookVerificationError, request: Request) => unknown>),
    onError: withDefault(aFunction<Observer>, (error: unknown) => console.error(error)),
    hooks: hookSets<WebhookHooks>,
  } satisfies OptionTable<WebhookHandlerOptions>);
  const { on, onUnknown, onInvalid, deduplication, toleranceSeconds, timeout } = settings;
  if (![...Object.values(on), onUnknown, onInvalid].some(Boolean)) {
    throw new ConfigurationError(
      "There is no handler: pass `on: { 'exam_result.completed': handler }`, or `onUnknown`.",
    );
  }
  const { ttlSeconds, processingSeconds } = deduplication ?? {};
  // A delivery is valid for this long: from the start of its tolerance to the end.
  const leastTtl = 2 * toleranceSeconds;
  if (ttlSeconds && ttlSeconds < leastTtl)
    throwInvalid('ttlSeconds', `at least ${leastTtl}, twice \`toleranceSeconds\``);
  // Otherwise an event could be handled twice at once.
  if (processingSeconds && processingSeconds * 1000 <= Number(timeout)) {
    throwInvalid('processingSeconds', `longer than \`timeout\`, ${timeout} ms`);
  }
  const limitMs = timeout || (processingSeconds !== undefined && processingSeconds * 1000);
  const runSchema = <T>(running: Promise<T>) => limitTime('The schema', limitMs, running);
  return {
    /** What verifies and reads a delivery, the secret among it. */
    reading: { ...settings, runSchema },
    /** What handles it, and hears of failures. */
    handling: { on, onUnknown, onInvalid, deduplication, timeout, limitMs, onError: settings.onError },
    onRejected: settings.onRejected ?? createRejectionWarning(settings.now),
    hooks: settings.hooks,
  };
}

export type HandlerSettings = ReturnType<typeof readHandlerOptions>;
export type Handling = HandlerSettings['handling'];

const WARN_EVERY_MS = 60_000;

/**
 * The default for `onRejected`: one warning for each reason, then at most one a minute, which includes a count. It waits for
 * the next rejection and sets no timer, so it never keeps a process alive.
 */
function createRejectionWarning(now: () => number): (error: WebhookVerificationError) => void {
  const seen: { [Reason in WebhookRejectionReason]?: { warnedAt: number; count: number } } = {};
  return ({ reason, message }) => {
    const { warnedAt = Number.NaN, count = 0 } = seen[reason] ?? {};
    // Setting back the clock does not silence it.
    const isQuiet = Math.abs(now() - warnedAt) < WARN_EVERY_MS;
    seen[reason] = isQuiet ? { warnedAt, count: count + 1 } : { warnedAt: now(), count: 0 };
    if (isQuiet) return;
    console.warn(
      `exam-service-sdk rejected webhook deliveries (${count + 1}): ${reason}: ${message} ` +
        'To see why: `onRejected: async (e) => console.warn(await explainWebhookFailure(e, { secret }))`',
    );
  };
}
