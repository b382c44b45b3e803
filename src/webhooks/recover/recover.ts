// `recoverEvents`: reads missed events from the service's delivery records.

import {
  aFunction,
  aNumber,
  aSignal,
  type Check,
  expectObjects,
  type OptionTable,
  optional,
  readOptions,
  throwInvalid,
  withDefault,
} from '../../core/check.ts';
import { ConfigurationError } from '../../core/errors/base.ts';
import type { WebhookDelivery } from '../../schemas/webhook-types.ts';
import { parseTime } from '../../util/iso-time.ts';
import type { Issue } from '../../util/standard-schema.ts';
import { type DeliveredEvent, deliveredBy, keyOfEvent } from '../deduplicate/event-key.ts';
import { schemasByEvent, type WebhookEvent, type WebhookSchemas } from '../verify/events.ts';
import { invalidPayload, readEvent } from '../verify/read-event.ts';
import { type Age, compareAges, readUntilComplete } from './order.ts';

/** Source of delivery records; `client.webhooks` is one. */
export interface DeliveryRecords<Item extends WebhookDelivery = WebhookDelivery> {
  /** Lists the deliveries to an endpoint, including failed ones, in any order. */
  deliveries(
    endpointId: number,
    query: { readonly per_page: number },
    options: { readonly signal?: AbortSignal | undefined },
  ): AsyncIterable<Item>;
}

/** Options of `recoverEvents`. */
export interface RecoverOptions<
  Schemas extends WebhookSchemas = WebhookSchemas,
  Item extends WebhookDelivery = WebhookDelivery,
> {
  /**
   * Recover deliveries created from this time on: a `Date`, or an ISO 8601 time with its zone. Choose a time shortly
   * before the outage.
   */
  readonly since: Date | string;
  /** Recover deliveries created before this time. @default no end */
  readonly until?: Date | string | undefined;
  /** Standard Schemas that refine payloads, by event name, as for `createWebhookHandler`. @default none */
  readonly schemas?: Schemas | undefined;
  /**
   * Called, in order and awaited, for each invalid event: one that is not as documented or that a schema rejects. Without it, such
   * an event throws.
   * @default none
   */
  readonly onInvalid?: ((invalid: InvalidRecovery<Item>) => unknown) | undefined;
  /** Most events to hold at once, since they are sorted before the first is returned; more is an error. @default 10_000 */
  readonly maxItems?: number | undefined;
  /** Cancels the recovery; it then throws the signal's reason. @default none */
  readonly signal?: AbortSignal | undefined;
}

/** A delivery record that is not a valid event. */
export interface InvalidRecovery<Item extends WebhookDelivery = WebhookDelivery> {
  /** What was delivered, according to the record. */
  readonly body: DeliveredEvent;
  /** What is wrong, and where. The messages of a schema may quote values. */
  readonly issues: readonly Issue[];
  /** The record. */
  readonly delivery: Item;
}

/** An event read from its delivery record. */
export interface RecoveredEvent<Schemas = unknown, Item extends WebhookDelivery = WebhookDelivery> {
  /** The event in the form that handlers receive. */
  readonly event: WebhookEvent<Schemas>;
  /** `eventKeyOf` what was delivered: lets a handler recognise an event that also arrived live. */
  readonly eventKey: string;
  /** Its oldest record in the window. */
  readonly delivery: Item;
}

const aTime: Check<number> = (value, name) => {
  const time = typeof value === 'string' ? parseTime(value) : (value as Date | null | undefined)?.getTime?.();
  return Number.isFinite(time)
    ? Number(time)
    : throwInvalid(name, 'a Date, or an ISO 8601 time with its zone');
};

function readRecoverOptions(options: unknown) {
  // A table outside of a function would come into every bundle, since bundlers drop no calls between chunks.
  return readOptions('the options of recoverEvents', options, {
    since: aTime,
    until: withDefault(aTime, Number.POSITIVE_INFINITY),
    schemas: schemasByEvent,
    onInvalid: optional(aFunction<(invalid: InvalidRecovery) => unknown>),
    maxItems: withDefault(aNumber(1), 10_000),
    signal: optional(aSignal),
  } satisfies OptionTable<RecoverOptions>);
}

const MOST_PER_PAGE = 100;

/**
 * Reads the events of an endpoint from the service's delivery records, to make up for what a receiver missed: each once,
 * oldest first. Records of every status are included, since most values are undocumented by the service, and so
 * events handled live appear too: pass each to `handler.dispatch(recovered)` of a receiver with
 * deduplication.
 *
 * Events are ordered by the time of their record, and those of one second by its id, if it is an integer, a UUIDv7 or an
 * ordered UUID of Laravel. With other ids, the order within a second is not known.
 *
 * The order of the list is undocumented, and records move between its pages while others are added or removed. So the whole list is
 * read again until a pass finds nothing new that is as old as the newest record of the first pass: twice if nothing moves, at most
 * five times. Deliveries made meanwhile may be missing. Events that happen while the endpoint is inactive have no record. If a
 * record keeps only the `data` of what was sent, the event gets the `created_at` of the record and so another key than the live
 * event: make your handlers idempotent.
 *
 * @throws {ConfigurationError} immediately when an option is invalid; later when the window holds more than `maxItems`
 * events, or (retryable) when the fifth pass still finds old records
 * @throws {WebhookVerificationError} (`payload_invalid`) for an event that cannot be read, without `onInvalid`; and for a record whose
 * `created_at` is not a time with a UTC offset
 *
 * @example
 * ```ts
 * const since = new Date(Date.now() - 3_600_000);
 * for await (const recovered of recoverEvents(client.webhooks, endpoint.id, { since })) {
 *   await handler.dispatch(recovered);
 * }
 * ```
 */
export function recoverEvents<
  Item extends WebhookDelivery,
  const Schemas extends WebhookSchemas = WebhookSchemas,
>(
  webhooks: DeliveryRecords<Item>,
  endpointId: number,
  options: RecoverOptions<Schemas, Item>,
): AsyncGenerator<RecoveredEvent<Schemas, Item>, void, undefined> {
  const source = typeof webhooks?.deliveries === 'function' ? webhooks : undefined;
  expectObjects('recoverEvents takes (client.webhooks, endpointId, { since })', source, options);
  const { since, until, schemas, onInvalid, maxItems, signal } = readRecoverOptions(options);
  if (since >= until) throw new ConfigurationError('`since` must be before `until`.');
  const list = () => webhooks.deliveries(endpointId, { per_page: MOST_PER_PAGE }, signal ? { signal } : {});
  const recover = async function* () {
    /** By event key. */
    const found = new Map<string, { readonly age: Age; readonly delivery: Item }>();
    await readUntilComplete(list, async (delivery, age) => {
      if (age.time < since || age.time >= until) return false;
      const eventKey = await keyOfEvent(deliveredBy(delivery));
      const known = found.get(eventKey);
      if (known === undefined || compareAges(age, known.age) < 0) found.set(eventKey, { age, delivery });
      if (found.size <= maxItems) return known === undefined;
      const message = `There are more than ${maxItems} deliveries between \`since\` and \`until\`: recover a shorter time, or raise \`maxItems\`.`;
      throw new ConfigurationError(message);
    });
    const sorted = [...found].sort(([, a], [, b]) => compareAges(a.age, b.age));
    for (const [eventKey, { delivery }] of sorted) {
      if (signal?.aborted) throw signal.reason;
      const body = deliveredBy(delivery);
      const { event, issues } = await readEvent(body, schemas);
      if (event) yield { event: event as WebhookEvent<Schemas>, eventKey, delivery };
      else if (onInvalid) await onInvalid({ body, issues, delivery });
      else throw invalidPayload(issues, ` It belongs to delivery ${delivery.id}; see \`onInvalid\`.`);
    }
  };
  return recover();
}
