// `recoverEvents`: reads missed events from the service's delivery records.

import type { Issue } from '../util/standard-schema.ts';
import { type DeliveryRecord, deliveredBy, parseTime } from './delivery-record.ts';
import { type DeliveredEvent, eventKeyOf } from './event-key.ts';
import type { WebhookEvent, WebhookSchemas } from './events.ts';
import { invalidPayload, readEvent } from './read-event.ts';
import { assertOption, checkNumbers } from './settings.ts';

/** Source of delivery records; `client.webhooks` is one. */
export interface DeliveryRecords<Delivery extends DeliveryRecord> {
  /** Lists the deliveries to an endpoint, including failed ones, in any order. */
  deliveries(
    endpointId: number,
    query: { readonly per_page: number },
    options: { readonly signal?: AbortSignal; readonly concurrency?: number },
  ): AsyncIterable<Delivery>;
}

/** Options of `recoverEvents`. */
export interface RecoverOptions<
  Schemas extends WebhookSchemas = WebhookSchemas,
  Delivery extends DeliveryRecord = DeliveryRecord,
> {
  /**
   * Recover deliveries created from this time on: a `Date`, or an ISO 8601 time with its zone. Choose a time shortly
   * before the outage.
   */
  readonly since: Date | string;
  /** Recover deliveries created before this time. @default no end */
  readonly until?: Date | string | undefined;
  /** Standard Schemas that refine payloads, by event name, as for `createWebhookHandler`. */
  readonly schemas?: Schemas | undefined;
  /**
   * Receives, in its turn, each event that is not as documented or is rejected by a schema, and is awaited; the others
   * follow. Without it, such an event throws.
   */
  readonly onInvalid?: ((invalid: InvalidRecovery<Delivery>) => unknown) | undefined;
  /** Most records to hold at once, since they are sorted before the first is returned; more is an error. @default 10_000 */
  readonly maxItems?: number | undefined;
  /** Pages of records in flight at once. @default 1 */
  readonly concurrency?: number | undefined;
  /** Cancels the recovery; it then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** A delivery record that is not a valid event. */
export interface InvalidRecovery<Delivery extends DeliveryRecord = DeliveryRecord> {
  /** What was delivered, according to the record. */
  readonly body: DeliveredEvent;
  /** What is wrong, and where. The messages of a schema may quote values. */
  readonly issues: readonly Issue[];
  /** The record. */
  readonly delivery: Delivery;
}

/** An event read from its delivery record. */
export interface RecoveredEvent<Schemas = unknown, Delivery extends DeliveryRecord = DeliveryRecord> {
  /** The event in the form that handlers receive. */
  readonly event: WebhookEvent<Schemas>;
  /** `eventKeyOf` what was delivered: lets a handler recognise an event that also arrived live. */
  readonly eventKey: string;
  /** Its oldest record in the window. */
  readonly delivery: Delivery;
}

const MOST_PER_PAGE = 100;
const DEFAULT_MAX_ITEMS = 10_000;

/**
 * Reads the events of an endpoint from the service's delivery records, to make up for what a receiver missed: oldest
 * first, each once. Records of every status are included, since most values are undocumented by the service, and so
 * events handled live appear too: pass each to `handler.dispatch(event, { eventKey })` of a receiver with
 * deduplication.
 *
 * The order of the records is undocumented as well, so all of them are read. Events that happened while the endpoint
 * was inactive were never delivered and have no record. If a record keeps only the `data` of what was sent, the event
 * gets the `created_at` of the record and so another key than the live event: make your handlers idempotent.
 *
 * @throws {ConfigurationError} at once when an option is invalid; later when the window holds more than `maxItems`
 * records
 * @throws {WebhookVerificationError} (`payload_invalid`) for a record that cannot be read, without `onInvalid`
 */
export function recoverEvents<
  Delivery extends DeliveryRecord,
  const Schemas extends WebhookSchemas = WebhookSchemas,
>(
  webhooks: DeliveryRecords<Delivery>,
  endpointId: number,
  options: RecoverOptions<Schemas, Delivery>,
): AsyncGenerator<RecoveredEvent<Schemas, Delivery>, void, undefined> {
  const { since, until, maxItems = DEFAULT_MAX_ITEMS } = options;
  const from = timeOf('since', since);
  const to = until === undefined ? Number.POSITIVE_INFINITY : timeOf('until', until);
  assertOption(from < to, '`since` must be before `until`.');
  checkNumbers({ maxItems });
  return recover(webhooks, endpointId, { ...options, from, to, maxItems });
}

interface Window {
  readonly from: number;
  readonly to: number;
  readonly maxItems: number;
}

async function* recover<Delivery extends DeliveryRecord, Schemas extends WebhookSchemas>(
  webhooks: DeliveryRecords<Delivery>,
  endpointId: number,
  options: RecoverOptions<Schemas, Delivery> & Window,
): AsyncGenerator<RecoveredEvent<Schemas, Delivery>, void, undefined> {
  const { schemas, onInvalid, signal } = options;
  const given = new Set<string>();
  for (const delivery of await collect(webhooks, endpointId, options)) {
    signal?.throwIfAborted();
    const delivered = deliveredBy(delivery);
    const eventKey = await eventKeyOf(delivered);
    if (given.has(eventKey)) continue;
    given.add(eventKey);
    const { event, issues } = await readEvent(delivered, schemas);
    if (event) yield { event, eventKey, delivery };
    else if (onInvalid) await onInvalid({ body: delivered, issues, delivery });
    else throw invalidPayload(issues, `It belongs to delivery ${delivery.id}; see \`onInvalid\`.`);
  }
}

/** The records of the window, oldest first. */
async function collect<Delivery extends DeliveryRecord>(
  webhooks: DeliveryRecords<Delivery>,
  endpointId: number,
  { from, to, maxItems, concurrency, signal }: Pick<RecoverOptions, 'concurrency' | 'signal'> & Window,
): Promise<Iterable<Delivery>> {
  // By id, since new deliveries push others onto the next page.
  const found = new Map<string, { readonly at: number; readonly delivery: Delivery }>();
  const options = { ...(signal && { signal }), ...(concurrency !== undefined && { concurrency }) };
  for await (const delivery of webhooks.deliveries(endpointId, { per_page: MOST_PER_PAGE }, options)) {
    const at = parseTime(delivery.created_at) ?? from;
    if (at < from || at >= to) continue;
    found.set(delivery.id, { at, delivery });
    assertOption(
      found.size <= maxItems,
      `There are more than ${maxItems} deliveries between \`since\` and \`until\`: recover a shorter time, or raise \`maxItems\`.`,
    );
  }
  return [...found.values()]
    .sort((a, b) => a.at - b.at || (a.delivery.id < b.delivery.id ? -1 : 1))
    .map(({ delivery }) => delivery);
}

function timeOf(name: string, value: Date | string): number {
  const time = typeof value === 'string' ? parseTime(value) : value?.getTime?.();
  assertOption(Number.isFinite(time), `\`${name}\` must be a Date, or an ISO 8601 time with its zone.`);
  return Number(time);
}
