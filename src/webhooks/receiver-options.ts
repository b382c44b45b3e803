// The options of a receiver, checked and with their defaults.

import type { WebhookEventName } from '../schemas/webhook-event.ts';
import { isObject } from '../util/json.ts';
import type { Issue } from '../util/standard-schema.ts';
import { type DeduplicationOptions, readDeduplication } from './deduplication.ts';
import {
  isDocumentedEvent,
  type UnknownWebhookEvent,
  type WebhookEventMap,
  type WebhookSchemas,
} from './events.ts';
import type { WebhookHooks } from './hooks.ts';
import { assertOption, checkNumbers, readSettings } from './settings.ts';
import type { WebhookVerificationError } from './verification-error.ts';
import type { VerifyWebhookOptions } from './verify.ts';
import { createRefusalWarning } from './warn-refused.ts';

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
  /** `t` of the signature: seconds since 1970; undefined for a dispatched event. */
  readonly signedAt: number | undefined;
  /** The request, whose body has been read; undefined for a dispatched event. */
  readonly request: Request | undefined;
}

/**
 * A delivery with a valid signature and a documented event name, whose payload is not as documented or is rejected by
 * your schema.
 */
export interface InvalidWebhook {
  /** The delivered JSON. */
  readonly body: {
    /** Name of the event. */
    readonly event: WebhookEventName;
    readonly [field: string]: unknown;
  };
  /** What is wrong, and where. The messages of a schema may quote values. */
  readonly issues: readonly Issue[];
}

/** Anything but a `Response` or a promise of one. */
type NoResponse =
  // biome-ignore lint/suspicious/noConfusingVoidType: a function that returns nothing is a handler, too.
  | void
  | null
  | undefined
  | string
  | number
  | bigint
  | boolean
  | symbol
  | (object & { readonly arrayBuffer?: never; readonly then?: never });

/** What a handler may return: anything, which is ignored, but not a `Response`, since the receiver creates the answer. */
export type WebhookHandlerResult = NoResponse | PromiseLike<NoResponse>;

/**
 * Handles one event. When its promise resolves, the delivery is acknowledged; when it rejects, the service delivers
 * again.
 */
export type WebhookEventHandler<Event> = (event: Event, context: WebhookContext) => WebhookHandlerResult;

/** Handlers by event name. */
export type WebhookEventHandlers<Schemas = unknown> = {
  readonly [Name in WebhookEventName]?: WebhookEventHandler<WebhookEventMap<Schemas>[Name]> | undefined;
};

/** Options of `createWebhookHandler`. */
export interface WebhookHandlerOptions<Schemas extends WebhookSchemas = WebhookSchemas>
  extends VerifyWebhookOptions<Schemas> {
  /** Handlers by event name. A documented event without a handler is acknowledged and dropped. */
  readonly on?: WebhookEventHandlers<Schemas> | undefined;
  /** Handles events that the service does not document. Without it, they are acknowledged and dropped. */
  readonly onUnknown?: WebhookEventHandler<UnknownWebhookEvent> | undefined;
  /**
   * Handles a correctly signed delivery of a documented event whose payload is not as documented; when it succeeds, the
   * delivery is acknowledged. Without it, such a delivery is refused (`payload_invalid`).
   */
  readonly onInvalid?: WebhookEventHandler<InvalidWebhook> | undefined;
  /** Handles each event only once, however often it is delivered. Without it, every repetition is handled. */
  readonly deduplication?: DeduplicationOptions<Schemas> | undefined;
  /**
   * Time limit of a handler in milliseconds, or false for none. When it is exceeded, the answer is 503 and
   * `context.signal` aborts; a deduplicated event stays claimed until its handler has ended, or for
   * `processingSeconds`. The store of `deduplication` has the same time for each call, or what `processingSeconds`
   * leaves; `deduplication.key` has the same time, too. @default 10_000
   */
  readonly timeoutMs?: number | false | undefined;
  /**
   * Called for every refused delivery: `explainWebhookFailure(error, { secret })` says why it was refused. Errors it
   * throws are logged and do not change the answer. Without it, `console.warn` gets one line a minute per code, with a
   * count.
   */
  readonly onRejected?: ((error: WebhookVerificationError, request: Request) => unknown) | undefined;
  /**
   * Called for everything answered with 5xx, and for failures of the store; without a request for a dispatched event.
   * @default console.error
   */
  readonly onError?: ((error: unknown, request: Request | undefined) => unknown) | undefined;
  /**
   * Told of every delivery at its start and at its end, one set of hooks or a list of sets: `openTelemetry()` of
   * `exam-service-sdk/opentelemetry` is one. What they throw is logged and changes no answer. @default none
   */
  readonly hooks?: WebhookHooks | readonly WebhookHooks[] | undefined;
}

/** Few senders wait longer for an answer. */
const DEFAULT_TIMEOUT_MS = 10_000;

/**
 * Checks the options of a receiver and fills in the defaults.
 *
 * @throws {ConfigurationError} when an option is invalid
 */
export function readHandlerOptions<Schemas extends WebhookSchemas>(options: WebhookHandlerOptions<Schemas>) {
  const { on = {}, schemas, onUnknown, onInvalid, onRejected, onError = logError } = options;
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  for (const name of Object.keys({ ...on, ...schemas })) {
    assertOption(
      isDocumentedEvent(name),
      `\`${name}\` is not a documented event; \`onUnknown\` gets all others.`,
    );
  }
  const hooks = [options.hooks ?? []].flat();
  assertOption(hooks.every(isObject), '`hooks` must be an object, or a list of objects.');
  const handlers = { ...on, onUnknown, onInvalid, onRejected, onError };
  for (const [name, handler] of [handlers, ...hooks].flatMap((set) => Object.entries(set))) {
    assertOption(
      handler === undefined || typeof handler === 'function',
      `The handler \`${name}\` must be a function.`,
    );
  }
  checkNumbers({ timeoutMs: timeoutMs === false ? 1 : timeoutMs });
  const settings = readSettings(options);
  const deduplication =
    options.deduplication && readDeduplication(options.deduplication, settings.toleranceSeconds, timeoutMs);
  const warn = createRefusalWarning(settings.now);
  return {
    ...options,
    ...settings,
    on,
    onError,
    onRejected: onRejected ?? warn,
    hooks,
    timeoutMs,
    deduplication,
  };
}

function logError(error: unknown): void {
  console.error(error);
}
