import type { Issue } from '../util/standard-schema.ts';
import { type DeliveryRecord, deliveredBy, parseTime } from './delivery-record.ts';
import { type DeliveredEvent, eventKeyOf } from './event-key.ts';
import type { WebhookEvent, WebhookSchemas } from './events.ts';
import { invalidPayload, readEvent } from './read-event.ts';
import { assertOption, checkNumbers } from './settings.ts';

/** Where delivery records are read: `client.webhooks` is one. */
export interface DeliveryRecords<Delivery extends DeliveryRecord> {
  /** Lists what was delivered to an endpoint, or tried, in any order. */
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
  /** Deliveries created from here on: a `Date`, or an ISO 8601 time with its zone. Begin a little before the outage. */
  readonly since: Date | string;
  /** Deliveries created before this. @default no end */
  readonly until?: Date | string | undefined;
  /** Standard Schemas that refine payloads, by event name, as for `createWebhookHandler`. */
  readonly schemas?: Schemas | undefined;
  /**
   * Gets what is not as documented, or refused by a schema, when its turn comes, and is waited for; the others go on. Without
   * it, that is thrown.
   */
  readonly onInvalid?: ((invalid: InvalidRecovery<Delivery>) => unknown) | undefined;
  /** Most records to hold at once, as they are sorted before the first is given; more is an error. @default 10_000 */
  readonly maxItems?: number | undefined;
  /** Pages of records that are asked for at once. @default 1 */
  readonly concurrency?: number | undefined;
  /** Ends the recovery; it then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** A delivery record that is not the event it should be. */
export interface InvalidRecovery<Delivery extends DeliveryRecord = DeliveryRecord> {
  /** What was delivered, as the record has it. */
  readonly body: DeliveredEvent;
  /** What is wrong with it, and where. The messages of a schema may quote values. */
  readonly issues: readonly Issue[];
  /** The record. */
  readonly delivery: Delivery;
}

/** An event that was read from its delivery record. */
export interface RecoveredEvent<Schemas = unknown, Delivery extends DeliveryRecord = DeliveryRecord> {
  /** The event as a handler gets it. */
  readonly event: WebhookEvent<Schemas>;
  /** `eventKeyOf` what was delivered: with it, a handler knows the event again if it came live. */
  readonly eventKey: string;
  /** Its oldest record in the window. */
  readonly delivery: Delivery;
}

const MOST_PER_PAGE = 100;
const DEFAULT_MAX_ITEMS = 10_000;

/**
 * Reads the events of an endpoint again from the service's delivery records, for what a receiver missed: oldest first, each
 * once. Records count whatever their status, as its values are undocumented, so what was handled live comes too: give each to
 * `handler.dispatch(event, { eventKey })` of a receiver with deduplication.
 *
 * The order of the records is undocumented as well, so all of them are looked through. What happened while the endpoint was
 * inactive was never delivered and has no record. Where a record keeps only the `data` of what was sent, the event's
 * `created_at` is that of the record, and its key cannot be that of the live event: make the handlers' effect the same
 * however often they run.
 *
 * @throws {ConfigurationError} at once when an option is invalid; later when the window holds more than `maxItems` records
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
    else throw invalidPayload(issues, `It is that of delivery ${delivery.id}; \`onInvalid\` takes such.`);
  }
}

/** The records of the window, oldest first. */
async function collect<Delivery extends DeliveryRecord>(
  webhooks: DeliveryRecords<Delivery>,
  endpointId: number,
  { from, to, maxItems, concurrency, signal }: Pick<RecoverOptions, 'concurrency' | 'signal'> & Window,
): Promise<Iterable<Delivery>> {
  // By id, as deliveries that are made meanwhile push others onto the next page.
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
