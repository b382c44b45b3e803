import type { WebhookEventName } from '../schemas/webhook-event.ts';
import type { DeduplicationOptions } from './deduplication.ts';
import {
  isDocumentedEvent,
  type UnknownWebhookEvent,
  type WebhookEventMap,
  type WebhookSchemas,
} from './events.ts';
import { assertOption, checkNumbers, readSettings } from './settings.ts';
import type { WebhookVerificationError } from './verification-error.ts';
import type { VerifyWebhookOptions } from './verify.ts';
import { createRefusalWarning } from './warn-refused.ts';

/** What a handler gets beside the event. */
export interface WebhookContext {
  /** Aborts when the time limit is over or the sender has gone. */
  readonly signal: AbortSignal;
  /** SHA-256 of the body in hexadecimal digits: the same for a retry, however it is signed. */
  readonly deliveryKey: string;
  /** `t` of the signature: seconds since 1970. */
  readonly signedAt: number;
  /** The request; its body has been read. */
  readonly request: Request;
}

/**
 * Handles one event. When its promise resolves the delivery is acknowledged; when it rejects, the service delivers again.
 */
export type WebhookEventHandler<Event> = (event: Event, context: WebhookContext) => unknown;

/** Handlers by the name of the event. */
export type WebhookEventHandlers<Schemas = unknown> = {
  readonly [Name in WebhookEventName]?: WebhookEventHandler<WebhookEventMap<Schemas>[Name]> | undefined;
};

/** Options of `createWebhookHandler`. */
export interface WebhookHandlerOptions<Schemas extends WebhookSchemas = WebhookSchemas>
  extends VerifyWebhookOptions<Schemas> {
  /** Handlers by the name of the event. A documented event without one is acknowledged and dropped. */
  readonly on?: WebhookEventHandlers<Schemas> | undefined;
  /** Handles events that the interface document does not list. Without it they are acknowledged and dropped. */
  readonly onUnknown?: WebhookEventHandler<UnknownWebhookEvent> | undefined;
  /** Handles a repeated delivery once. Without it each repetition is handled. */
  readonly deduplication?: DeduplicationOptions | undefined;
  /** Longest body that is read, in bytes. @default 1_048_576 */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Time limit of a handler in milliseconds, or false for none. Beyond it the answer is 503 and `context.signal` aborts;
   * a delivery that is deduplicated stays claimed until the handler has ended. @default 30_000
   */
  readonly timeoutMs?: number | false | undefined;
  /**
   * Told of every delivery that is refused: `explainWebhookFailure(error, { secret })` says why. What it throws is logged
   * and changes no answer. Without it `console.warn` gets a line a minute for each code, with how many were refused.
   */
  readonly onRejected?: ((error: WebhookVerificationError, request: Request) => unknown) | undefined;
  /** Told of everything that is answered with 5xx, and of failures of the store. @default console.error */
  readonly onError?: ((error: unknown, request: Request) => unknown) | undefined;
}

/** Many times the size of any documented event. */
const DEFAULT_MAX_BODY_BYTES = 1_048_576;
/** As long as the client of this package waits for an answer. */
const DEFAULT_TIMEOUT_MS = 30_000;

/**
 * Checks the options of a receiver and fills in the defaults.
 *
 * @throws {ConfigurationError} when an option is invalid
 */
export function readHandlerOptions<Schemas extends WebhookSchemas>(options: WebhookHandlerOptions<Schemas>) {
  const { on = {}, schemas, deduplication, onError = logError } = options;
  const { maxBodyBytes = DEFAULT_MAX_BODY_BYTES, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  for (const name of Object.keys({ ...on, ...schemas })) {
    assertOption(
      isDocumentedEvent(name),
      `\`${name}\` is not a documented event; \`onUnknown\` gets all others.`,
    );
  }
  checkNumbers({ maxBodyBytes, timeoutMs: timeoutMs === false ? 1 : timeoutMs });
  if (deduplication) {
    const { store, ttlSeconds, processingSeconds = 1 } = deduplication;
    checkNumbers({ ttlSeconds, processingSeconds });
    assertOption(
      !store.complete === !store.isComplete,
      'A store has both `complete` and `isComplete`, or neither.',
    );
  }
  const settings = readSettings(options);
  const { onRejected = createRefusalWarning(settings.now) } = options;
  return { ...options, ...settings, on, onError, onRejected, maxBodyBytes, timeoutMs };
}

function logError(error: unknown): void {
  console.error(error);
}
